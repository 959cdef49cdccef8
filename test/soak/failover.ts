/**
 * Failover soak: two servers on a Patroni fleet, whose standbys serve reads. A standby lags, the primary is killed, the next one suspended,
 * while clients write, read and listen.
 */

import pg from 'pg'
import { listen } from '../support/live.ts'
import { type Fleet, type FleetNode, missingPrograms, pause, startFleet, until } from './patroni.ts'
import { type Running, startServer } from './program.ts'
import { hierarchyIdOf, importStore, PRODUCTS_PER_HIERARCHY, storeId } from './store.ts'

/** Milliseconds after the promotion of a new primary within which a write is acknowledged. */
const WRITES_BACK_MS = 2_000

interface Write {
  readonly sku: string
  readonly acknowledgedAt: number
}

/** Milliseconds that a read waits at most while the primary hangs: a server asks it once a second, for two seconds. */
const READ_MAX_MS = 4_000

/** Reads of pages while nodes are lost. */
interface Reads {
  count: number
  /** Milliseconds of the slowest. */
  slowest: number
  readonly failed: string[]
}

/** Throws at the first promise that does not hold: no acknowledged write or live update is lost, writes are back in time, reads go on. */
export async function failover(dataDir: string, say: (line: string) => void): Promise<void> {
  const missing = missingPrograms()
  if (missing.length > 0) throw new Error(`failover needs ${missing.join(', ')}: Debian's postgresql, patroni, etcd-server and haproxy`)
  const fleet = await startFleet()
  say(`three nodes, ${(await fleet.primary()).name} is the primary`)
  const workspace = { dataDir, databaseUrl: fleet.url }
  const servers: Running[] = []
  const [writing, listening] = [new AbortController(), new AbortController()]
  try {
    await importStore(workspace, 4)
    const standbys = { DATABASE_REPLICA_URLS: fleet.nodes.map(({ url }) => url).join() }
    for (const _ of [1, 2]) servers.push(await startServer(workspace, standbys))
    const [first, second] = servers as [Running, Running]
    const { data } = await first.gql('mutation { createPriceBook(input: { name: "Failover" }) { priceBook { id } } }')
    const book: string = data.createPriceBook.priceBook.id
    const writes: Write[] = []
    const heard = new Set<string>()
    const failures: unknown[] = []
    const failed = (error: unknown) => void failures.push(error)
    // What is written before the stream is open is not for it.
    const listener = await new Promise<{ end: Promise<void> }>((resolve) => {
      const end = listenOn(second, book, heard, () => resolve({ end }), listening.signal).catch(failed)
    })
    const writers = servers.map((server, at) => writeOn(server, book, `${at}`, writes, writing.signal).catch(failed))
    const reads: Reads = { count: 0, slowest: 0, failed: [] }
    const readers = servers.map((server) => readOn(server, reads, writing.signal).catch(failed))
    await until(() => writes.length > 20, 'writes are acknowledged')

    const lost = async (how: string, node: FleetNode, lose: () => void) => {
      const lostAt = Date.now()
      lose()
      const next = await fleet.primary(node)
      const promotedAt = Date.now()
      const back = () => writes.filter(({ acknowledgedAt }) => acknowledgedAt > promotedAt).length > 20
      await until(back, 'writes are acknowledged again')
      const between = writes.map(({ acknowledgedAt }) => acknowledgedAt).filter((at) => at > lostAt)
      const late = between.filter((at) => at > promotedAt - 1_000).sort((a, b) => a - b)[0] as number
      say(
        `${node.name} ${how}: ${next.name} promoted after ${promotedAt - lostAt} ms, writes back ${Math.max(0, late - promotedAt)} ms later`,
      )
      if (late - promotedAt > WRITES_BACK_MS) throw new Error(`writes were back ${late - promotedAt} ms after the promotion`)
    }
    const follows = async ({ name }: FleetNode) => (await (await fleet.primary()).followers()).includes(name)
    await lagging(fleet, servers)
    say(`a standby lagged: each publish was seen at once, ${reads.count} pages read, the slowest in ${reads.slowest} ms`)
    const killed = await fleet.primary()
    await until(() => killed.hasSynchronousStandby(), 'the primary has a synchronous standby')
    await lost('killed', killed, () => killed.kill())
    killed.start()
    await until(() => follows(killed), 'the killed node follows the new primary')
    const frozen = await fleet.primary()
    await until(() => frozen.hasSynchronousStandby(), 'the new primary has a synchronous standby')
    await lost('suspended', frozen, () => frozen.freeze())
    frozen.thaw()
    await until(() => follows(frozen), 'the suspended node follows the new primary')
    writing.abort()
    await Promise.all([...writers, ...readers])
    say(`${reads.count} pages read throughout, ${reads.failed.length} failed, the slowest in ${reads.slowest} ms`)
    if (reads.failed.length > 0) throw new Error(`reads failed: ${reads.failed[0]}`)
    if (reads.slowest > READ_MAX_MS) throw new Error(`a read took ${reads.slowest} ms`)
    await until(() => writes.every(({ sku }) => heard.has(sku)), 'every acknowledged write is heard of').catch(async (error: unknown) => {
      const stored = await storedSkus(first, book)
      const unheard = writes.filter(({ sku }) => !heard.has(sku))
      say(
        `${unheard.length} of ${writes.length} writes are not heard of, ${unheard.filter(({ sku }) => !stored.has(sku)).length} of them not stored`,
      )
      throw error
    })
    listening.abort()
    await listener.end
    if (failures.length > 0) throw failures[0]
    const stored = await storedSkus(first, book)
    const gone = writes.filter(({ sku }) => !stored.has(sku))
    if (gone.length > 0) throw new Error(`${gone.length} acknowledged writes are gone, such as ${gone[0]?.sku}`)
    say(
      `failover: ${writes.length} acknowledged writes, all stored and heard of; ${stored.size - writes.length} stored without an acknowledgement`,
    )
  } finally {
    writing.abort()
    listening.abort()
    for (const server of servers) await server.kill()
    fleet.remove()
  }
}

/** Stops the replay of a standby while both servers publish, and lets it catch up. */
async function lagging(fleet: Fleet, servers: readonly Running[]): Promise<void> {
  const primary = await fleet.primary()
  const standby = fleet.nodes.find((node) => node !== primary) as FleetNode
  const client = new pg.Client({ connectionString: standby.url })
  await client.connect()
  await client.query('SELECT pg_wal_replay_pause()')
  for (const server of servers) {
    const published = await server.gql(`mutation { publishRelease(input: { catalogId: "${storeId}" }) { release { sequence } } }`)
    const { sequence } = published.data.publishRelease.release
    const seen = await server.gql(`{ catalog(id: "${storeId}") { latestRelease { sequence products(first: 5) { nodes { name } } } } }`)
    const { latestRelease } = seen.data.catalog
    if (latestRelease.sequence !== sequence || latestRelease.products.nodes.length !== 5) throw new Error(JSON.stringify(latestRelease))
  }
  await client.query('SELECT pg_wal_replay_resume()')
  await client.end()
}

/** Reads one page after the other; each must be there. */
async function readOn({ client, admin }: Running, reads: Reads, ending: AbortSignal): Promise<void> {
  for (let number = 0; !ending.aborted; number++) {
    const begun = Date.now()
    const path = `/pcm/catalogs/${storeId}/releases/latest/hierarchies/${hierarchyIdOf(number % 4)}/products?page[limit]=5&page[offset]=${number % (PRODUCTS_PER_HIERARCHY - 5)}`
    const { status, text } = await client.send({ method: 'GET', path, headers: { authorization: `Bearer ${admin}` } })
    reads.count++
    reads.slowest = Math.max(reads.slowest, Date.now() - begun)
    if (status !== 200 || JSON.parse(text).data.length !== 5) reads.failed.push(`${status} ${text.slice(0, 200)}`)
    await pause(10)
  }
}

/** Adds one price after the other; a failure may be stored or not, and is tried no more. */
async function writeOn(server: Running, book: string, name: string, writes: Write[], ending: AbortSignal): Promise<void> {
  const mutation =
    'mutation ($input: AddProductPriceInput!) { addProductPrice(input: $input) { productPrice { sku } userErrors { message } } }'
  for (let number = 0; !ending.aborted; number++) {
    const sku = `${name}-${number}`
    const input = { priceBookId: book, sku, prices: [{ currency: 'USD', price: { amount: number } }] }
    const { data } = await server.gql(mutation, { input })
    const { productPrice, userErrors } = data?.addProductPrice ?? {}
    if (userErrors?.length > 0) throw new Error(userErrors[0].message)
    if (productPrice) writes.push({ sku, acknowledgedAt: Date.now() })
    await pause(productPrice ? 10 : 100)
  }
}

/** Listens to the book, and after each end of the stream again from where it was; calls `onListening` when a stream is open. */
async function listenOn(
  { base, admin }: Running,
  book: string,
  heard: Set<string>,
  onListening: () => void,
  ending: AbortSignal,
): Promise<void> {
  const query =
    'subscription ($book: ID!, $after: String) { productPriceChanged(priceBookId: $book, after: $after) { cursor productPrice { sku } } }'
  let after: string | null = null
  while (!ending.aborted) {
    const abort = new AbortController()
    try {
      const listener = await listen({ url: base, admin }, query, { variables: { book, after }, abort })
      onListening()
      for (let result = await listener.next(); result && !ending.aborted; result = await listener.next()) {
        const { cursor, productPrice } = result.data.productPriceChanged
        after = cursor
        if (productPrice) heard.add(productPrice.sku)
      }
    } catch {
      await pause(100)
    } finally {
      abort.abort()
    }
  }
}

async function storedSkus(server: Running, book: string): Promise<Set<string>> {
  const query = `query ($book: ID!, $after: String) { priceBook(id: $book) { prices(first: 100, after: $after) {
    nodes { sku } pageInfo { hasNextPage endCursor } } } }`
  const skus = new Set<string>()
  for (let after: string | null = null, isMore = true; isMore; ) {
    const { data } = await server.gql(query, { book, after })
    const { nodes, pageInfo } = data.priceBook.prices
    for (const { sku } of nodes) skus.add(sku)
    after = pageInfo.endCursor
    isMore = pageInfo.hasNextPage
  }
  return skus
}
