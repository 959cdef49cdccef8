import { beforeEach, describe, expect, it } from 'vitest'
import { reset, useDatabase } from '../support/database.ts'
import { mutate } from '../support/mutations.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { START, startTestServer, useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const monthly = { billingIntervalType: 'MONTH', billingFrequency: 1, trialPeriod: 0, planLength: 12, endBehavior: 'CLOSE' }
const plan = { name: 'Monthly', ...monthly, canPause: true, canResume: true, canCancel: true }
let book = ''
let price = ''

interface Create {
  readonly name: string
  /** The payload's field, and what is selected of it. */
  readonly selected: string
  readonly input: (name: string) => object
  /** How many records there are. */
  readonly count: () => Promise<number>
}

const creates: readonly Create[] = [
  {
    name: 'createPriceBook',
    selected: 'priceBook { id name createdAt }',
    input: (name) => ({ name }),
    count: async () => (await database.prisma.priceBook.count()) - 1,
  },
  {
    name: 'addProductPrice',
    selected: 'productPrice { id sku sales { id name } prices { currency tiers { name } } createdAt }',
    input: (sku) => ({
      priceBookId: book,
      sku,
      prices: [{ currency: 'USD', price: { amount: 1, tiers: [{ name: '__proto__', minimumQuantity: 2, amount: 1 }] } }],
      sales: [{ name: '__proto__' }],
    }),
    count: async () => (await database.prisma.productPrice.count()) - 1,
  },
  {
    name: 'upsertProductPrices',
    selected: 'results { row outcome productPrice { id sku updatedAt } userErrors { code path } }',
    input: (sku) => ({
      priceBookId: book,
      mode: 'PER_ROW',
      rows: [
        { sku, prices: [] },
        { sku: '', prices: [] },
      ],
    }),
    count: async () => (await database.prisma.productPrice.count()) - 1,
  },
  {
    name: 'addSale',
    selected: 'sale { id name createdAt }',
    input: (name) => ({ productPriceId: price, name, schedule: { validFrom: '2026-01-01T00:00:00Z' } }),
    count: () => database.prisma.sale.count(),
  },
  {
    name: 'createSubscriptionProduct',
    selected: 'subscriptionProduct { id name createdAt }',
    input: (name) => ({ name: `Paper ${name}` }),
    count: () => database.prisma.subscriptionProduct.count(),
  },
  {
    name: 'createPlan',
    selected: 'plan { id name createdAt }',
    input: (name) => ({ ...plan, name: `Plan ${name}` }),
    count: () => database.prisma.plan.count(),
  },
  {
    name: 'createOffering',
    selected: 'offering { id name createdAt }',
    input: (name) => ({ name: `Offering ${name}`, planIds: [], productIds: [] }),
    count: () => database.prisma.offering.count(),
  },
]

beforeEach(async () => {
  await reset(database)
  server.now = START
  const ctx = contextOf(server.services, START)
  book = (await makeBook(ctx, 'Book')).id
  price = (await makePrice(ctx, book, 'OTHER')).id
})

describe.each(creates)('GQL-4 the idempotency key of $name', ({ name, selected, input, count }) => {
  const call = (of: string, idempotencyKey: string | null, token?: string) =>
    mutate(server, name, { ...input(of), idempotencyKey }, selected, token === undefined ? {} : { token })

  it('answers the first answer again, later and of another server that begins after a restart, and writes nothing', async () => {
    const first = await call('one', 'k')
    expect(first.userErrors).toEqual([])
    expect(await count()).toBe(1)
    server.now += 23 * 3_600_000
    const token = (await server.issue({ subject: 'admin', role: 'admin' }, server.now)).token
    expect(await call('one', 'k', token)).toEqual(first)
    const restarted = await startTestServer(database)
    expect(await mutate(restarted, name, { ...input('one'), idempotencyKey: 'k' }, selected)).toEqual(first)
    await restarted.stop()
    expect(await count()).toBe(1)
  })

  it('of simultaneous calls one writes and all get its answer', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => call('one', 'k')))
    expect(answers[0].userErrors).toEqual([])
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await count()).toBe(1)
  })

  it('refuses another input under it, and is another key for another subject', async () => {
    await call('one', 'k')
    const refused = await call('two', 'k')
    expect(refused.userErrors).toEqual([
      { code: 'IDEMPOTENCY_MISMATCH', path: ['idempotencyKey'], message: 'the key was used with another input' },
    ])
    expect(await count()).toBe(1)
    const bob = (await server.issue({ subject: 'bob', role: 'admin' }, START)).token
    const second = await call('two', 'k', bob)
    expect(second.userErrors.map(({ code }: { code: string }) => code)).toEqual(name === 'addSale' ? ['SALE_SCHEDULE_DUPLICATE'] : [])
  })

  it('must be 1 to 255 characters', async () => {
    expect((await call('one', '')).userErrors).toMatchObject([{ code: 'TOO_SHORT', path: ['idempotencyKey'] }])
    expect((await call('one', 'k'.repeat(256))).userErrors).toMatchObject([{ code: 'TOO_LONG', path: ['idempotencyKey'] }])
    expect(await count()).toBe(0)
    expect((await call('one', 'k'.repeat(255))).userErrors).toEqual([])
  })
})

it('GQL-4 a call that failed leaves its key free', async () => {
  const refused = await mutate(server, 'createPriceBook', { name: '', idempotencyKey: 'k' }, 'priceBook { id }')
  expect(refused).toMatchObject({ priceBook: null, userErrors: [{ code: 'TOO_SHORT', path: ['name'] }] })
  const made = await mutate(server, 'createPriceBook', { name: 'Fine', idempotencyKey: 'k' }, 'priceBook { name }')
  expect(made).toEqual({ priceBook: { name: 'Fine' }, userErrors: [] })
})

interface Change {
  /** The noun, as mutations and fields name it. */
  readonly noun: string
  readonly update: string
  readonly remove: string
  /** A change that is fine. */
  readonly change: object
  readonly create: () => Promise<string>
}

const made = async (name: string, field: string, input: object): Promise<string> =>
  (await mutate(server, name, input, `${field} { id }`))[field].id

const changes: readonly Change[] = [
  {
    noun: 'priceBook',
    update: 'updatePriceBook',
    remove: 'deletePriceBook',
    change: { description: 'new' },
    create: () => made('createPriceBook', 'priceBook', { name: 'One' }),
  },
  {
    noun: 'productPrice',
    update: 'updateProductPrice',
    remove: 'deleteProductPrice',
    change: { externalRef: 'new' },
    create: () => made('addProductPrice', 'productPrice', { priceBookId: book, sku: 'A', prices: [] }),
  },
  {
    noun: 'sale',
    update: 'updateSale',
    remove: 'removeSale',
    change: { name: 'new' },
    create: () => made('addSale', 'sale', { productPriceId: price, name: 'One' }),
  },
  {
    noun: 'subscriptionProduct',
    update: 'updateSubscriptionProduct',
    remove: 'deleteSubscriptionProduct',
    change: { description: 'new' },
    create: () => made('createSubscriptionProduct', 'subscriptionProduct', { name: 'One' }),
  },
  {
    noun: 'plan',
    update: 'updatePlan',
    remove: 'deletePlan',
    change: { description: 'new' },
    create: () => made('createPlan', 'plan', plan),
  },
  {
    noun: 'offering',
    update: 'updateOffering',
    remove: 'deleteOffering',
    change: { description: 'new' },
    create: () => made('createOffering', 'offering', { name: 'One' }),
  },
]

describe.each(changes)('GQL-4 ifUpdatedAt of $update and $remove', ({ noun, update, remove, change, create }) => {
  const seen = '2026-01-15T12:00:00.000Z'
  const stale = [{ code: 'STALE', path: ['ifUpdatedAt'], message: 'the record has changed since' }]
  const run = (name: string, input: object, token?: string) =>
    mutate(server, name, input, `${noun} { id updatedAt }`, token === undefined ? {} : { token })
  const exists = async (id: string) => (await server.gql(`query ($id: ID!) { node(id: $id) { id } }`, { id })).data.node !== null

  it('lets pass who saw the latest state, and shows it to who did not', async () => {
    const id = await create()
    server.now += 1_000
    const changed = await run(update, { id, ...change, ifUpdatedAt: seen })
    const current = { id, updatedAt: '2026-01-15T12:00:01.000Z' }
    expect(changed).toEqual({ [noun]: current, userErrors: [] })
    for (const [name, input] of [
      [update, change],
      [remove, {}],
    ] as const) {
      expect(await run(name, { id, ...input, ifUpdatedAt: seen })).toEqual({ [noun]: current, userErrors: stale })
    }
    expect(await run(update, { id, ifUpdatedAt: current.updatedAt })).toEqual({ [noun]: current, userErrors: [] })
    expect(await run(remove, { id, ifUpdatedAt: current.updatedAt })).toEqual({ [noun]: current, userErrors: [] })
    expect(await exists(id)).toBe(false)
    for (const name of [update, remove]) {
      expect(await run(name, { id })).toMatchObject({ [noun]: null, userErrors: [{ code: 'NOT_FOUND', path: ['id'] }] })
      expect(await run(name, { id: 'x' })).toMatchObject({ [noun]: null, userErrors: [{ code: 'INVALID_FORMAT', path: ['id'] }] })
    }
  })

  it('of 10 who saw the same state, one changes it', async () => {
    const id = await create()
    const answers = await Promise.all(Array.from({ length: 10 }, () => run(update, { id, ...change, ifUpdatedAt: seen })))
    expect(answers.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1)
    for (const { userErrors } of answers) if (userErrors.length > 0) expect(userErrors).toEqual(stale)
  })

  it('AUTH-2 both are refused to a shopper', async () => {
    const id = await create()
    for (const name of [update, remove]) expect((await run(name, { id }, server.shopper)).errors[0].extensions.code).toBe('FORBIDDEN')
    expect(await exists(id)).toBe(true)
  })
})

it('AUTH-2 creates are refused to a shopper', async () => {
  for (const { name, selected, input, count } of creates) {
    const refused = await mutate(server, name, input('one'), selected, { token: server.shopper })
    expect([name, refused.errors[0].extensions.code, await count()]).toEqual([name, 'FORBIDDEN', 0])
  }
})
