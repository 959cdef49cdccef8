import { beforeEach, describe, expect, it } from 'vitest'
import type { ProductPrice, Sale } from '../../../src/domain/pricing/product-price.ts'
import { deleteProductPrice, productPrice, updateProductPrice } from '../../../src/operations/pricing/product-price.ts'
import { addSale, removeSale, sale, updateSale } from '../../../src/operations/pricing/sale.ts'
import type { Context } from '../../../src/request/context.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { resultOrViolations } from '../../support/result-or-violations.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const ABSENT = '0190a000-0000-7000-8000-00000000000a'
const CLIENTS = 50

const request = (later = 0, role: 'admin' | 'shopper' = 'admin'): Context =>
  contextOf(server.services, START + later, role)
const data = (attributes: object) => ({ data: { type: 'sale', attributes } })
const from = (day: number) => ({ schedule: { valid_from: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z` } })

let price: ProductPrice
const now = async (): Promise<ProductPrice> => (await productPrice(request(), { id: price.id })) as ProductPrice
const version = async () => (await database.prisma.productPrice.findUniqueOrThrow({ where: { id: price.id } })).version
const add = (attributes: object, later = 10): Promise<Sale> =>
  addSale(request(later), { productPriceId: price.id, ...data(attributes) })

beforeEach(async () => {
  await reset(database)
  const { id } = await makeBook(request(), 'Book')
  price = await makePrice(request(), id, 'A', { currencies: { USD: { amount: 100 } } })
})

describe('a sale that is added, changed and removed', () => {
  it('a sale that is added, changed and removed is stored, and raises the version and updated_at of its price each time (record.updated-at-rises)', async () => {
    const seen = [[await version(), price.updatedAt] as const]
    const see = async () => seen.push([await version(), (await now()).updatedAt])
    const added = await add({ name: 's', currencies: { USD: { amount: 90 } } })
    expect(added).toMatchObject({ productPriceId: price.id, name: 's', createdAt: START + 10, updatedAt: START + 10 })
    expect((await now()).sales).toEqual([added])
    await see()
    const updated = await updateSale(request(20), {
      id: added.id,
      ...data({ name: 't', ...from(1), currencies: { USD: null, EUR: { amount: 80 } } }),
    })
    expect(updated).toEqual({
      ...added,
      name: 't',
      validFrom: Date.UTC(2026, 0, 1),
      currencies: { EUR: { amount: 80, includes_tax: false } },
      updatedAt: START + 20,
    })
    expect((await now()).sales).toEqual([updated])
    expect(await sale(request(), { id: added.id.toUpperCase() })).toEqual(updated)
    await see()
    expect(await removeSale(request(30), { id: added.id })).toEqual(updated)
    expect((await now()).sales).toEqual([])
    expect(await sale(request(), { id: added.id })).toBeNull()
    await see()
    expect(seen.map(([, at]) => at - START)).toEqual([0, 10, 20, 30])
    for (const [index, [one]] of seen.entries())
      if (index > 0) expect(one).toBeGreaterThan(seen[index - 1]?.[0] as bigint)
  })

  it('a sale keeps its id when the sales of its price are replaced, and does not change other sales or the price', async () => {
    const one = await add({ name: 'one', ...from(1) })
    await add({ name: 'two', ...from(2) }, 20)
    const attributes = { sales: { one: from(3), two: from(2) } }
    await updateProductPrice(request(30), { id: price.id, data: { type: 'product-price', attributes } })
    const [changed, two] = (await now()).sales
    expect([changed?.id, changed?.updatedAt, two?.updatedAt]).toEqual([one.id, START + 30, START + 20])
    const last = await updateSale(request(40), { id: one.id, ...data(from(4)) })
    expect(await now()).toMatchObject({
      sku: 'A',
      currencies: price.currencies,
      sales: [last, two],
      createdAt: START,
      updatedAt: START + 40,
    })
  })

  it('patch.equal-values-write-nothing: an update of a sale writes nothing when nothing changes', async () => {
    const added = await add({ name: 's', ...from(1) })
    const before = await version()
    expect(await updateSale(request(20), { id: added.id, ...data({ name: 's', ...from(1) }) })).toEqual(added)
    expect(await version()).toBe(before)
  })

  it('a sale and a tier can not be called __proto__', async () => {
    const currencies = { USD: { amount: 1, tiers: JSON.parse('{"__proto__": {"minimum_quantity": 2, "amount": 1}}') } }
    await expect(add({ name: '__proto__', currencies })).rejects.toMatchObject({
      violations: [
        { code: 'INVALID_VALUE', path: ['attributes', 'name'] },
        { code: 'INVALID_VALUE', path: ['attributes', 'currencies', { key: 'USD' }, 'tiers', { key: '__proto__' }] },
      ],
    })
    expect((await now()).sales).toEqual([])
  })
})

describe('refused changes of sales, which write nothing', () => {
  let stored: Sale
  beforeEach(async () => {
    stored = await add({ name: 'one', ...from(1) })
  })

  it.each([
    [
      'what the sale itself breaks',
      { name: '', bundle_ids: 5 },
      ['validation', 'attributes.name TOO_SHORT', 'attributes.bundle_ids INVALID_TYPE'],
    ],
    [
      'sale.several-need-schedules: no schedule beside another sale',
      { name: 'two' },
      ['validation', 'attributes.schedule SALE_SCHEDULE_REQUIRED'],
    ],
    [
      'sale.schedules-differ: the schedule of another sale',
      { name: 'two', ...from(1) },
      ['validation', 'attributes.schedule SALE_SCHEDULE_DUPLICATE'],
    ],
    ['the name of another sale', { name: 'one', ...from(2) }, ['conflict', 'attributes.name NAME_TAKEN']],
  ])('an added sale is refused and nothing is written: %s', async (_, attributes, broken) => {
    const before = await now()
    expect(await resultOrViolations(add(attributes))).toEqual(broken)
    expect(await now()).toEqual(before)
  })

  it.each([
    [
      'sale.several-need-schedules: a schedule cleared beside another sale',
      { schedule: null },
      ['validation', 'attributes.schedule SALE_SCHEDULE_REQUIRED'],
    ],
    [
      'sale.schedules-differ: the schedule of another sale',
      from(2),
      ['validation', 'attributes.schedule SALE_SCHEDULE_DUPLICATE'],
    ],
    ['the name of another sale', { name: 'two' }, ['conflict', 'attributes.name NAME_TAKEN']],
    ['a null name', { name: null }, ['validation', 'attributes.name REQUIRED']],
  ])('a changed sale is refused and nothing is written: %s', async (_, attributes, broken) => {
    await add({ name: 'two', ...from(2) })
    const before = await now()
    expect(await resultOrViolations(updateSale(request(20), { id: stored.id, ...data(attributes) }))).toEqual(broken)
    expect(await now()).toEqual(before)
  })

  it('sale.several-need-schedules: the last remaining sale of a price may have no schedule', async () => {
    const two = await add({ name: 'two', ...from(2) })
    await removeSale(request(20), { id: two.id })
    expect(await updateSale(request(30), { id: stored.id, ...data({ schedule: null }) })).toMatchObject({
      validFrom: null,
      validTo: null,
    })
  })

  it('mutations of sales report unknown ids before violations of the data', async () => {
    for (const id of [ABSENT, 'x']) {
      expect(await resultOrViolations(updateSale(request(), { id, data: 5 }))).toEqual(['notFound', 'id NOT_FOUND'])
      expect(await resultOrViolations(removeSale(request(), { id }))).toEqual(['notFound', 'id NOT_FOUND'])
      expect(await resultOrViolations(addSale(request(), { productPriceId: id, data: 5 }))).toEqual([
        'notFound',
        'productPriceId NOT_FOUND',
      ])
      expect(await sale(request(), { id })).toBeNull()
    }
  })

  it('write.if-updated-at: a changed sale is refused with STALE and the current sale; changes of its siblings do not count', async () => {
    const two = await add({ name: 'two', ...from(2) }, 20)
    const moved = await updateSale(request(30), { id: stored.id, ...data(from(3)) }, { ifUpdatedAt: stored.updatedAt })
    const stale = { kind: 'conflict', violations: [{ code: 'STALE' }], current: moved }
    await expect(
      updateSale(request(40), { id: stored.id, ...data({}) }, { ifUpdatedAt: stored.updatedAt }),
    ).rejects.toMatchObject(stale)
    await expect(removeSale(request(40), { id: stored.id }, { ifUpdatedAt: stored.updatedAt })).rejects.toMatchObject(
      stale,
    )
    await removeSale(request(40), { id: two.id }, { ifUpdatedAt: two.updatedAt })
  })

  it('right.shoppers-see-published-and-own: mutations of sales are refused to shoppers', async () => {
    const shopper = request(0, 'shopper')
    for (const refused of [
      sale(shopper, { id: stored.id }),
      addSale(shopper, { productPriceId: price.id, data: 5 }),
      updateSale(shopper, { id: stored.id, data: 5 }),
      removeSale(shopper, { id: stored.id }),
    ]) {
      expect(await resultOrViolations(refused)).toEqual(['forbidden'])
    }
  })
})

describe('simultaneous writes of one price', () => {
  const all = <T>(work: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: CLIENTS }, (_, index) => resultOrViolations(work(index))))

  it('sale.schedules-differ: of 50 clients that add a sale with the same schedule one succeeds', async () => {
    const answers = await all((index) => add({ name: `s${index}`, ...from(1) }, index))
    expect(answers.filter((answer) => !Array.isArray(answer))).toHaveLength(1)
    expect(new Set(answers.filter(Array.isArray).map(String))).toEqual(
      new Set(['validation,attributes.schedule SALE_SCHEDULE_DUPLICATE']),
    )
    expect((await now()).sales).toHaveLength(1)
  })

  it('sale.schedules-differ: of 50 sales that are moved to the same schedule one succeeds', async () => {
    const sales: Sale[] = []
    for (let index = 0; index < 8; index++) sales.push(await add({ name: `s${index}`, ...from(index + 1) }))
    const answers = await all((index) => updateSale(request(20), { id: sales[index % 8]?.id ?? '', ...data(from(20)) }))
    const schedules = (await now()).sales.map(({ validFrom, validTo }) => `${validFrom} ${validTo}`)
    expect(new Set(schedules).size).toBe(8)
    const won = answers.filter((answer) => !Array.isArray(answer)) as Sale[]
    expect(new Set(won.map(({ id }) => id)).size).toBe(1)
  })

  it('sale.several-need-schedules: of 50 clients that add a sale without a schedule one succeeds', async () => {
    const answers = await all((index) => add({ name: `s${index}` }))
    expect(answers.filter((answer) => !Array.isArray(answer))).toHaveLength(1)
    expect((await now()).sales).toHaveLength(1)
  })

  it('a price obeys the rules after simultaneous removals, changes and additions of sales, and each change has its own updated_at', async () => {
    const sales = await Promise.all([1, 2, 3].map((day) => add({ name: `s${day}`, ...from(day) })))
    const answers = await all((index) => {
      const id = sales[index % 3]?.id ?? ''
      if (index % 5 === 0) return removeSale(request(), { id })
      return index % 2 === 0
        ? updateSale(request(), { id, ...data(from((index % 7) + 1)) })
        : add({ name: `n${index}`, ...from((index % 9) + 1) })
    })
    for (const answer of answers)
      if (Array.isArray(answer)) expect(answer[0]).toMatch(/^(validation|conflict|notFound)$/)
    const end = await now()
    expect(new Set(end.sales.map(({ validFrom }) => validFrom)).size).toBe(end.sales.length)
  })

  it('adding sales to a price that is being deleted is not found, never another failure, and leaves no sale', async () => {
    const [deleted, ...answers] = await Promise.all([
      resultOrViolations(deleteProductPrice(request(), { id: price.id })),
      ...Array.from({ length: 10 }, (_, index) => resultOrViolations(add({ name: `s${index}`, ...from(index + 1) }))),
    ])
    expect(deleted).toMatchObject({ sku: 'A' })
    for (const answer of answers)
      if (Array.isArray(answer)) expect(answer).toEqual(['notFound', 'productPriceId NOT_FOUND'])
    expect(await database.prisma.sale.count()).toBe(0)
  })
})
