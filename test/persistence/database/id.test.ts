import { expect, it } from 'vitest'
import { newId } from '../../../src/persistence/database/id.ts'

it('an id is a unique UUIDv7 of its instant', () => {
  const now = Date.UTC(2031, 4, 6, 7, 8, 9, 123)
  const ids = Array.from({ length: 10_000 }, () => newId(now))
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(now)
  }
  const [earlier, later] = [newId(now), newId(now + 1)]
  expect(earlier < later).toBe(true)
})

it('record.ids-rise-within-an-instant: ids of one millisecond rise, also where those of others are made between them', () => {
  const now = Date.UTC(2031, 4, 6, 7, 8, 9, 123)
  const made = Array.from({ length: 3_000 }, (_, at) => ({ at: now + (at % 3), id: newId(now + (at % 3)) }))
  for (const instant of [now, now + 1, now + 2]) {
    const ids = made.filter(({ at }) => at === instant).map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted())
  }
})
