/**
 * Contention: the requests that once took the connections of all others. Writes of one row, searches that nothing
 * matches as it is spelt, and another server that is suspended while it has a row locked.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createIssueToken } from '../../src/auth/issue.ts'
import { loadConfig } from '../../src/config/config.ts'
import { costlyCatalogId, offeringId, planId } from './costly-store.ts'
import { type Running, signingSecret, startServer, type Workspace } from './program.ts'

/** A request to /graphql of client number `client`, its `turn`-th. */
export interface Attack {
  readonly token: string
  readonly query: (client: number, turn: number) => string
}

/** A shopper with a subscription. */
export interface Subscriber {
  readonly token: string
  readonly subscriptionId: string
}

const ACCOUNT = 'c05aa000-0000-4000-8000-000000000001'

/** Creates a subscription and a token of its shopper. */
export async function subscribe(server: Running): Promise<Subscriber> {
  const input = `{ offeringId: "${offeringId}", planId: "${planId}", accountId: "${ACCOUNT}", name: "Ann", email: "ann@example.com", currency: "USD" }`
  const { data, errors } = await server.gql(
    `mutation { createSubscription(input: ${input}) { subscription { id } userErrors { message } } }`,
  )
  const subscriptionId: unknown = data?.createSubscription?.subscription?.id
  if (typeof subscriptionId !== 'string') throw new Error(JSON.stringify({ data, errors }))
  const { auth } = loadConfig({ NODE_ENV: 'test', AUTH_SECRET: signingSecret })
  if (auth.kind !== 'secret') throw new Error('the token is issued here')
  const { token } = await createIssueToken(auth)({ subject: 'ann', role: 'shopper', accountId: ACCOUNT }, Date.now())
  return { token, subscriptionId }
}

/** Pauses and resumes of one subscription. */
export function pauses({ token, subscriptionId }: Subscriber): Attack {
  const query = (client: number, turn: number): string => {
    const name = (client + turn) % 2 === 0 ? 'pauseSubscription' : 'resumeSubscription'
    return `mutation { ${name}(input: { id: "${subscriptionId}" }) { userErrors { code } } }`
  }
  return { token, query }
}

let searched = 0

/**
 * So many searches in one operation, each of another text, which no product has as it is spelt and many have otherwise.
 */
export function misspelt(token: string, count: number): Attack {
  const search = (at: number): string =>
    `a${at}: products(first: 1, filter: { search: "prodct ${searched++}" }) { nodes { id } }`
  const query = (): string => {
    const all = Array.from({ length: count }, (_, at) => search(at)).join(' ')
    return `query S${searched} { catalog(id: "${costlyCatalogId}") { release(id: "latest") { ${all} } } }`
  }
  return { token, query }
}

/** Lists that are sorted and filtered, each for itself. */
export function lists(token: string): Attack {
  const list = (at: number): string =>
    `a${at}: products(first: 20, filter: { price: { currency: "USD", max: ${100 + (searched++ % 1_000)} } }, orderBy: { field: NAME }) { totalCount nodes { name sku } }`
  const query = (): string => {
    const all = Array.from({ length: 20 }, (_, at) => list(at)).join(' ')
    return `query L${searched} { catalog(id: "${costlyCatalogId}") { release(id: "latest") { ${all} } } }`
  }
  return { token, query }
}

/** Milliseconds for which a server is suspended, and then goes on, again and again. */
const [SUSPENDED_MS, RUNNING_MS] = [15_000, 500]

/**
 * Another server on the same database, which is suspended again and again in the middle of a transaction, until `until`
 * (performance.now()). Resolves to how often it had a row locked then.
 */
export async function suspendAnother(workspace: Workspace, subscriber: Subscriber, until: number): Promise<number> {
  const other = await startServer(workspace)
  const watcher = new pg.Client({ connectionString: workspace.databaseUrl ?? '' })
  await watcher.connect()
  const holders = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction' AND state_change < now() - interval '150 ms'
      AND EXISTS (SELECT FROM pg_locks l WHERE l.pid = pg_stat_activity.pid AND l.mode IN ('RowShareLock', 'RowExclusiveLock'))`
  let times = 0
  const attack = pauses(subscriber)
  const write = async (client: number): Promise<void> => {
    for (let turn = 0; performance.now() < until; turn++) {
      const headers = { authorization: `Bearer ${attack.token}`, 'content-type': 'application/json' }
      await other.client
        .send({
          method: 'POST',
          path: '/graphql',
          headers,
          body: JSON.stringify({ query: attack.query(client, turn) }),
        })
        .catch(() => undefined)
    }
  }
  const writing = Promise.all([0, 1, 2, 3].map(write))
  while (performance.now() < until) {
    other.child.kill('SIGSTOP')
    await pause(200)
    const { rows } = await watcher.query<{ count: number }>(holders)
    if ((rows[0]?.count ?? 0) > 0) {
      times++
      await pause(Math.max(0, Math.min(SUSPENDED_MS, until - performance.now())))
    }
    other.child.kill('SIGCONT')
    await pause(RUNNING_MS * Math.random())
  }
  await other.kill()
  await writing
  await watcher.end()
  return times
}
