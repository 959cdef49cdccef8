/**
 * sale.reported-when-it-supplies, price.original-exceeds-the-amount: CatalogPrice.originalAmount, compared with a
 * brute-force oracle over random products.
 */
import fc from 'fast-check'
import type { GraphQLObjectType, GraphQLResolveInfo } from 'graphql'
import { expect, test } from 'vitest'
import { Release } from '../../../src/domain/catalog/release.ts'
import type { ReleaseDocument } from '../../../src/domain/catalog/release-document.ts'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import type { ReleasePricing } from '../../../src/domain/pricing/price-record.ts'
import { resolveCatalogPrice } from '../../../src/graphql/catalog/resolve-catalog-price.ts'
import type { Money } from '../../../src/graphql/pricing/money.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { type Context, noShopperHeaders } from '../../../src/request/context.ts'
import { RequestWork } from '../../../src/request/request-work.ts'
import { CachePolicy } from '../../../src/response-cache/cache-policy.ts'
import { runs } from '../../support/effort.ts'
import {
  bundleId,
  bundleProduct,
  childProduct,
  currencies,
  instant,
  plainProduct,
  quantity,
} from '../../support/price-arbitraries.ts'
import { oraclePrice } from '../../support/price-oracle.ts'

const release = new Release(
  'release',
  'catalog',
  1,
  0,
  { name: '', description: null, locales: null },
  [],
  [],
  new Map(),
)
const field = (schema.getType('CatalogPrice') as GraphQLObjectType).getFields().originalAmount

interface Query {
  readonly now: number
  readonly currency: string
  readonly quantity: number
  readonly bundleId: string | null
}

/** The original amount, and the instant until which a response with it is cached. */
async function resolveOriginal(product: ReleasePricing, query: Query): Promise<[amount: number | null, until: number]> {
  const cachePolicy = new CachePolicy()
  const ctx: unknown = {
    now: query.now,
    work: new RequestWork(),
    memo: new Map(),
    cachePolicy,
    viewer: { role: 'shopper' },
    shopperHeaders: noShopperHeaders,
  }
  const priceable = compileProduct(product)
  const document = { priceable } as ReleaseDocument
  const subject = { release, isLatest: false, document, priceable, selection: null, bundleId: query.bundleId }
  const price = await resolveCatalogPrice(
    subject,
    { currency: query.currency, quantity: query.quantity },
    ctx as Context,
  )
  const money = price && (field?.resolve?.(price, {}, ctx, {} as GraphQLResolveInfo) as Money | null)
  return [money?.amount ?? null, cachePolicy.expiresAt]
}

function expectedOriginal(
  product: ReleasePricing,
  { now, quantity, bundleId: bundle, currency: shown }: Query,
): number | null {
  const priceIn = (currency: string) => oraclePrice(product, { now, quantity, bundle, currency, selection: null })
  const price = priceIn(shown)
  // A bundle without a price record reports no sale.
  const isShown = currencies.some((currency) => priceIn(currency)?.sale != null)
  return isShown && price?.list && price.list.amount > price.amount ? price.list.amount : null
}

/** Each instant at which a random sale may begin or end, and the millisecond before. */
const turns = Array.from({ length: 11 }, (_, step) => [(step - 1) * 1000 - 1, (step - 1) * 1000]).flat()

const query = fc.record({ now: instant, currency: fc.constantFrom(...currencies), quantity, bundleId })

test.each([
  ['a product with a price record', plainProduct('p1')],
  ['a child with modifiers', childProduct('p1')],
  ['a bundle', bundleProduct],
])(
  'price.original-exceeds-the-amount: the original amount of %s is the list amount above the price while a sale supplies any currency, and stays until the response ends',
  async (_, product) => {
    await fc.assert(
      fc.asyncProperty(product, query, async (item, given) => {
        const expected = expectedOriginal(item, given)
        const [amount, until] = await resolveOriginal(item, given)
        expect(amount).toBe(expected)
        expect(until).toBeGreaterThan(given.now)
        const meanwhile = turns.filter((now) => given.now < now && now < until)
        expect(meanwhile.filter((now) => expectedOriginal(item, { ...given, now }) !== expected)).toEqual([])
      }),
      runs(800),
    )
  },
)
