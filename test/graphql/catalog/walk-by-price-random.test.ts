/**
 * Walks in the order of the price, the name or the relevance, while the store is edited and published and sales begin
 * and end between their pages, on two servers.
 */
import { expect, it } from 'vitest'
import { groupBy } from '../../../src/lib/group-by.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { times } from '../../support/effort.ts'
import { amountOf, boundaries, inPriceOrder, type PricedProduct } from '../../support/price-order.ts'
import { publish, publishStore } from '../../support/published.ts'
import { randomEdit, randomFrom, randomStore } from '../../support/random-store.ts'
import { manualClock, type TestServer, useServer } from '../../support/server.ts'

const RELEASES_KEPT = 4
const database = useDatabase()
const clocks = [manualClock(), manualClock()] as const
const servers = clocks.map((elapsed) => useServer(database, { config: { releasesKept: RELEASES_KEPT }, elapsed }))

interface Listed extends PricedProduct {
  readonly name: string
  readonly parent: { readonly key: string } | null
}

interface Page {
  readonly totalCount: number
  readonly nodes: readonly Listed[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string
    readonly endCursor: string
  }
}

/** The text of a search, and the names that it finds. */
interface Search {
  readonly text: string
  readonly finds: RegExp
}

const shirts = /shirt/i
const searches: readonly Search[] = [
  { text: 'shirts', finds: shirts },
  { text: 'shrit', finds: shirts },
  { text: 'lnien', finds: /linen/i },
]
const titles = ['Shirt', 'Linen shirt', 'Shirts', 'Mug', 'Linen mug', 'Bag']

/** What a walk asks for. */
interface Question {
  readonly catalog: string
  readonly currency: string
  readonly field: 'PRICE' | 'NAME' | 'RELEVANCE'
  readonly sign: 1 | -1
  readonly search: Search | null
  readonly narrowed: 'all' | 'onSale' | 'range' | 'named' | 'grouped'
  readonly backward: boolean
  readonly size: number
}

const narrowings = {
  all: '',
  onSale: 'onSale: true',
  range: 'price: { min: 100, max: 700 }',
  named: 'name: { contains: "ug" }',
  grouped: '',
} as const

const fields =
  'totalCount nodes { key name parent { key } price { amount { amount } sale { name } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
const keysOf = (nodes: readonly Listed[]): string[] => nodes.map(({ key }) => key)

/** A list of the release `of`, or the code of the refusal. */
async function list(
  server: TestServer,
  { catalog, currency }: Question,
  of: string,
  args: string,
): Promise<Page | string> {
  const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
  const query = `{ catalog(id: "${catalog}") { ${of} { products(${args}) { ${fields} } } } }`
  const { data, errors } = await server.gql(query, {}, { token, headers: { 'x-moltin-currency': currency } })
  return errors ? errors[0].extensions.code : data.catalog[of.split('(')[0] as string].products
}

/** The arguments of the list, without those of the page. */
function argsOf({ field, sign, search, narrowed }: Question): string {
  const filter = `${narrowings[narrowed]} ${search === null ? '' : `search: "${search.text}"`}`
  return `orderBy: { field: ${field}, direction: ${sign === 1 ? 'ASC' : 'DESC'} } filter: { ${filter} } groupVariants: ${narrowed === 'grouped'}`
}

/** All products of a release with their prices of the present instant, in the default order or as the arguments say. */
async function allOf(server: TestServer, question: Question, of: string, args = ''): Promise<readonly Listed[]> {
  const page = await list(server, question, of, `first: 100 ${args}`)
  if (typeof page === 'string') throw new Error(`the release is refused: ${page}`)
  return page.nodes
}

/** What the walk has to list, worked out from the products. */
function expected(
  { field, sign, search, narrowed }: Question,
  all: readonly Listed[],
  byRelevance: readonly string[],
): string[] {
  const holds: Record<Question['narrowed'], (one: Listed) => boolean> = {
    all: () => true,
    grouped: () => true,
    onSale: ({ price }) => price?.sale != null,
    named: ({ name }) => name.includes('ug'),
    range: (one) => (amountOf(one) ?? 0) >= 100 && (amountOf(one) ?? 1000) <= 700,
  }
  const found = all.filter((one) => holds[narrowed](one) && (search?.finds.test(one.name) ?? true))
  if (narrowed === 'grouped' && field === 'PRICE') return groupsByPrice(found, sign)
  const sorted = {
    PRICE: () => inPriceOrder(found, sign),
    NAME: () =>
      found.toSorted((left, right) => sign * left.name.toLowerCase().localeCompare(right.name.toLowerCase(), 'en')),
    RELEVANCE: () => found.toSorted((left, right) => byRelevance.indexOf(left.key) - byRelevance.indexOf(right.key)),
  }[field]()
  return narrowed === 'grouped' ? [...new Set(sorted.map(({ key, parent }) => parent?.key ?? key))] : keysOf(sorted)
}

/** The groups by the lowest price of each, equal ones by the first of each in the default order. */
function groupsByPrice(found: readonly Listed[], sign: 1 | -1): string[] {
  const groups = groupBy(found, ({ key, parent }) => parent?.key ?? key)
  const cheapest = [...groups].map(([key, all]) => ({ price: inPriceOrder(all, 1)[0]?.price ?? null, key }))
  return inPriceOrder(cheapest, sign).map(({ key }) => key)
}

/** One walk; `step` asks for the next page. */
class Walk {
  private readonly args: string
  private cursor: string | null = null
  private expected: readonly string[] = []
  private byRelevance: readonly string[] = []
  readonly seen: string[] = []
  /** Whether the expected order is no more that of the release at the present instant. */
  hasMoved = false
  publishes = 0
  status: 'walking' | 'complete' | 'expired' = 'walking'

  constructor(
    readonly question: Question,
    private readonly where: string,
  ) {
    this.args = argsOf(question)
  }

  async step(server: TestServer): Promise<void> {
    const { question, where } = this
    const { backward, size } = question
    const from = this.cursor === null ? '' : `${backward ? 'before' : 'after'}: "${this.cursor}"`
    const page = await list(
      server,
      question,
      'latestRelease',
      `${this.args} ${backward ? 'last' : 'first'}: ${size} ${from}`,
    )
    if (typeof page === 'string') {
      expect([page, this.publishes >= RELEASES_KEPT], where).toEqual(['CURSOR_EXPIRED', true])
      this.status = 'expired'
      return
    }
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo
    const isFirst = this.cursor === null
    if (isFirst || page.nodes.length > 0) {
      // Only an empty list has no cursor; it is of the latest release.
      const of =
        page.nodes.length > 0
          ? `release(id: "${JSON.parse(Buffer.from(endCursor, 'base64url').toString('utf8'))[0]}")`
          : 'latestRelease'
      const all = await allOf(server, question, of)
      if (isFirst && question.field === 'RELEVANCE') {
        this.byRelevance = keysOf(await allOf(server, question, of, argsOf({ ...question, narrowed: 'all' })))
      }
      const now = expected(question, all, this.byRelevance)
      if (isFirst) this.expected = now
      else this.hasMoved ||= now.join() !== this.expected.join()
      const prices = new Map(all.map((one) => [one.key, one.price]))
      for (const one of page.nodes) expect(one.price, where).toEqual(prices.get(one.key))
    }
    expect(page.totalCount, where).toBe(this.expected.length)
    if (backward) this.seen.unshift(...keysOf(page.nodes))
    else this.seen.push(...keysOf(page.nodes))
    this.cursor = backward ? startCursor : endCursor
    if (backward ? hasPreviousPage : hasNextPage) return
    this.status = 'complete'
    expect(this.seen, where).toEqual(this.expected)
  }

  /** What was seen of a walk that ended early is the beginning of the whole, or its end. */
  checkSeen(): void {
    const { backward } = this.question
    const part = backward
      ? this.expected.slice(this.expected.length - this.seen.length)
      : this.expected.slice(0, this.seen.length)
    expect(this.seen, this.where).toEqual(part)
  }
}

it("list.walk-keeps-release-and-instant: a walk lists each product of the first page's release once, in the order of that instant's prices, or of its names or matches, and each page shows the prices of its own instant", async () => {
  const ended = { complete: 0, expired: 0, moved: 0, searched: 0 }
  const wanted = times(5)
  for (let seed = 1; ended.moved < wanted; seed++) {
    const random = randomFrom(seed)
    const store = randomStore(random)
    const instants = boundaries(store)
    // Few products, or few sales, make walks of one page, which nothing happens between.
    const listed = store.products.filter(
      ({ id, status }) => status === 'live' && store.attachments.some((one) => one.product_id === id),
    )
    if (listed.length < 7 || instants.length < 6) continue
    await reset(database)
    for (const { services } of servers) services.releases.invalidate()
    const { below, chance, pick } = random
    for (const product of store.products) product.name = pick(titles)
    let now = 0
    const goTo = (instant: number): void => {
      now = instant
      for (const server of servers) server.now = now
    }
    goTo((instants[0] ?? 0) - 1)
    await publishStore(servers[0] as TestServer, store)
    const { id: catalog } = pick(store.catalogs)
    const walks = Array.from({ length: 10 }, (_, at) => {
      const field = pick(at < 7 ? (['PRICE'] as const) : (['NAME', 'RELEVANCE'] as const))
      const search = field === 'RELEVANCE' || chance(25) ? pick(searches) : null
      const narrowed = pick(['all', 'all', 'onSale', 'range', 'named', 'grouped'] as const)
      const common = {
        catalog,
        currency: pick(['USD', 'EUR', 'GBP']),
        field,
        search,
        sign: pick([1, -1] as const),
        narrowed,
      }
      return new Walk(
        { ...common, backward: chance(30), size: 1 + below(2) },
        `seed ${seed}, walk ${at} ${JSON.stringify(common)}`,
      )
    })
    goTo(instants[below(4)] as number)
    let later = instants
    while (walks.some(({ status }) => status === 'walking')) {
      for (const walk of walks)
        if (walk.status === 'walking' && (walk.seen.length === 0 || chance(70))) await walk.step(pick(servers))
      later = later.filter((instant) => instant >= now)
      goTo(later[below(3)] ?? now + 1)
      if (!chance(40)) continue
      for (let edits = below(4); edits >= 0; edits--) await randomEdit(store, database, random)
      // Words come and go with all products that have them.
      if (chance(40))
        await database.pool.query('UPDATE product SET name = $1 WHERE name ILIKE $2', [
          pick(titles),
          pick(['%shirt%', '%mug%']),
        ])
      await publish(pick(servers), catalog)
      // A server that did not publish learns of it within a second: before some pages, and after others.
      for (const clock of clocks) if (chance(50)) clock.ahead += 1_001
      for (const walk of walks) walk.publishes++
    }
    for (const walk of walks) {
      walk.checkSeen()
      if (walk.status === 'complete' && walk.publishes > 0 && walk.question.search && walk.seen.length > 1)
        ended.searched++
      if (walk.status === 'expired') ended.expired++
      else ended.complete++
      if (walk.hasMoved) ended.moved++
    }
  }
  expect(ended.complete).toBeGreaterThan(ended.expired)
  expect(ended.searched).toBeGreaterThan(wanted / 2)
})
