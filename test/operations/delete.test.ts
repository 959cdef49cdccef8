import { beforeEach, describe, expect, it } from 'vitest'
import { createCatalog, deleteCatalog, updateCatalog } from '../../src/operations/catalog/catalog.ts'
import { deletePriceBook, priceBook } from '../../src/operations/pricing/price-book.ts'
import {
  addProductPrice,
  deleteProductPrice,
  productPrice,
  updateProductPrice,
} from '../../src/operations/pricing/product-price.ts'
import {
  createOffering,
  deleteOffering,
  offering,
  updateOffering,
} from '../../src/operations/subscriptions/offering.ts'
import { deletePlan, plan, updatePlan } from '../../src/operations/subscriptions/plan.ts'
import { subscription } from '../../src/operations/subscriptions/subscription.ts'
import {
  deleteSubscriptionProduct,
  subscriptionProduct,
} from '../../src/operations/subscriptions/subscription-product.ts'
import type { Context } from '../../src/request/context.ts'
import { reset, useDatabase } from '../support/database.ts'
import { makeBook, makePrice, storedPrices } from '../support/price-books.ts'
import { resultOrViolations } from '../support/result-or-violations.ts'
import { START, useServer } from '../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct, makeSubscription } from '../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const request = (later = 0): Context => contextAs(server.services, START + later)
const shopper = (): Context => contextAs(server.services, START, idOf('account', 1))

const ids = { product: idOf('product', 1), plan: idOf('plan', 1), offering: idOf('offering', 1), book: '', price: '' }
const catalog = (name: string, books: readonly string[]) => ({
  data: {
    type: 'catalog',
    attributes: { name, hierarchy_ids: [], pricebook_ids: books.map((id) => ({ id, priority: 1 })) },
  },
})

beforeEach(async () => {
  await reset(database)
  await makeProduct({ services: server.services, now: START }, ids.product)
  await makePlan(request(), ids.plan)
  await makeOffering(request(), ids.offering, {})
  ids.book = (await makeBook(request(), 'Book')).id
  ids.price = (await makePrice(request(), ids.book, 'A', { sales: { s: {} } })).id
})

type Options = { ifUpdatedAt?: number }

/** Each kind of record: its deletion, and how it is read. */
const kinds: readonly (readonly [
  kind: string,
  remove: (ctx: Context, id: string, options?: Options) => Promise<object>,
  read: (ctx: Context, input: { id: string }) => Promise<object | null>,
  id: () => string,
])[] = [
  ['a price book', (ctx, id, options) => deletePriceBook(ctx, { id }, options), priceBook, () => ids.book],
  ['a product price', (ctx, id, options) => deleteProductPrice(ctx, { id }, options), productPrice, () => ids.price],
  [
    'a subscription product',
    (ctx, id, options) => deleteSubscriptionProduct(ctx, { id }, options),
    subscriptionProduct,
    () => ids.product,
  ],
  ['a plan', (ctx, id, options) => deletePlan(ctx, { id }, options), plan, () => ids.plan],
  ['an offering', (ctx, id, options) => deleteOffering(ctx, { id }, options), offering, () => ids.offering],
]

describe.each(kinds)('deleting %s that nothing refers to', (_, remove, read, id) => {
  it('a deletion of what nothing refers to deletes the record and returns it', async () => {
    const stored = await read(request(), { id: id() })
    expect(await remove(request(), id())).toMatchObject({ ...stored })
    expect(await read(request(), { id: id() })).toBeNull()
    expect(await resultOrViolations(remove(request(), id()))).toEqual(['notFound', 'id NOT_FOUND'])
  })

  it('write.if-updated-at: a deletion is refused with STALE and the current record when the record has changed since', async () => {
    const stored = await read(request(), { id: id() })
    const refused = remove(request(), id(), { ifUpdatedAt: START - 1 })
    await expect(refused).rejects.toMatchObject({
      kind: 'conflict',
      violations: [{ code: 'STALE' }],
      current: { ...stored },
    })
    expect(await read(request(), { id: id() })).toEqual(stored)
    await remove(request(), id(), { ifUpdatedAt: START })
    expect(await read(request(), { id: id() })).toBeNull()
  })

  it('a deletion succeeds for one of 20 simultaneous calls; the others find nothing', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => resultOrViolations(remove(request(), id()))))
    expect(answers.filter((answer) => !Array.isArray(answer))).toHaveLength(1)
    for (const answer of answers) if (Array.isArray(answer)) expect(answer).toEqual(['notFound', 'id NOT_FOUND'])
  })

  it('right.shoppers-see-published-and-own: a deletion is forbidden to shoppers', async () => {
    expect(await resultOrViolations(remove(shopper(), id()))).toEqual(['forbidden'])
    expect(await read(request(), { id: id() })).not.toBeNull()
  })
})

describe('deleting a record that others refer to (IN_USE)', () => {
  const message = async (work: Promise<unknown>): Promise<unknown> => {
    const failure = await work.then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect([failure.kind, failure.violations[0].code, failure.violations[0].path]).toEqual([
      'conflict',
      'IN_USE',
      ['id'],
    ])
    return failure.violations[0].message
  }

  it('a deletion of a price book in use counts the catalogs that use it, and names the first three', async () => {
    const made = []
    for (const name of ['D', 'C', 'A', 'B']) {
      made.push(await createCatalog(request(), catalog(name, [ids.book])))
      if (name === 'D')
        expect(await message(deletePriceBook(request(), { id: ids.book }))).toBe('is still used by 1 catalog ("D")')
    }
    expect(await message(deletePriceBook(request(), { id: ids.book }))).toBe(
      'is still used by 4 catalogs ("A", "B", "C", ...)',
    )
    expect(await storedPrices(server.services)).toHaveLength(1)
    for (const { id } of made) await deleteCatalog(request(), { id })
    await deletePriceBook(request(), { id: ids.book })
    expect(await storedPrices(server.services)).toEqual([])
  })

  it('a deletion of a plan or subscription product in use names the offerings that have it', async () => {
    await makeOffering(request(), idOf('offering', 2), { name: 'Journal', plans: [ids.plan], products: [ids.product] })
    expect(await message(deletePlan(request(), { id: ids.plan }))).toBe('is still used by 1 offering ("Journal")')
    expect(await message(deleteSubscriptionProduct(request(), { id: ids.product }))).toBe(
      'is still used by 1 offering ("Journal")',
    )
    const relationships = { plans: { data: [] }, products: { data: [] } }
    await updateOffering(request(), {
      id: idOf('offering', 2),
      data: { type: 'subscription_offering', attributes: {}, relationships },
    })
    await deletePlan(request(), { id: ids.plan })
    await deleteSubscriptionProduct(request(), { id: ids.product })
  })

  it('subscription.keeps-its-copies: a deletion of an offering is never refused; products, plans and subscriptions stay', async () => {
    await makeOffering(request(), idOf('offering', 2), { plans: [ids.plan], products: [ids.product] })
    const made = await makeSubscription(request(), { offering_id: idOf('offering', 2) })
    const deleted = await deleteOffering(request(), { id: idOf('offering', 2) })
    expect(deleted).toMatchObject({ planIds: [ids.plan], productIds: [ids.product] })
    await deletePlan(request(), { id: ids.plan })
    expect(await subscription(request(), { id: made.id })).toEqual(made)
    expect(await subscriptionProduct(request(), { id: ids.product })).not.toBeNull()
  })
})

describe('a deletion beside a simultaneous write that refers to the record: one of the two is refused, and none fails', () => {
  const allowed = ['notFound', 'validation', 'conflict']
  const settle = async (work: readonly Promise<unknown>[]) => {
    const answers = await Promise.all(work.map(resultOrViolations))
    for (const answer of answers) if (Array.isArray(answer)) expect(allowed).toContain(answer[0])
    return answers
  }
  const times = Array.from({ length: 8 }, (_, index) => index)

  it('of the deletion of a price book and a catalog that lists it at the same time one is refused, and none fails', async () => {
    const empty = await createCatalog(request(), catalog('empty', []))
    const [deleted] = await settle([
      deletePriceBook(request(), { id: ids.book }),
      ...times.map((index) => createCatalog(request(), catalog(`C${index}`, [ids.book]))),
      updateCatalog(request(), { id: empty.id, ...catalog('empty', [ids.book]) }),
    ])
    const used = await database.prisma.catalogPriceBook.count()
    expect(used > 0).toBe(Array.isArray(deleted))
  })

  it('of the deletion of a price book and a new price at the same time one is refused, and none fails', async () => {
    await settle([
      ...times.map((index) =>
        addProductPrice(request(), {
          priceBookId: ids.book,
          data: { type: 'product-price', attributes: { sku: `S${index}`, currencies: {} } },
        }),
      ),
      deletePriceBook(request(), { id: ids.book }),
      ...times.map((index) =>
        updateProductPrice(request(index), {
          id: ids.price,
          data: { type: 'product-price', attributes: { external_ref: `r${index}` } },
        }),
      ),
    ])
    expect(await storedPrices(server.services)).toEqual([])
  })

  it('of the deletion of a plan or product and an offering that lists it at the same time one is refused, and none fails', async () => {
    const relationships = { plans: { data: [ids.plan] }, products: { data: [ids.product] } }
    const data = { type: 'subscription_offering', attributes: { name: 'Journal' }, relationships }
    const [planGone, productGone] = await settle([
      deletePlan(request(), { id: ids.plan }),
      deleteSubscriptionProduct(request(), { id: ids.product }),
      ...times.map(() => createOffering(request(), { data })),
      updateOffering(request(), { id: ids.offering, data }),
      updatePlan(request(10), { id: ids.plan, data: { type: 'subscription_plan', attributes: { name: 'Other' } } }),
    ])
    expect((await database.prisma.offeringPlan.count()) > 0 && !Array.isArray(planGone)).toBe(false)
    expect((await database.prisma.offeringProduct.count()) > 0 && !Array.isArray(productGone)).toBe(false)
  })

  it('of the deletion of an offering and a new subscription at the same time one is refused, and none fails', async () => {
    await makeOffering(request(), idOf('offering', 2), { plans: [ids.plan], products: [ids.product] })
    const answers = await settle([
      ...times.map(() => makeSubscription(request(), { offering_id: idOf('offering', 2) })),
      deleteOffering(request(), { id: idOf('offering', 2) }),
      ...times.map(() => makeSubscription(request(), { offering_id: idOf('offering', 2) })),
    ])
    const made = answers.filter((answer) => !Array.isArray(answer)).length - 1
    expect(await database.prisma.subscription.count()).toBe(made)
    expect(await offering(request(), { id: idOf('offering', 2) })).toBeNull()
  })
})
