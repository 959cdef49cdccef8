/**
 * Crash test: kills the server with SIGKILL during writes and publishes, and the import in its middle. After each start
 * it compares what is stored with what was acknowledged: nothing acknowledged is lost, no write is partial, and every
 * start succeeds.
 */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { assertHierarchyListing } from '../support/contract-schema.ts'
import { shortLived } from '../support/start-command.ts'
import { jsonHeaders } from './http.ts'
import { type Running, startProgram, startServer, type Workspace } from './program.ts'

export interface CrashReport {
  readonly kills: number
  readonly acknowledged: {
    readonly prices: number
    readonly updates: number
    readonly releases: number
    readonly campaigns: number
  }
  readonly importKills: number
}

const WRITERS = 4
const ids = {
  book: randomUUID(),
  product: randomUUID(),
  hierarchy: randomUUID(),
  node: randomUUID(),
  catalog: randomUUID(),
  sold: randomUUID(),
}

/** What the writers have sent and what was acknowledged. The price of a SKU is its number, and it has two sales. */
class Journal {
  readonly tried = new Set<number>()
  readonly prices = new Set<number>()
  readonly releases = new Set<string>()
  next = 1
  updatesTried = 0
  updated = 0
  updates = 0
  campaign: Campaign = { state: 'none', next: null }
  campaigns = 0
  /** The calls that were acknowledged, or found written after a kill. */
  campaignsWritten = 0
}

/**
 * The sales of a campaign on CAMPAIGN_SKUS, all or nothing: as acknowledged, and as the last call leaves them while it
 * is not.
 */
interface Campaign {
  state: CampaignState
  next: CampaignState | null
}
type CampaignState = 'none' | 'running' | 'ended'
const CAMPAIGN_SKUS = Array.from({ length: 20 }, (_, n) => `CAMPAIGN-${n}`)
/** The mutation that follows a state, and the state that it leaves. */
const campaignSteps = {
  none: ['addSales', 'running'],
  running: ['endSales', 'ended'],
  ended: ['removeSales', 'none'],
} as const

const must = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`broken after a kill: ${what}`)
}

export async function crash(
  workspace: Workspace,
  kills: number,
  importKills: number,
  progress: (line: string) => void = () => {},
): Promise<CrashReport> {
  await importStore(workspace)
  const journal = new Journal()
  let server = await startServer(workspace, {}, 'main', shortLived)
  for (let kill = 1; kill <= kills; kill++) {
    const writing = write(server, journal)
    // Checked below, when the server has ended.
    writing.catch(() => undefined)
    await more(() => journal.prices.size, 1 + Math.floor(Math.random() * 10))
    // Prices are written faster than releases and campaigns, of which some must be acknowledged as well.
    if (kill % 2 === 0) await Promise.all([more(() => journal.releases.size, 1), more(() => journal.campaigns, 1)])
    await pause(Math.random() * 300)
    await server.kill()
    await writing
    server = await startServer(workspace, {}, 'main', shortLived)
    await verify(server, journal)
    progress(
      `kill ${kill}: ${journal.prices.size} prices, ${journal.updated} updates, ${journal.releases.size} releases stand`,
    )
  }
  await server.kill()
  await importKilled(workspace, importKills, progress)
  const { prices, updated, releases, campaigns } = journal
  return {
    kills,
    importKills,
    acknowledged: { prices: prices.size, updates: updated, releases: releases.size, campaigns },
  }
}

/** Waits for a number of further responses, also on a slow machine. */
async function more(acknowledged: () => number, count: number): Promise<void> {
  const wanted = acknowledged() + count
  const until = performance.now() + 60_000
  while (acknowledged() < wanted && performance.now() < until) await pause(10)
}

async function importStore(workspace: Workspace): Promise<void> {
  const currencies = { USD: { amount: 100, includes_tax: false } }
  const rows = [
    { type: 'pricebook', id: ids.book, attributes: { name: 'Crash' } },
    { type: 'subscription_product', id: ids.product, attributes: { name: 'Update 0' } },
    { type: 'product', id: ids.sold, attributes: { name: 'Sold', sku: 'SOLD', status: 'live' } },
    { type: 'product-price', pricebook_id: ids.book, attributes: { sku: 'SOLD', currencies } },
    ...CAMPAIGN_SKUS.map((sku) => ({ type: 'product-price', pricebook_id: ids.book, attributes: { sku, currencies } })),
    { type: 'hierarchy', id: ids.hierarchy, attributes: { name: 'All' } },
    {
      type: 'node',
      id: ids.node,
      attributes: { name: 'Node' },
      relationships: {
        parent: { data: { type: 'hierarchy', id: ids.hierarchy } },
        products: { data: [{ type: 'product', id: ids.sold }] },
      },
    },
    {
      type: 'catalog',
      id: ids.catalog,
      attributes: { name: 'Catalog', hierarchy_ids: [ids.hierarchy], pricebook_ids: [{ id: ids.book, priority: 1 }] },
    },
    { type: 'catalog-release', attributes: { catalog_id: ids.catalog } },
  ]
  await importRows(workspace, 'store.jsonl', rows)
}

async function importRows(
  workspace: Workspace,
  name: string,
  rows: readonly object[],
  options: readonly string[] = [],
): Promise<void> {
  const file = join(workspace.dataDir, '..', name)
  writeFileSync(file, rows.map((data) => JSON.stringify({ data })).join('\n'))
  const program = startProgram('import/main', [...options, file], workspace, {}, shortLived)
  const code = await program.exit
  if (code !== 0) throw new Error(`the import ended with ${code}: ${program.printed()}`)
}

/** Writes until the server has ended, and records every response and every attempt. */
async function write({ client, admin, gql }: Running, journal: Journal): Promise<void> {
  const headers = jsonHeaders(admin)
  const untilGone = async (step: () => Promise<void>): Promise<void> => {
    try {
      for (;;) await step()
    } catch (error) {
      if (!/ECONNRESET|ECONNREFUSED|socket hang up|ended early|EPIPE/.test(String(error))) throw error
    }
  }
  const addPrice = async (): Promise<void> => {
    const number = journal.next++
    journal.tried.add(number)
    const of = (amount: number) => ({ USD: { amount, includes_tax: false } })
    const sales = {
      first: { schedule: { valid_to: '2030-01-01T00:00:00Z' }, currencies: of(number + 1) },
      second: { schedule: { valid_from: '2031-01-01T00:00:00Z' }, currencies: of(number + 2) },
    }
    const body = JSON.stringify({
      data: { type: 'product-price', attributes: { sku: `SKU-${number}`, currencies: of(number), sales } },
    })
    const got = await client.send({ method: 'POST', path: `/pcm/pricebooks/${ids.book}/prices`, headers, body })
    if (got.status !== 201) throw new Error(`a price was refused: ${got.text}`)
    journal.prices.add(number)
  }
  const update = async (): Promise<void> => {
    const number = journal.updatesTried + 1
    journal.updatesTried = number
    const body = JSON.stringify({
      data: {
        id: ids.product,
        type: 'subscription_product',
        attributes: { name: `Update ${number}`, price: { USD: { amount: number } } },
      },
    })
    const got = await client.send({ method: 'PUT', path: `/v2/subscriptions/products/${ids.product}`, headers, body })
    if (got.status !== 200) throw new Error(`an update was refused: ${got.text}`)
    journal.updates = number
    journal.updated++
  }
  const publish = async (later = 0): Promise<void> => {
    const at = later === 0 ? null : new Date(Date.now() + later).toISOString()
    const { data } = await gql(
      'mutation($input: PublishReleaseInput!) { publishRelease(input: $input) { release { id } userErrors { message } } }',
      { input: { catalogId: ids.catalog, at } },
    )
    journal.releases.add(data.publishRelease.release.id)
    // With the embedded database, continuous publishes would leave no time for the other writers.
    await pause(Math.random() * 200)
  }
  const publishDraft = async (): Promise<void> => {
    const { data } = await gql('query($id: ID!) { catalog(id: $id) { draft { id status productCount } } }', {
      id: ids.catalog,
    })
    const { id, status, productCount } = data.catalog.draft
    must(status === 'DRAFT' && productCount === 1, `a draft is half there: ${status} with ${productCount} products`)
    const published = await gql(
      'mutation($input: PublishReleaseInput!) { publishRelease(input: $input) { release { id } userErrors { code } } }',
      { input: { catalogId: ids.catalog, fromDraft: id } },
    )
    const { release, userErrors } = published.data.publishRelease
    must(
      userErrors.length === 0 && release.id === id,
      `a draft that nothing changed is refused: ${JSON.stringify(userErrors)}`,
    )
    journal.releases.add(id)
    await pause(Math.random() * 500)
  }
  const restore = async (): Promise<void> => {
    const [releaseId] = [...journal.releases].slice(-3)
    if (releaseId === undefined) return publish()
    const { data } = await gql(
      'mutation($input: RestoreReleaseInput!) { restoreRelease(input: $input) { release { id } userErrors { code } } }',
      { input: { releaseId } },
    )
    const { release, userErrors } = data.restoreRelease
    const isLatest = userErrors[0]?.code === 'ACTION_REFUSED'
    must(
      release?.id === releaseId && (isLatest || userErrors.length === 0),
      `a restore is refused: ${JSON.stringify(userErrors)}`,
    )
    await pause(Math.random() * 200)
  }
  const campaign = async (): Promise<void> => {
    const [name, next] = campaignSteps[journal.campaign.state]
    journal.campaign.next = next
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
    const sale = name === 'addSales' && { change: { percentOff: 10 }, schedule: { validFrom: '2020-01-01T00:00:00Z' } }
    const { data } = await gql(
      `mutation($input: ${type}!) { ${name}(input: $input) { campaign { changedCount } userErrors { message } } }`,
      { input: { priceBookId: ids.book, name: 'Campaign', skus: CAMPAIGN_SKUS, ...sale } },
    )
    must(
      data[name].campaign?.changedCount === CAMPAIGN_SKUS.length,
      `${name} changes another number of prices: ${JSON.stringify(data)}`,
    )
    journal.campaign = { state: next, next: null }
    journal.campaigns++
    journal.campaignsWritten++
    await pause(Math.random() * 200)
  }
  const release = (): Promise<void> => {
    const chance = Math.random()
    if (chance < 0.4) return publish()
    if (chance < 0.5) return publish(3_000 + Math.random() * 1_000)
    return chance < 0.6 ? restore() : publishDraft()
  }
  const steps = [...Array.from({ length: WRITERS }, () => addPrice), update, release, campaign]
  await Promise.all(steps.map((step) => untilGone(step)))
}

interface Amounts {
  readonly prices: readonly { readonly amount: { readonly amount: number } | null }[]
}

interface StoredPrice extends Amounts {
  readonly sku: string
  readonly sales: readonly (Amounts & { readonly name: string })[]
}

/** Reads a book of any length by cursors, since offsets end at 10,000 (price-book.prices-oldest-first). */
async function* storedPrices({ gql }: Running): AsyncGenerator<StoredPrice> {
  const query = `query($id: ID!, $after: String) { priceBook(id: $id) { prices(first: 100, after: $after) {
    nodes { sku prices { amount { amount } } sales { name prices { amount { amount } } } } pageInfo { hasNextPage endCursor } } } }`
  for (let after: string | null = null; ; ) {
    const { data, errors } = await gql(query, { id: ids.book, after })
    must(errors === undefined, `prices can't be listed: ${JSON.stringify(errors)}`)
    const { nodes, pageInfo } = data.priceBook.prices
    yield* nodes
    if (!pageInfo.hasNextPage) return
    after = pageInfo.endCursor
  }
}

async function verify(server: Running, journal: Journal): Promise<void> {
  const { client, admin, gql } = server
  const headers = jsonHeaders(admin)
  const stored = new Set<number>()
  for await (const { sku, prices, sales } of storedPrices(server)) {
    const number = Number(/^SKU-(\d+)$/.exec(sku)?.[1])
    if (Number.isNaN(number)) continue
    const sold = sales.map((sale) => `${sale.name} ${sale.prices[0]?.amount?.amount}`)
    must(journal.tried.has(number), `a price ${number} that nobody wrote`)
    must(prices[0]?.amount?.amount === number, `the amount of ${sku}`)
    must(sold.sort().join() === `first ${number + 1},second ${number + 2}`, `the sales of ${sku}: ${sold}`)
    stored.add(number)
  }
  for (const number of journal.prices) must(stored.has(number), `the acknowledged price ${number} is lost`)
  await verifyCampaign(server, journal)

  const product = JSON.parse(
    (await client.send({ method: 'GET', path: `/v2/subscriptions/products/${ids.product}`, headers })).text,
  ).data.attributes
  const number = Number(product.name.replace('Update ', ''))
  must(
    number >= journal.updates && number <= journal.updatesTried,
    `the update ${journal.updates} is lost: ${product.name}`,
  )
  must(number === 0 || product.price.USD.amount === number, `the update ${number} is half there`)
  journal.updatesTried = number
  await verifyLog(server, stored, product, number)

  const { data } = await gql(
    'query($id: ID!) { catalog(id: $id) { releases(first: 100) { nodes { id status productCount } } } }',
    {
      id: ids.catalog,
    },
  )
  const releases: { id: string; status: string; productCount: number }[] = data.catalog.releases.nodes
  const kept = [...journal.releases].slice(-3)
  for (const id of kept)
    must(
      releases.some((one) => one.id === id && /^(PUBLISHED|SCHEDULED)$/.test(one.status) && one.productCount === 1),
      `the release ${id} is lost`,
    )
  await nothingPublishing(server)
  const listing = await client.send({
    method: 'GET',
    path: `/pcm/catalogs/${ids.catalog}/releases/latest/hierarchies/${ids.hierarchy}/products`,
    headers,
  })
  must(
    listing.status === 200 && JSON.parse(listing.text).data.length === 1,
    `the latest release can't be read: ${listing.text}`,
  )
  assertHierarchyListing(JSON.parse(listing.text))
}

/**
 * A campaign is there whole, or not at all, as the last acknowledged call left it, or the one after that, with one
 * entry of the change log for each price and call.
 */
async function verifyCampaign({ gql }: Running, journal: Journal): Promise<void> {
  const { campaign } = journal
  const query =
    'query($filter: SaleListFilter!) { sales(first: 100, filter: $filter) { nodes { schedule { validTo } } } }'
  const { data } = await gql(query, { filter: { priceBookId: ids.book, name: { eq: 'Campaign' } } })
  const ends: (string | null)[] = data.sales.nodes.map(
    ({ schedule }: { schedule: { validTo: string | null } }) => schedule.validTo,
  )
  must([0, CAMPAIGN_SKUS.length].includes(ends.length), `a campaign is half there: ${ends.length} sales`)
  const running = ends.filter((end) => end === null).length
  must([0, ends.length].includes(running), `a campaign has half ended: ${running} sales run`)
  const state = ends.length === 0 ? 'none' : running > 0 ? 'running' : 'ended'
  must(
    [campaign.state, campaign.next].includes(state),
    `the campaign is ${state}, not ${campaign.state} or ${campaign.next}`,
  )
  if (state !== campaign.state) journal.campaignsWritten++
  Object.assign(campaign, { state, next: null })

  const calls = Object.values(campaignSteps)
  const entries = (name: string) =>
    `${name}: history(first: ${CAMPAIGN_SKUS.length}, filter: { operation: "${name}" }) { totalCount nodes { recordId before after } }`
  const { data: log, errors } = await gql(`{ ${calls.map(([name]) => entries(name)).join(' ')} }`)
  must(errors === undefined, `the history can't be read: ${JSON.stringify(errors)}`)
  const total = calls.reduce((sum, [name]) => sum + log[name].totalCount, 0)
  must(
    total === journal.campaignsWritten * CAMPAIGN_SKUS.length,
    `${total} entries of ${journal.campaignsWritten} calls of campaigns`,
  )
  const last = calls.find(([, left]) => left === state)?.[0] as string
  const changed: { recordId: string; before: LoggedSales; after: LoggedSales }[] = log[last].nodes
  if (total > 0)
    must(
      new Set(changed.map(({ recordId }) => recordId)).size === CAMPAIGN_SKUS.length,
      `the last ${last} lacks entries`,
    )
  for (const { before, after } of changed) {
    const [from, to] = [before, after].map(
      ({ sales }) => sales.map(({ validTo }) => (validTo === null ? 'running' : 'ended')).join() || 'none',
    )
    must(
      to === state && campaignSteps[from as CampaignState]?.[0] === last,
      `an entry of ${last} leads from ${from} to ${to}`,
    )
  }
}

interface LoggedSales {
  readonly sales: readonly { readonly validTo: string | null }[]
}

/**
 * The change log has one entry for each stored price and each stored update, and its last states are those of the
 * records.
 */
async function verifyLog(
  { gql }: Running,
  prices: ReadonlySet<number>,
  product: { readonly name: string; readonly price?: unknown },
  updates: number,
): Promise<void> {
  const entries = (filter: string, first: number) =>
    `history(first: ${first}, filter: {${filter}}) { totalCount nodes { after } }`
  const { data, errors } = await gql(`{
    prices: ${entries('topic: PRODUCT_PRICE, operation: "addProductPrice"', 100)}
    updates: ${entries(`recordId: "${ids.product}", operation: "updateSubscriptionProduct"`, 1)} }`)
  must(errors === undefined, `the history can't be read: ${JSON.stringify(errors)}`)
  must(data.prices.totalCount === prices.size, `${data.prices.totalCount} entries of ${prices.size} prices`)
  must(data.updates.totalCount === updates, `${data.updates.totalCount} entries of ${updates} updates`)
  for (const { after } of data.prices.nodes) {
    const number = after.currencies.USD.amount
    must(
      prices.has(number) && after.sku === `SKU-${number}` && after.sales.length === 2,
      `the entry of ${after.sku} is not its price`,
    )
  }
  const [last] = data.updates.nodes
  if (!last) return
  const states = [last.after, product].map(({ name, price }) => JSON.stringify([name, price]))
  must(states[0] === states[1], `the last entry is not the record: ${states.join(' and ')}`)
}

/** A start marks a killed publish as failed soon after it listens; no other publish runs meanwhile. */
async function nothingPublishing({ gql }: Running): Promise<void> {
  const until = performance.now() + 60_000
  for (;;) {
    const { data } = await gql('query($id: ID!) { catalog(id: $id) { releases(first: 100) { nodes { status } } } }', {
      id: ids.catalog,
    })
    const running = data.catalog.releases.nodes.filter(({ status }: { status: string }) => status === 'PUBLISHING')
    if (running.length === 0) return
    must(performance.now() < until, 'a killed publish is still said to run')
    await pause(20)
  }
}

/**
 * A killed import whose objects all have keys reaches, when it is run again, the state of an uninterrupted one
 * (import.repeat-changes-nothing).
 */
async function importKilled(workspace: Workspace, kills: number, progress: (line: string) => void): Promise<void> {
  const books = Array.from({ length: kills }, () => randomUUID())
  for (const [index, book] of books.entries()) {
    const rows = [
      { type: 'pricebook', id: book, attributes: { name: `Import ${book}`, external_ref: book } },
      ...Array.from({ length: 2_000 }, (_, n) => ({
        type: 'product-price',
        pricebook_id: book,
        attributes: { sku: `I-${n}`, currencies: { USD: { amount: n, includes_tax: true } } },
      })),
      ...Array.from({ length: 100 }, (_, n) => ({
        type: 'product',
        attributes: { name: `Imported ${n}`, sku: `${book}-${n}`, external_ref: `${book}-${n}`, status: 'live' },
      })),
    ]
    const file = join(workspace.dataDir, '..', 'import.jsonl')
    writeFileSync(file, rows.map((data) => JSON.stringify({ data })).join('\n'))
    const program = startProgram('import/main', [file], workspace, {}, shortLived)
    await pause(400 + Math.random() * 2_500)
    program.child.kill('SIGKILL')
    const ended = await program.exit
    // Every other one goes on where it was; the others begin anew.
    await importRows(workspace, 'import.jsonl', rows, index % 2 === 0 ? ['--resume'] : [])
    progress(
      `import kill ${index + 1}: ${ended === null ? 'killed in its middle' : 'it had ended'}, the second run completed it`,
    )
  }
  const server = await startServer(workspace, {}, 'main', shortLived)
  for (const book of books) {
    const { data } = await server.gql(
      'query($id: ID!, $ref: String!) { priceBook(id: $id) { name prices { totalCount } } products(first: 1, filter: { sku: { eq: $ref } }) { nodes { name } } }',
      { id: book, ref: `${book}-99` },
    )
    must(
      data.priceBook.prices.totalCount === 2_000 && data.products.nodes[0]?.name === 'Imported 99',
      `an import that was killed: ${JSON.stringify(data)}`,
    )
  }
  await server.kill()
}
