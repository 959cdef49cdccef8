import { mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { crash } from './soak/crash.ts'
import { withPlace } from './soak/place.ts'

/** `npm run soak -- crash` kills two hundred times. */
test('a server that is killed, and an import, lose nothing acknowledged, leave nothing half there, and start again without help', async () => {
  const report = await withPlace(process.env.DATABASE_URL || null, async (place) => {
    mkdirSync(place.dataDir, { recursive: true })
    return crash(place, 8, 2)
  })
  expect(report.acknowledged.prices).toBeGreaterThanOrEqual(8)
  expect(report.acknowledged.releases).toBeGreaterThan(0)
}, 480_000)
