import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { fuzz, knownOf } from '../soak/fuzz.ts'
import { createClient } from '../soak/http.ts'
import { useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { useServer } from '../support/server.ts'

/** `npm run soak -- fuzz` sends a hundred thousand; each run of the tests others. */
const REQUESTS = 2_000
const database = useDatabase()
const server = useServer(database)

beforeAll(async () => {
  const { fine, refused } = await runImport(
    server.services,
    readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8'),
  )
  expect([fine, refused]).toEqual([true, []])
})

test("malformed requests are refused as the client's errors, and change no data", async () => {
  const client = createClient(server.url)
  const seed = Number(process.env.TEST_SEED || Date.now() % 1_000_000_007)
  const known = await knownOf(client, { admin: server.admin, shopper: server.shopper }, database)
  const { statuses } = await fuzz(client, database, known, REQUESTS, seed)
  // A sweep that only ever met one step of the way would prove little.
  for (const status of [200, 400, 401, 403, 404, 422]) expect([status, statuses[status] ?? 0]).not.toEqual([status, 0])
  expect(server.logs.filter(({ level }) => (level as number) >= 50)).toEqual([])
  client.close()
})
