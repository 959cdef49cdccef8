/** Change listener on a server that refuses connections. */
import { afterEach, expect, test, vi } from 'vitest'
import { createChangeListener, RETRY_MAX_MS } from '../../../src/persistence/changes/change-listener.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { waitUntil } from '../../support/live.ts'

afterEach(() => vi.restoreAllMocks())

test('attempts to listen for changes come after 1 s, then twice as long each time, up to a minute; only the first failure is logged', async () => {
  let now = 0
  let readings = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    readings++
    return now
  })
  const attempts: number[] = []
  const pool = {
    get options() {
      attempts.push(now)
      return { connectionString: 'postgres://nobody@127.0.0.1:1/none' }
    },
  }
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => void warnings.push(message) }
  const listener = createChangeListener({ kind: 'server', pool } as unknown as Database, log, () => {})
  while (attempts.length < 10) {
    const before = attempts.length
    listener.connect()
    const read = readings
    // The failure reads the clock.
    if (attempts.length > before) await waitUntil(() => readings > read)
    now += 500
  }
  listener.stop()
  const waits = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000))
  expect(RETRY_MAX_MS).toBe(60_000)
  expect(warnings).toEqual(['could not listen for changes: they are noticed by polling'])
})
