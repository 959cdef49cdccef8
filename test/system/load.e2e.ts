import { expect, test } from 'vitest'
import { drive, startLoaded } from '../soak/load.ts'
import { withWorkspace } from '../soak/workspace.ts'
import { shortLived } from '../support/start-command.ts'

/** `npm run soak -- load` measures for minutes and holds the ratios, which a busy machine can't promise. */
test('mixed load is answered without an error, and far more than that is shed or served, never broken', async () => {
  await withWorkspace(process.env.DATABASE_URL || null, async (place) => {
    const loaded = await startLoaded(place, 1, shortLived)
    const some = await drive(loaded, 2, 8)
    expect([some.errors, some.shed]).toEqual([[], 0])
    expect(some.rate).toBeGreaterThan(0)
    const many = await drive(loaded, 2, 1_200)
    expect(many.errors).toEqual([])
    // Once it has noticed that the many clients are gone.
    await expect.poll(async () => (await drive(loaded, 0.2, 1)).shed, { timeout: 60_000 }).toBe(0)
    const after = await drive(loaded, 1, 4)
    expect([after.errors, after.shed]).toEqual([[], 0])
    expect(loaded.server.printed()).not.toMatch(/"level":60/)
    await loaded.server.kill()
  })
})
