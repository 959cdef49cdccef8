import { describe, expect, it } from 'vitest'
import { type Valid, ValidityCache } from '../../../src/persistence/catalog/validity-cache.ts'

const HOUR = 3_600_000
const span = (hour: number): Valid => ({ from: hour * HOUR, until: (hour + 1) * HOUR })

describe('the cache of values that are true for a time', () => {
  it('keeps the latest value of a key, however many earlier ones are added', () => {
    const cache = new ValidityCache<Valid>('test', 10_000, () => 100)
    cache.add('prices', span(23))
    for (let hour = 0; hour < 20; hour++) cache.add('prices', span(hour))
    expect(cache.find('prices', 23.5 * HOUR)).toEqual(span(23))
    expect([19, 18, 17].map((hour) => cache.find('prices', hour * HOUR))).toEqual([span(19), span(18), undefined])
  })

  it('lets a later value take the place of the latest', () => {
    const cache = new ValidityCache<Valid>('test', 10_000, () => 100)
    for (let hour = 0; hour < 5; hour++) cache.add('prices', span(hour))
    expect([4, 3, 2, 1].map((hour) => cache.find('prices', hour * HOUR))).toEqual([span(4), span(3), span(2), undefined])
    expect(cache.before('prices', 5 * HOUR)).toEqual(span(4))
    expect([cache.find('prices', 5 * HOUR), cache.find('prices', 5 * HOUR - 1)]).toEqual([undefined, span(4)])
  })

  it('has one value for each beginning, the one added last', () => {
    const cache = new ValidityCache<Valid>('test', 10_000, () => 100)
    cache.add('prices', span(1))
    const longer = { from: HOUR, until: 3 * HOUR }
    cache.add('prices', longer)
    expect(cache.find('prices', HOUR)).toBe(longer)
    expect(cache.find('prices', 2 * HOUR)).toBe(longer)
  })
})
