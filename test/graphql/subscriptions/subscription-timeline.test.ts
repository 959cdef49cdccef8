/** Timelines, invoices and terms of subscriptions in the graph. */
import { describe, expect, test } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { START } from '../../support/server.ts'
import { useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct } from '../../support/subscriptions.ts'

const { server, database, ask, shopper } = useSubscriptionGraph()

const DAY = 86_400_000
const iso = (at: number) => new Date(at).toISOString()

const CREATE = `mutation ($input: CreateSubscriptionInput!) { createSubscription(input: $input) {
  subscription { id phase phaseUntil status startsAt trialEndsAt timeZone billingDay nextAmount { amount } invoiceAfter
    items { productId product { id } name sku quantity unitAmount { amount currency } includesTax } }
  userErrors { code path message } } }`

async function create(terms: object, token?: string) {
  const input = {
    accountId: idOf('account', 1),
    offeringId: idOf('offering', 1),
    planId: idOf('plan', 1),
    currency: 'USD',
    name: 'Ada',
    email: 'ada@example.com',
    ...terms,
  }
  const { data, errors } = await server.gql(CREATE, { input }, token === undefined ? {} : { token })
  return errors ? errors[0].extensions.code : data.createSubscription
}

describe('createSubscription on terms of its own', () => {
  test('subscription.pinned-prices: createSubscription takes some products of the offering, at prices that later changes do not reach', async () => {
    const { subscription, userErrors } = await create({
      items: [{ productId: globalId('SubscriptionProduct', idOf('product', 2)), quantity: 3 }],
      startsAt: iso(START + 10 * DAY),
      timeZone: 'Europe/Zurich',
      billingDay: 31,
    })
    expect(userErrors).toEqual([])
    await database.prisma.subscriptionProduct.update({
      where: { id: idOf('product', 2) },
      data: { price: { USD: { amount: 9, includes_tax: true } } },
    })
    const found = await ask(
      `{ subscription(id: "${subscription.id}") { nextAmount { amount } items { unitAmount { amount } } } }`,
    )
    expect(found.subscription).toEqual({
      // The part of the month from 31 December, 13:00 in Zurich, that comes after 25 January, 13:00.
      nextAmount: { amount: 581 },
      items: [{ unitAmount: { amount: 1000 } }],
    })
    expect(subscription).toMatchObject({
      phase: 'PENDING',
      phaseUntil: iso(START + 10 * DAY),
      status: 'INACTIVE',
      startsAt: iso(START + 10 * DAY),
      trialEndsAt: null,
      timeZone: 'Europe/Zurich',
      billingDay: 31,
      invoiceAfter: iso(START + 10 * DAY),
      items: [
        {
          productId: globalId('SubscriptionProduct', idOf('product', 2)),
          product: { id: globalId('SubscriptionProduct', idOf('product', 2)) },
          name: 'Product 2',
          sku: null,
          quantity: 3,
          unitAmount: { amount: 1000, currency: 'USD' },
          includesTax: false,
        },
      ],
    })
  })

  test.each([
    [{ items: [{ productId: idOf('product', 9) }] }, 'PRODUCT_NOT_OFFERED', ['items', '0', 'productId']],
    [{ items: [] }, 'REQUIRED', ['items']],
    [{ items: [1, 1].map((n) => ({ productId: idOf('product', n) })) }, 'DUPLICATE', ['items', '1']],
    [{ items: [{ productId: idOf('product', 1), quantity: 0 }] }, 'OUT_OF_RANGE', ['items', '0', 'quantity']],
    [{ items: [{ productId: idOf('product', 1), quantity: 1_000_001 }] }, 'OUT_OF_RANGE', ['items', '0', 'quantity']],
    [{ startsAt: iso(START - 1) }, 'OUT_OF_RANGE', ['startsAt']],
    [{ startsAt: '2126-01-15T12:00:00.001Z' }, 'OUT_OF_RANGE', ['startsAt']],
    [{ timeZone: 'Mars/Olympus' }, 'INVALID_VALUE', ['timeZone']],
    [{ timeZone: '+02:00' }, 'INVALID_VALUE', ['timeZone']],
    [{ billingDay: 32 }, 'OUT_OF_RANGE', ['billingDay']],
    [{ billingDay: 0 }, 'OUT_OF_RANGE', ['billingDay']],
  ])('createSubscription refuses the terms %j', async (terms, code, path) => {
    expect(await create(terms)).toMatchObject({ subscription: null, userErrors: [{ code, path }] })
  })

  test.each([
    [{ startsAt: iso(START) }, 'ACTIVE'],
    [{ startsAt: '2126-01-15T12:00:00Z' }, 'PENDING'],
    [{ items: [{ productId: idOf('product', 1), quantity: 1_000_000 }] }, 'ACTIVE'],
    [{ billingDay: 1 }, 'ACTIVE'],
  ])('createSubscription takes the terms %j', async (terms, phase) => {
    expect(await create(terms)).toMatchObject({ subscription: { phase }, userErrors: [] })
  })

  test('subscription.pinned-prices: a product without a price in the currency is refused by name, unless an administrator allows it', async () => {
    const refused = await create({ currency: 'CHF' })
    expect(refused.userErrors).toEqual([
      { code: 'NO_PRICE_IN_CURRENCY', path: ['currency'], message: 'the product Product 2 has no price in CHF' },
      { code: 'NO_PRICE_IN_CURRENCY', path: ['currency'], message: 'the product Product 1 has no price in CHF' },
    ])
    const item = [{ productId: idOf('product', 1) }]
    expect((await create({ currency: 'CHF', items: item })).userErrors).toMatchObject([{ path: ['items', '0'] }])
    const allowed = await create({ currency: 'CHF', allowUnpriced: true })
    expect(allowed).toMatchObject({ userErrors: [], subscription: { nextAmount: null } })
    const own = await shopper(idOf('account', 1))
    expect(await create({ currency: 'CHF', allowUnpriced: true }, own)).toBe('FORBIDDEN')
  })

  test('an account that asks for its only subscription to an offering has one, also by ten simultaneous calls, and another one once it has ended', async () => {
    const once = { accountId: idOf('account', 40), onlyOne: true }
    const replies = await Promise.all(Array.from({ length: 10 }, () => create(once)))
    const made = replies.filter(({ subscription }) => subscription !== null)
    expect(made).toHaveLength(1)
    expect(replies.flatMap(({ userErrors }) => userErrors.map(({ code }: { code: string }) => code))).toEqual(
      Array(9).fill('ALREADY_SUBSCRIBED'),
    )
    await ask(`mutation { cancelSubscription(input: { id: "${made[0].subscription.id}" }) { userErrors { code } } }`)
    expect((await create(once)).userErrors).toMatchObject([{ code: 'ALREADY_SUBSCRIBED', path: ['offeringId'] }])
    server.now = Date.UTC(2026, 1, 15, 12)
    const token = (await server.issue({ subject: 'admin', role: 'admin' }, server.now)).token
    expect((await create(once, token)).userErrors).toEqual([])
    server.now = START
  })
})

describe('subscription.timeline-entries: timeline and upcomingInvoices', () => {
  const FIELDS =
    'entries { type at period { from to } invoice { id dueAt amount { amount } lines { reason amount { amount } item { name quantity } } } } endCursor hasNextPage'

  async function begun() {
    const ctx = contextAs(server.services, START)
    const [plan, offering, product] = [idOf('plan', 70), idOf('offering', 70), idOf('product', 70)]
    if (await database.prisma.plan.findUnique({ where: { id: plan } })) return ''
    await makePlan(ctx, plan, { trial_period: 7, plan_length: 2 })
    await makeProduct(server, product, { price: { USD: { amount: 500, includes_tax: true } } })
    await makeOffering(ctx, offering, { plans: [plan], products: [product] })
    return (await create({ planId: plan, offeringId: offering })).subscription.id
  }

  test('a timeline has trial, periods, invoices and end, page by page, and a shopper reads that of its own', async () => {
    const id = await begun()
    const token = await shopper(idOf('account', 1))
    const page = async (args: string) =>
      (
        await ask(
          `{ subscription(id: "${id}") { timeline(from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", ${args}) { ${FIELDS} } } }`,
          {},
          token,
        )
      ).subscription.timeline
    const whole = await page('first: 500')
    const short = ({
      type,
      at,
      invoice,
    }: {
      type: string
      at: string
      invoice: { amount: { amount: number } } | null
    }) => [type, at.slice(0, 10), ...(invoice ? [invoice.amount.amount] : [])].join(' ')
    expect(whole.entries.map(short)).toEqual([
      'BEGINS 2026-01-15',
      'TRIAL_BEGINS 2026-01-15',
      'TRIAL_ENDS 2026-01-22',
      'PERIOD 2026-01-22',
      'INVOICE 2026-01-22 500',
      'PERIOD 2026-02-22',
      'INVOICE 2026-02-22 500',
      'CLOSES 2026-03-22',
      'BECOMES_INACTIVE 2026-03-22',
    ])
    expect(whole.hasNextPage).toBe(false)
    expect(whole.entries[4].invoice).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      lines: [{ reason: 'PERIOD', amount: { amount: 500 }, item: { name: 'Paper', quantity: 1 } }],
    })
    const walked: unknown[] = []
    for (let args = 'first: 2', next = true; next; ) {
      const { entries, endCursor, hasNextPage } = await page(args)
      walked.push(...entries)
      next = hasNextPage
      args = `first: 2, after: "${endCursor}"`
    }
    expect(walked).toEqual(whole.entries)

    const upcoming = (
      await ask(
        `{ subscription(id: "${id}") { upcomingInvoices(first: 5) { id dueAt period { to } subscription { id } } } }`,
      )
    ).subscription.upcomingInvoices
    expect(upcoming).toEqual([
      {
        id: whole.entries[4].invoice.id,
        dueAt: '2026-01-22T12:00:00.000Z',
        period: { to: '2026-02-22T12:00:00.000Z' },
        subscription: { id },
      },
      {
        id: whole.entries[6].invoice.id,
        dueAt: '2026-02-22T12:00:00.000Z',
        period: { to: '2026-03-22T12:00:00.000Z' },
        subscription: { id },
      },
    ])
    expect(upcoming[0].id).not.toBe(upcoming[1].id)
  })

  test.each([
    ['timeline(from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z") { endCursor }', 'to'],
    ['timeline(from: "2026-01-01T00:00:00Z", to: "3026-01-01T00:00:00.001Z") { endCursor }', 'to'],
    ['timeline(from: "8500-01-01T00:00:00Z", to: "9000-01-01T00:00:00Z") { endCursor }', 'to'],
    ['timeline(from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", first: 501) { endCursor }', 'first'],
    ['timeline(from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", after: "x") { endCursor }', 'after'],
    ['upcomingInvoices(first: 0) { id }', 'first'],
    ['upcomingInvoices(first: 101) { id }', 'first'],
  ])('the arguments of %s are refused', async (field, path) => {
    const id = (await create({ accountId: idOf('account', 41) })).subscription.id
    const { errors } = await server.gql(`{ subscription(id: "${id}") { ${field} } }`)
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', violations: [{ path: [path] }] } }])
  })

  test('subscriptions are listed by phase, name and email', async () => {
    await create({
      accountId: idOf('account', 42),
      name: 'Grace',
      email: 'grace@example.com',
      startsAt: iso(START + DAY),
    })
    const count = async (filter: string) =>
      await ask(
        `{ account(id: "${idOf('account', 42)}") { subscriptions(filter: ${filter}) { totalCount } } subscriptions(filter: ${filter}) { nodes { phase } } }`,
      )
    expect((await count('{ phase: PENDING }')).account.subscriptions.totalCount).toBe(1)
    expect((await count('{ phase: ACTIVE }')).account.subscriptions.totalCount).toBe(0)
    expect((await count('{ name: { startsWith: "Gra" } }')).subscriptions.nodes).toEqual([{ phase: 'PENDING' }])
    expect((await count('{ email: { eq: "grace@example.com" } }')).subscriptions.nodes).toEqual([{ phase: 'PENDING' }])
  })
})
