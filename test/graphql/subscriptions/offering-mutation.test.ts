import { beforeEach, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { mutate } from '../../support/mutations.ts'
import { START, useServer } from '../../support/server.ts'
import { contextAs, idOf, makePlan, makeProduct, makeSubscription } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const request = () => contextAs(server.services, START)

beforeEach(async () => {
  await reset(database)
  server.now = START
  for (const number of [1, 2, 3]) {
    await makeProduct({ services: server.services, now: START }, idOf('product', number), { name: `Product ${number}` })
    await makePlan(request(), idOf('plan', number), { name: `Plan ${number}` })
  }
})

const codes = ({ userErrors }: { userErrors: { code: string; path: string[] }[] }) =>
  userErrors.map(({ code, path }) => `${path.join('.')} ${code}`)
const at = (second: number) => `2026-01-15T12:00:0${second}.000Z`

describe('subscription products', () => {
  const PRODUCT = `subscriptionProduct { id name externalRef description sku mainImage prices { amount { currency amount } includesTax }
    priceUnits { unit amount } createdAt updatedAt }`

  it('subscription products are created with only a name or with all members, and deleted', async () => {
    const { subscriptionProduct: bare } = await mutate(server, 'createSubscriptionProduct', { name: 'Paper' }, PRODUCT)
    const nothing = { externalRef: null, description: null, sku: null, mainImage: null, prices: [], priceUnits: null }
    expect(bare).toEqual({ id: bare.id, name: 'Paper', ...nothing, createdAt: at(0), updatedAt: at(0) })
    const texts = { name: 'Paper', externalRef: 'r', description: 'd', sku: 's', mainImage: 'https://x.example/y' }
    const input = {
      ...texts,
      prices: [{ currency: 'USD', price: { amount: 0, includesTax: true } }],
      priceUnits: { unit: 'DAY', amount: 2 },
    }
    const { subscriptionProduct: full } = await mutate(server, 'createSubscriptionProduct', input, PRODUCT)
    const prices = [{ amount: { currency: 'USD', amount: 0 }, includesTax: true }]
    expect(full).toEqual({ id: full.id, ...input, prices, createdAt: at(0), updatedAt: at(0) })
    expect(await mutate(server, 'deleteSubscriptionProduct', { id: full.id }, PRODUCT)).toEqual({
      subscriptionProduct: full,
      userErrors: [],
    })
    expect(await database.prisma.subscriptionProduct.count()).toBe(4)
  })

  it('mutations of subscription products report all broken rules', async () => {
    const input = {
      name: 'ab',
      mainImage: 'x',
      prices: [{ currency: 'usd', price: { amount: 1 } }, { currency: 'EUR' }],
      priceUnits: { unit: 'DAY', amount: 0 },
    }
    expect(codes(await mutate(server, 'createSubscriptionProduct', input, PRODUCT))).toEqual([
      'name TOO_SHORT',
      'mainImage INVALID_FORMAT',
      'prices.0.currency INVALID_FORMAT',
      'prices.1.price REQUIRED',
      'priceUnits.amount OUT_OF_RANGE',
    ])
    expect(await database.prisma.subscriptionProduct.count()).toBe(3)
  })
})

describe('plans', () => {
  const PLAN = `plan { id name description externalRef billingIntervalType billingFrequency trialPeriod planLength endBehavior canPause
    canResume canCancel basePricePercentage fixedPrices { amount { currency amount } includesTax } createdAt updatedAt }`
  const terms = {
    billingIntervalType: 'WEEK',
    billingFrequency: 2,
    trialPeriod: 0,
    planLength: 10,
    endBehavior: 'ROLL',
  }
  const plain = { name: 'Fortnightly', ...terms, canPause: false, canResume: true, canCancel: true }
  const optional = { description: 'd', externalRef: 'r', basePricePercentage: 12.5 }

  it('plans are created, changed and deleted with every member', async () => {
    const input = { ...plain, ...optional, fixedPrices: [{ currency: 'USD', price: { amount: 0 } }] }
    const usd = { amount: { currency: 'USD', amount: 0 }, includesTax: false }
    const { plan: made } = await mutate(server, 'createPlan', input, PLAN)
    expect(made).toEqual({ id: made.id, ...plain, ...optional, fixedPrices: [usd], createdAt: at(0), updatedAt: at(0) })
    server.now += 1_000
    const change = {
      name: 'Yearly',
      billingIntervalType: 'YEAR',
      billingFrequency: 1,
      trialPeriod: 7,
      planLength: 1,
      endBehavior: 'CLOSE',
      canPause: true,
    }
    const cleared = { description: null, externalRef: null, basePricePercentage: null }
    const fixedPrices = [{ currency: 'EUR', price: { amount: 1, includesTax: true } }]
    const { plan: changed } = await mutate(
      server,
      'updatePlan',
      { id: made.id, ...change, ...cleared, fixedPrices },
      PLAN,
    )
    const eur = { amount: { currency: 'EUR', amount: 1 }, includesTax: true }
    expect(changed).toEqual({ ...made, ...change, ...cleared, fixedPrices: [eur, usd], updatedAt: at(1) })
    const removal = [{ currency: 'EUR', price: null }]
    expect((await mutate(server, 'updatePlan', { id: made.id, fixedPrices: removal }, PLAN)).plan.fixedPrices).toEqual([
      usd,
    ])
    expect((await mutate(server, 'updatePlan', { id: made.id, fixedPrices: null }, PLAN)).plan.fixedPrices).toEqual([])
    expect((await mutate(server, 'deletePlan', { id: made.id }, PLAN)).plan).toMatchObject({ name: 'Yearly' })
    expect((await server.gql('query ($id: ID!) { plan(id: $id) { id } }', { id: made.id })).data.plan).toBeNull()
  })

  it.each([
    [
      'single members',
      {
        name: 'ab',
        billingFrequency: 0,
        trialPeriod: -1,
        planLength: 0,
        basePricePercentage: 10_001,
        fixedPrices: [{ currency: 'USD', price: { amount: -1 } }],
      },
      [
        'name TOO_SHORT',
        'billingFrequency OUT_OF_RANGE',
        'trialPeriod OUT_OF_RANGE',
        'planLength OUT_OF_RANGE',
        'basePricePercentage OUT_OF_RANGE',
        'fixedPrices.0.price.amount OUT_OF_RANGE',
      ],
    ],
    [
      'the whole: more years than a thousand',
      { billingIntervalType: 'YEAR', billingFrequency: 1, planLength: 1001 },
      ['planLength OUT_OF_RANGE'],
    ],
    [
      'a currency given twice',
      {
        fixedPrices: [
          { currency: 'USD', price: null },
          { currency: 'USD', price: null },
        ],
      },
      ['fixedPrices.1.currency DUPLICATE'],
    ],
  ])('mutations of plans refuse %s', async (_, input, broken) => {
    expect(codes(await mutate(server, 'createPlan', { ...plain, ...input }, PLAN))).toEqual(broken)
    expect(codes(await mutate(server, 'updatePlan', { id: idOf('plan', 1), ...input }, PLAN))).toEqual(broken)
    expect(
      codes(await mutate(server, 'updatePlan', { id: idOf('plan', 1), canPause: null, endBehavior: null }, PLAN)),
    ).toEqual(['endBehavior REQUIRED', 'canPause REQUIRED'])
    expect(await database.prisma.plan.count()).toBe(3)
  })
})

describe('offerings', () => {
  const OFFERING = `offering { id name description externalRef createdAt updatedAt
    products { totalCount nodes { name } } plans { totalCount nodes { name } } }`
  const list = (noun: string, ...numbers: number[]) => ({
    totalCount: numbers.length,
    nodes: numbers.map((number) => ({ name: `${noun} ${number}` })),
  })
  const plans = (...numbers: number[]) => numbers.map((number) => idOf('plan', number))

  it('offerings have products and plans in the given order, each once, replaced as whole sets', async () => {
    const productIds = [globalId('SubscriptionProduct', idOf('product', 3)), idOf('product', 1), idOf('product', 3)]
    const input = { name: 'Magazine', description: 'd', externalRef: 'r', productIds, planIds: plans(2, 1) }
    const { offering: made } = await mutate(server, 'createOffering', input, OFFERING)
    const { productIds: _, planIds: __, ...texts } = input
    expect(made).toEqual({
      id: made.id,
      ...texts,
      createdAt: at(0),
      updatedAt: at(0),
      products: list('Product', 3, 1),
      plans: list('Plan', 2, 1),
    })
    server.now += 1_000
    const update = async (change: object) =>
      (await mutate(server, 'updateOffering', { id: made.id, ...change }, OFFERING)).offering
    const reordered = { ...made, plans: list('Plan', 3, 1, 2), updatedAt: at(1) }
    expect(await update({ planIds: plans(3, 1, 2) })).toEqual(reordered)
    server.now += 1_000
    expect(await update({ planIds: plans(3, 1, 2), productIds })).toEqual(reordered)
    const emptied = {
      ...reordered,
      name: 'New',
      description: null,
      externalRef: null,
      products: list('Product'),
      updatedAt: at(2),
    }
    expect(await update({ name: 'New', description: null, externalRef: null, productIds: [] })).toEqual(emptied)
    const deleted = await mutate(server, 'deleteOffering', { id: made.id }, OFFERING)
    expect(deleted.offering).toEqual({ ...emptied, plans: list('Plan') })
    expect(await database.prisma.plan.count()).toBe(3)
  })

  it('mutations of offerings report each unknown product and plan with its path', async () => {
    const bad = {
      name: 'Magazine',
      productIds: [idOf('product', 1), idOf('plan', 1)],
      planIds: [globalId('Offering', idOf('plan', 1)), idOf('plan', 9)],
    }
    expect(codes(await mutate(server, 'createOffering', bad, OFFERING))).toEqual(['planIds.0 INVALID_FORMAT'])
    const unknown = { ...bad, planIds: [idOf('plan', 1), idOf('plan', 9)] }
    expect(codes(await mutate(server, 'createOffering', unknown, OFFERING))).toEqual([
      'productIds.1 NOT_FOUND',
      'planIds.1 NOT_FOUND',
    ])
    const many = Array.from({ length: 1001 }, () => idOf('plan', 1))
    expect(
      codes(await mutate(server, 'createOffering', { name: 'ab', planIds: many, productIds: null }, OFFERING)),
    ).toEqual(['name TOO_SHORT', 'planIds TOO_MANY'])
    expect(await database.prisma.offering.count()).toBe(0)
    expect(codes(await mutate(server, 'createOffering', { name: 'Many', planIds: many.slice(1) }, OFFERING))).toEqual(
      [],
    )
  })

  it('a plan and a product can not be deleted while an offering has them (IN_USE)', async () => {
    const input = { name: 'Magazine', productIds: [idOf('product', 1)], planIds: plans(1) }
    const { offering } = await mutate(server, 'createOffering', input, OFFERING)
    for (const [name, field, id] of [
      ['deletePlan', 'plan', idOf('plan', 1)],
      ['deleteSubscriptionProduct', 'subscriptionProduct', idOf('product', 1)],
    ] as const) {
      expect(await mutate(server, name, { id }, `${field} { id }`)).toEqual({
        [field]: null,
        userErrors: [{ code: 'IN_USE', path: ['id'], message: 'is still used by 1 offering ("Magazine")' }],
      })
    }
    await mutate(server, 'updateOffering', { id: offering.id, planIds: [], productIds: [] }, OFFERING)
    expect((await mutate(server, 'deletePlan', { id: idOf('plan', 1) }, 'plan { name }')).plan).toEqual({
      name: 'Plan 1',
    })
  })

  it('subscription.keeps-its-copies: deleted offerings stay in subscriptions, whose edge to the current offering is null', async () => {
    const { offering } = await mutate(server, 'createOffering', { name: 'Magazine', planIds: plans(1) }, OFFERING)
    const raw = (await database.prisma.offering.findFirstOrThrow()).id
    const { id } = await makeSubscription(request(), { offering_id: raw })
    await mutate(server, 'deleteOffering', { id: offering.id }, 'offering { id }')
    await mutate(server, 'deletePlan', { id: idOf('plan', 1) }, 'plan { id }')
    const query =
      'query ($id: ID!) { subscription(id: $id) { offering { name current { id } } plan { name current { id } } } }'
    expect((await server.gql(query, { id })).data.subscription).toEqual({
      offering: { name: 'Magazine', current: null },
      plan: { name: 'Plan 1', current: null },
    })
  })
})
