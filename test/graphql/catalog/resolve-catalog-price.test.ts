/**
 * list.true-until-next-change, bundle.price-may-come-and-go: an response with a price in it ends when the price
 * changes, or when one comes where there is none.
 */
import { expect, it } from 'vitest'
import { Release } from '../../../src/domain/catalog/release.ts'
import type { ReleaseDocument } from '../../../src/domain/catalog/release-document.ts'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { resolveAllPrices, resolveCatalogPrice } from '../../../src/graphql/catalog/resolve-catalog-price.ts'
import { type Context, noShopperHeaders } from '../../../src/request/context.ts'
import { RequestWork } from '../../../src/request/request-work.ts'
import { CachePolicy } from '../../../src/response-cache/cache-policy.ts'
import { at, bundle, gross, priceRecord, product, sale, usd } from '../../support/price-builders.ts'

const march = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const
const becomesGross = product(priceRecord(usd(100), [sale('s', ...march, { USD: gross(90) })]), 'a')
/** Net and gross make no sum (bundle.options-agree-on-tax), so that it has a price in March alone. */
const priceable = compileProduct(bundle([becomesGross, product(priceRecord({ USD: gross(50) }), 'b')]))
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
const subject = {
  release,
  isLatest: false,
  document: { priceable } as ReleaseDocument,
  priceable,
  selection: null,
  bundleId: null,
}

async function resolveAt(now: string, ask: (ctx: Context) => unknown): Promise<[response: unknown, until: number]> {
  const cachePolicy = new CachePolicy()
  const ctx: unknown = {
    now: at(now),
    work: new RequestWork(),
    memo: new Map(),
    cachePolicy,
    viewer: { role: 'shopper' },
    shopperHeaders: noShopperHeaders,
    config: { defaultCurrency: 'USD' },
  }
  return [await ask(ctx as Context), cachePolicy.expiresAt]
}

it.each([
  ['price', async (ctx: Context) => (await resolveCatalogPrice(subject, {}, ctx))?.amount.amount ?? null, 140],
  [
    'prices',
    async (ctx: Context) => (await resolveAllPrices(subject, {}, ctx)).map(({ amount }) => amount.amount)[0] ?? null,
    140,
  ],
])('the %s of a product in a response hold until the next bound of its sale', async (_, ask, amount) => {
  expect(await resolveAt('2026-02-15T00:00:00Z', ask)).toEqual([null, at(march[0])])
  expect(await resolveAt(march[0], ask)).toEqual([amount, at(march[1])])
  expect(await resolveAt(march[1], ask)).toEqual([null, Number.POSITIVE_INFINITY])
  expect(await resolveAt('2026-02-15T00:00:00Z', ask)).toEqual([null, at(march[0])])
})
