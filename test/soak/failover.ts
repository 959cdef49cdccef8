/**
 * Failover soak: two servers on a Patroni fleet, whose standbys serve reads. A standby lags, the synchronous one is
 * suspended, the primary is killed, the next one suspended, while clients write, read and listen.
 */
import pg from 'pg'
import { listenOn, type Reads, readOn, storedSkus, type Write, writeOn } from './failover-clients.ts'
import { type Fleet, type FleetNode, missingPrograms, pause, startFleet, until } from './patroni.ts'
import { type Running, startServer } from './program.ts'
import { importStore, storeId } from './store.ts'

/** Milliseconds after a node is lost within which Patroni has another primary, or another synchronous standby. */
const REPLACED_MS = 30_000
/** Milliseconds after the promotion of a new primary within which a write is acknowledged. */
const WRITES_BACK_MS = 2_000

/** Milliseconds that a read waits at most while the primary hangs: a server asks it once a second, for two seconds. */
const READ_MAX_MS = 4_000

/**
 * Throws at the first promise that does not hold: no acknowledged write or live update is lost, writes are back in
 * time, reads go on.
 */
export async function failover(dataDir: string, say: (line: string) => void): Promise<void> {
  const missing = missingPrograms()
  if (missing.length > 0)
    throw new Error(`failover needs ${missing.join(', ')}: Debian's postgresql, patroni, etcd-server and haproxy`)
  const fleet = await startFleet()
  say(`three nodes, ${(await fleet.primary()).name} is the primary`)
  const workspace = { dataDir, databaseUrl: fleet.url }
  const servers: Running[] = []
  const [writing, listening] = [new AbortController(), new AbortController()]
  try {
    await importStore(workspace, 4)
    const standbys = { DATABASE_REPLICA_URLS: fleet.nodes.map(({ url }) => url).join() }
    for (const _ of [1, 2]) servers.push(await startServer(workspace, standbys))
    const [first] = servers as [Running, Running]
    const { data } = await first.gql('mutation { createPriceBook(input: { name: "Failover" }) { priceBook { id } } }')
    const book: string = data.createPriceBook.priceBook.id
    const writes: Write[] = []
    const failures: unknown[] = []
    const failed = (error: unknown) => void failures.push(error)
    // What is written before a stream is open is not for it.
    const listeners = await Promise.all(
      servers.map(async (server) => {
        const heard = new Set<string>()
        const { end } = await new Promise<{ end: Promise<void> }>((resolve) => {
          const end = listenOn(server, book, heard, () => resolve({ end }), listening.signal).catch(failed)
        })
        return { heard, end }
      }),
    )
    const writers = servers.map((server, at) => writeOn(server, book, `${at}`, writes, writing.signal).catch(failed))
    const reads: Reads = { count: 0, slowest: 0, failed: [] }
    const readers = servers.map((server) => readOn(server, reads, writing.signal).catch(failed))
    await until(() => writes.length > 20, 'writes are acknowledged')

    /** `replacement` resolves to the name of what takes the place of the lost node, when it does. */
    const lost = async (how: string, node: FleetNode, lose: () => void, replacement: () => Promise<string>) => {
      const lostAt = Date.now()
      lose()
      const next = await replacement()
      const replacedAt = Date.now()
      const back = () => writes.filter(({ acknowledgedAt }) => acknowledgedAt > replacedAt).length > 20
      await until(back, 'writes are acknowledged again')
      const between = writes.map(({ acknowledgedAt }) => acknowledgedAt).filter((at) => at > lostAt)
      const late = between.filter((at) => at > replacedAt - 1_000).sort((a, b) => a - b)[0] as number
      const took = replacedAt - lostAt
      say(
        `${node.name} ${how}: ${next} in its place after ${took} ms, writes back ${Math.max(0, late - replacedAt)} ms later`,
      )
      if (took > REPLACED_MS) throw new Error(`${next} took the place of ${node.name} after ${took} ms`)
      if (late - replacedAt > WRITES_BACK_MS) throw new Error(`writes were back ${late - replacedAt} ms later`)
    }
    const promotedBeside = (node: FleetNode) => async () => (await fleet.primary(node)).name
    const follows = async ({ name }: FleetNode) => (await (await fleet.primary()).followers()).includes(name)
    await lagging(fleet, servers)
    say(
      `a standby lagged: left out, each publish seen at once, and serving again; ${reads.count} pages, the slowest in ${reads.slowest} ms`,
    )
    const synchronousOf = async (primary: FleetNode, except?: FleetNode): Promise<FleetNode> => {
      let name: string | null = null
      const isThere = async () => {
        name = await primary.synchronousStandby()
        return name !== null && name !== except?.name
      }
      await until(isThere, 'the primary has a synchronous standby')
      return fleet.nodes.find((node) => node.name === name) as FleetNode
    }
    const killed = await fleet.primary()
    const standby = await synchronousOf(killed)
    await lost(
      'suspended, the synchronous standby',
      standby,
      () => standby.freeze(),
      async () => (await synchronousOf(killed, standby)).name,
    )
    standby.thaw()
    await until(() => follows(standby), 'the suspended standby follows the primary')
    await synchronousOf(killed)
    await lost('killed', killed, () => killed.kill(), promotedBeside(killed))
    killed.start()
    await until(() => follows(killed), 'the killed node follows the new primary')
    const frozen = await fleet.primary()
    await synchronousOf(frozen)
    await lost('suspended', frozen, () => frozen.freeze(), promotedBeside(frozen))
    frozen.thaw()
    await until(() => follows(frozen), 'the suspended node follows the new primary')
    writing.abort()
    await Promise.all([...writers, ...readers])
    say(`${reads.count} pages read throughout, ${reads.failed.length} failed, the slowest in ${reads.slowest} ms`)
    if (reads.failed.length > 0) throw new Error(`reads failed: ${reads.failed[0]}`)
    if (reads.slowest > READ_MAX_MS) throw new Error(`a read took ${reads.slowest} ms`)
    for (const [at, { heard }] of listeners.entries()) {
      await until(
        () => writes.every(({ sku }) => heard.has(sku)),
        `every acknowledged write is heard of on server ${at}`,
      )
    }
    listening.abort()
    await Promise.all(listeners.map(({ end }) => end))
    if (failures.length > 0) throw failures[0]
    const stored = await storedSkus(first, book)
    const gone = writes.filter(({ sku }) => !stored.has(sku))
    if (gone.length > 0) throw new Error(`${gone.length} acknowledged writes are gone, such as ${gone[0]?.sku}`)
    say(
      `failover: ${writes.length} acknowledged writes, all stored and heard of on both servers; ${stored.size - writes.length} stored without an acknowledgement`,
    )
  } finally {
    writing.abort()
    listening.abort()
    for (const server of servers) await server.kill()
    fleet.remove()
  }
}

/** Milliseconds after which PostgreSQL counts what an idle connection has read. */
const COUNTED_AFTER_MS = 12_000
const SCANS = 'SELECT sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int4 AS count FROM pg_stat_user_tables'

/**
 * Stops the replay of a standby while both servers publish, and lets it catch up: it must serve, be left out, and serve
 * again.
 */
async function lagging(fleet: Fleet, servers: readonly Running[]): Promise<void> {
  const primary = await fleet.primary()
  const standby = fleet.nodes.find((node) => node !== primary) as FleetNode
  const client = new pg.Client({ connectionString: standby.url })
  await client.connect()
  const scans = async (): Promise<number> => (await client.query<{ count: number }>(SCANS)).rows[0]?.count ?? 0
  let searches = 0
  /** How many scans of tables the standby had for searches that no cache has; pages that are read beside count too. */
  const served = async (): Promise<number> => {
    const before = await scans()
    for (let turn = 0; turn < 6; turn++) for (const server of servers) await search(server, searches++)
    await pause(COUNTED_AFTER_MS)
    return (await scans()) - before
  }
  if ((await served()) === 0) throw new Error('the standby serves no reads')
  // Patroni resumes a replay that is paused by SQL.
  const { rows } = await client.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'startup'",
  )
  const [{ pid: replay } = missingReplay()] = rows
  process.kill(replay, 'SIGSTOP')
  for (const server of servers) {
    const published = await server.gql(
      `mutation { publishRelease(input: { catalogId: "${storeId}" }) { release { sequence } } }`,
    )
    const { sequence } = published.data.publishRelease.release
    const seen = await server.gql(
      `{ catalog(id: "${storeId}") { latestRelease { sequence products(first: 5) { nodes { name } } } } }`,
    )
    const { latestRelease } = seen.data.catalog
    if (latestRelease.sequence !== sequence || latestRelease.products.nodes.length !== 5)
      throw new Error(JSON.stringify(latestRelease))
  }
  // Until both servers know the releases, and what they have read before is counted.
  await pause(2 * COUNTED_AFTER_MS)
  const whileLate = await served()
  if (whileLate !== 0) throw new Error(`the standby had ${whileLate} scans while it lagged`)
  process.kill(replay, 'SIGCONT')
  await until(async () => (await served()) > 0, 'the standby serves again')
  await client.end()
}

function missingReplay(): never {
  throw new Error('the standby has no process that replays')
}

async function search({ gql }: Running, number: number): Promise<void> {
  const { data } = await gql(
    `{ catalog(id: "${storeId}") { latestRelease { products(first: 1, filter: { search: "product ${number}" }) { totalCount } } } }`,
  )
  if (!(data?.catalog.latestRelease.products.totalCount > 0)) throw new Error(`nothing found for ${number}`)
}
