/**
 * `changesAt` under scheduled releases, compared with the prices that shoppers are shown at each instant, before and
 * after.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { restoreRelease } from '../../../src/operations/catalog/release-schedule.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { contextOf } from '../../support/price-books.ts'
import { randomEdit, randomFrom, randomStore } from '../../support/random-store.ts'
import { useServer } from '../../support/server.ts'
import { insertStore, type Store } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database)
const iso = (instant: number) => new Date(instant).toISOString()
const ctx = () => contextOf(server.services, server.now)

async function shopper(query: string) {
  const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, Math.floor(server.now / 1000) * 1000)
  const reply = await server.gql(query, {}, { token })
  expect(reply.errors).toBeUndefined()
  return reply.data
}

const price = `quantity amount { amount } includesTax list { amount { amount } includesTax } sale { name validFrom validTo } tier
  modifiers { name amount { amount } } priceBookKey changesAt`

type Prices = Map<string, { readonly changesAt: string | null } | null>

/** Every price of a page, by its place. */
function pricesIn(value: unknown, place: string, found: Prices = new Map()): Prices {
  if (Array.isArray(value)) for (const one of value) pricesIn(one, `${place}.${one.key ?? one.productKey}`, found)
  else if (typeof value === 'object' && value !== null) {
    if ('changesAt' in value) found.set(place, value as { changesAt: string | null })
    else for (const [name, member] of Object.entries(value)) pricesIn(member, `${place}.${name}`, found)
  }
  return found
}

/** A page with all prices of a catalog, and for each bundle those of a choice of the first option of each component. */
function pageOf(catalogId: string, { products }: Store): string {
  const ofBundle = (selection: string) => `bundleConfiguration${selection} { price(currency: "USD") { ${price} }
    componentProducts { productKey price(currency: "USD") { ${price} } } }`
  const chosen = products.flatMap(({ id, components }, index) => {
    const choices = Object.entries(components ?? {}).flatMap(([component, { options }]) =>
      options.slice(0, 1).map((option) => `{ component: "${component}", options: [{ productId: "${option.id}" }] }`),
    )
    return choices.length === 0
      ? []
      : [`chosen${index}: product(by: { id: "${id}" }) { ${ofBundle(`(selection: [${choices.join()}])`)} }`]
  })
  return `{ catalog(id: "${catalogId}") { latestRelease { ${chosen.join(' ')}
    products(first: 40) { nodes { key one: price(currency: "USD") { ${price} } some: price(currency: "EUR", quantity: 3) { ${price} }
      ${ofBundle('')} } } } } }`
}

const plain = (one: object | null | undefined) => one && { ...one, changesAt: null }

const BEGIN = Date.UTC(2026, 0, 1)
const step = fc.record({
  edits: fc.integer({ min: 0, max: 4 }),
  /** Milliseconds after the begin. */
  at: fc.integer({ min: 1, max: 14 }).map((half) => half * 500),
  restores: fc.boolean(),
})

describe('price.scheduled-release-counts-where-it-differs', () => {
  it('random prices under random schedules change at the first instant at which shoppers are shown another price', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(step, { minLength: 1, maxLength: 4 }), async (seed, steps) => {
        await reset(database)
        const random = randomFrom(seed)
        const store = randomStore(random)
        await insertStore(database, store)
        server.now = BEGIN - 1
        server.services.releases.invalidate()
        const [{ id: catalogId }] = store.catalogs as [Store['catalogs'][0]]
        const { id: first } = await publishRelease(ctx(), { catalogId })
        for (const { edits, at, restores } of steps) {
          for (let count = 0; count < edits; count++) await randomEdit(store, database, random)
          await (restores
            ? restoreRelease(ctx(), { releaseId: first, at: BEGIN + at })
            : publishRelease(ctx(), { catalogId, at: BEGIN + at }))
        }
        const bounds = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((second) => [second * 1000, second * 1000 + 500])
        const sales = (await database.pool.query('SELECT valid_from, valid_to FROM sale')).rows.flatMap(
          Object.values,
        ) as (Date | null)[]
        // Sales of earlier releases may be gone from the store: their ends are whole numbers of milliseconds, which the
        // pages tell.
        const instants = new Set([
          BEGIN - 1,
          ...bounds.map((bound) => BEGIN + bound),
          ...sales.flatMap((one) => one?.getTime() ?? []),
        ])
        const page = pageOf(catalogId, store)
        const pages: { at: number; prices: Prices }[] = []
        let queue = [...instants].filter((at) => at >= BEGIN - 1).sort((one, other) => one - other)
        for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
          server.now = at
          const prices = pricesIn((await shopper(page)).catalog, '')
          pages.push({ at, prices })
          const told = [...prices.values()].flatMap((one) => (one?.changesAt ? Date.parse(one.changesAt) : []))
          queue = [...new Set([...queue, ...told.filter((instant) => instant > (at as number))])].sort(
            (one, other) => one - other,
          )
        }
        for (const [index, { at, prices }] of pages.entries()) {
          for (const [place, shown] of prices) {
            const isOther = ({ prices: later }: (typeof pages)[0]) =>
              JSON.stringify(plain(later.get(place))) !== JSON.stringify(plain(shown))
            const change = pages.slice(index + 1).find(isOther)
            expect([at - BEGIN, place, shown?.changesAt]).toEqual([at - BEGIN, place, change ? iso(change.at) : null])
          }
        }
      }),
      runs(20),
    )
  })
})
