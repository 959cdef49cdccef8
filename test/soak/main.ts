/**
 * Soak command: `npm run soak -- fuzz [requests] | crash [kills] | load [seconds] | overload [seconds] | import
 * [prices] | webhooks [kills]` runs the long forms of tests, on the embedded database, or with DATABASE_URL in a new
 * database of that server; `failover` on a Patroni fleet of its own. It exits with 1 at the first failure.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createIssueToken } from '../../src/auth/issue.ts'
import { createAuthenticate } from '../../src/auth/verify.ts'
import { loadConfig } from '../../src/config/config.ts'
import { projectRoot } from '../../src/config/project-root.ts'
import { createGraphqlServer } from '../../src/graphql/server/server.ts'
import { createLogger } from '../../src/lib/log.ts'
import { ReleaseCache } from '../../src/persistence/catalog/release-cache.ts'
import { ChangeFeed } from '../../src/persistence/changes/change-feed.ts'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import type { Services } from '../../src/request/context.ts'
import { createApp } from '../../src/server/app.ts'
import { runImport } from '../support/import.ts'
import { crash } from './crash.ts'
import { failover } from './failover.ts'
import { fuzz, knownOf } from './fuzz.ts'
import { createClient } from './http.ts'
import { importMemory } from './import-memory.ts'
import { load } from './load.ts'
import { overload } from './overload.ts'
import { signingSecret, type Workspace } from './program.ts'
import { webhooks } from './webhooks.ts'
import { withWorkspace } from './workspace.ts'

const say = (line: string): void => console.log(line)

/** Runs the server in this process, so that statements and rows can be observed. */
async function fuzzHere({ dataDir, databaseUrl }: Workspace, count: number, seed: number): Promise<void> {
  const config = loadConfig({
    NODE_ENV: 'test',
    AUTH_SECRET: signingSecret,
    DATA_DIR: dataDir,
    PORT: '0',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  })
  const log = createLogger('error')
  const database = await openDatabase(config, log)
  await migrate(database.pool)
  const releases = new ReleaseCache(database)
  const services: Services = {
    config,
    database,
    releases,
    changes: new ChangeFeed({ database, releases, log, clock: Date.now }),
    log,
  }
  await runImport(services, readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8'))
  if (config.auth.kind !== 'secret') throw new Error('the tokens are issued here')
  const issue = createIssueToken(config.auth)
  const app = createApp({
    services,
    clock: Date.now,
    authenticate: createAuthenticate(config.auth),
    issue,
    createGraphql: createGraphqlServer,
  })
  await new Promise<void>((resolve) => app.server.listen(0, '127.0.0.1', resolve))
  const address = app.server.address()
  const client = createClient(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  // A run may take longer than the lifetime of a token, an hour.
  const farAway = Date.now() + 86_400_000
  const token = async (role: 'admin' | 'shopper') => (await issue({ subject: role, role }, farAway)).token
  try {
    const known = await knownOf(client, { admin: await token('admin'), shopper: await token('shopper') }, database)
    const { sent, statuses } = await fuzz(client, database, known, count, seed)
    say(`fuzz: ${sent} requests, none answered 5xx, nothing stored silently; by status ${JSON.stringify(statuses)}`)
  } finally {
    client.close()
    await app.stop(1_000)
    await database.close()
  }
}

const [what, given] = process.argv.slice(2)
const number = (fallback: number): number => (given === undefined ? fallback : Math.max(1, Math.trunc(Number(given))))
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_007)
const databaseUrl = process.env.DATABASE_URL || null
const place = what === 'failover' ? 'a Patroni fleet' : databaseUrl === null ? 'the embedded database' : 'PostgreSQL'
say(`${what} on ${place}${what === 'fuzz' ? `, seed ${seed}` : ''}`)
try {
  await withWorkspace(databaseUrl, async (workspace) => {
    if (what === 'fuzz') await fuzzHere(workspace, number(100_000), seed)
    else if (what === 'crash') {
      const kills = number(200)
      const imports = Math.ceil(kills / 10)
      const { acknowledged } = await crash(workspace, kills - imports, imports, say)
      say(`crash: ${kills} kills, ${imports} of them of imports; nothing of ${JSON.stringify(acknowledged)} lost`)
    } else if (what === 'load') await load(workspace, number(120), say)
    else if (what === 'overload') await overload(workspace, number(30), say)
    else if (what === 'failover') await failover(workspace.dataDir, say)
    else if (what === 'webhooks') {
      const { kills, written, arrived, repeated } = await webhooks(workspace, number(50), say)
      say(
        `webhooks: ${kills} kills, ${written} changes acknowledged, ${arrived} events arrived, ${repeated} requests repeated one`,
      )
    } else if (what === 'import') await importMemory(workspace, number(400_000), say)
    else
      throw new Error(
        'npm run soak -- fuzz [requests] | crash [kills] | load [seconds] | overload [seconds] | import [prices] | webhooks [kills] | failover',
      )
  })
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
