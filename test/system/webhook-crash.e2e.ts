import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BOOKS, webhooks } from '../soak/webhooks.ts'
import { withWorkspace } from '../soak/workspace.ts'
import { times } from '../support/effort.ts'

const databaseUrl = process.env.DATABASE_URL || null

/** `npm run soak -- webhooks` kills fifty times. */
test('webhook.at-least-once, webhook.order-per-record: servers that are killed while they send lose no event and keep the order', async () => {
  const report = await withWorkspace(databaseUrl, async (place) => {
    mkdirSync(place.dataDir, { recursive: true })
    return webhooks(place, times(1))
  })
  expect(report.arrived).toBeGreaterThanOrEqual(report.written)
  // Beside the creation of each record.
  expect(report.written).toBeGreaterThan(BOOKS + 5 * times(1))
})
