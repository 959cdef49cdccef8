/** http.long-bodies-take-turns: the longest bodies, many at once, against a server with little memory. */
import { expect, test } from 'vitest'
import { manyValues } from '../soak/bodies.ts'
import { startServer } from '../soak/program.ts'
import { withWorkspace } from '../soak/workspace.ts'
import { shortLived } from '../support/start-command.ts'

/** `npm run soak -- overload` also measures for how long /health waits, which a busy machine can't promise. */
test('http.long-bodies-take-turns: thirty bodies of 8 MB at once leave a server with a heap of 512 MB alive', async () => {
  await withWorkspace(process.env.DATABASE_URL || null, async (place) => {
    const server = await startServer(place, {}, 'main', [...shortLived, '--max-old-space-size=512'])
    expect(await manyValues(server, () => undefined)).toEqual([])
    expect((await server.client.send({ method: 'GET', path: '/health' })).status).toBe(200)
    expect(server.printed()).not.toMatch(/"level":60/)
    await server.kill()
  })
})
