/** Subscriptions that one writes by hand, begun in another system: import.subscription-by-hand. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { subscriptionsText } from '../../src/export/export.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { mutate } from '../support/mutations.ts'
import { START, useServer } from '../support/server.ts'
import { servicesOf } from '../support/services.ts'
import { idOf } from '../support/subscriptions.ts'

const DAY = 86_400_000
const database = useDatabase()
const server = useServer(database)
const services = servicesOf(database)

const plan = (external_ref: string, attributes: object = {}) => ({
  type: 'subscription_plan',
  attributes: {
    ...{ external_ref, name: external_ref, billing_interval_type: 'day', billing_frequency: 30, trial_period: 0 },
    ...{ plan_length: 12, end_behavior: 'roll', can_pause: true, can_resume: true, can_cancel: true, ...attributes },
  },
})
const PAPER = idOf('product', 1)
const product = (external_ref: string, currency: string, amount: number) => ({
  type: 'subscription_product',
  id: external_ref === 'paper' ? PAPER : undefined,
  attributes: { external_ref, name: external_ref, price: { [currency]: { amount, includes_tax: true } } },
})
const refs = (type: string, ...names: string[]) => ({ data: names.map((external_ref) => ({ type, external_ref })) })
const offering = (external_ref: string, plans: string[], products: string[]) => ({
  type: 'subscription_offering',
  attributes: { external_ref, name: external_ref },
  relationships: { plans: refs('subscription_plan', ...plans), products: refs('subscription_product', ...products) },
})

beforeEach(async () => {
  await reset(database)
  // The clock of the server is that of the import.
  vi.useFakeTimers({ toFake: ['Date'], now: START })
  const goods = [product('paper', 'USD', 3000), product('mug', 'USD', 600), product('tea', 'EUR', 100)]
  const offerings = [offering('club', ['monthly'], ['paper', 'mug']), offering('other', ['yearly'], ['tea'])]
  const taken = await runImport(services, [...goods, plan('monthly'), plan('yearly'), ...offerings])
  expect(taken.refused).toEqual([])
})

afterEach(() => {
  vi.useRealTimers()
})

const iso = (instant: number) => new Date(instant).toISOString()
const line = (attributes: object = {}, more: object = {}) => ({
  type: 'subscription',
  ...more,
  attributes: {
    ...{
      external_ref: 'crm-1',
      account_id: idOf('account', 1),
      currency: 'USD',
      name: 'Ada',
      email: 'ada@example.com',
    },
    ...{ offering_id: { external_ref: 'club' }, plan_id: { external_ref: 'monthly' } },
    ...attributes,
  },
})
/** The attributes of a line without some of them. */
const without = (...names: string[]) => Object.fromEntries(names.map((name) => [name, undefined]))

async function exported(): Promise<{ id: string; attributes: Record<string, unknown> }[]> {
  const lines: string[] = []
  for await (const piece of subscriptionsText(database)) lines.push(...piece.trimEnd().split('\n'))
  return lines.map((text) => JSON.parse(text).data)
}

/** Runs a mutation of a subscription, which must succeed. */
async function act(name: string, input: object): Promise<void> {
  expect(await mutate(server, name, input, 'subscription { id }')).toMatchObject({ userErrors: [] })
}

const TIMELINE = `query ($from: DateTime!, $to: DateTime!) {
  subscriptions { nodes { timeline(from: $from, to: $to) { entries { type at invoice { amount { amount } lines { reason amount { amount } } } } } } }
}`

describe('a line by hand', () => {
  it('import.subscription-by-hand, subscription.invoices-from: a start of the past gets the invoices from the import on, and a change then credits what was paid before it', async () => {
    const startsAt = START - 70 * DAY
    const taken = await runImport(services, [
      line({ starts_at: iso(startsAt), items: [{ product_id: { external_ref: 'paper' } }] }),
    ])
    expect(taken).toMatchObject({ refused: [], counts: { subscription: [1, 0, 0, 0] } })
    const [stored] = await exported()
    expect(stored?.attributes.invoices_from).toBe(iso(START))
    const { data: shown } = await server.gql('{ subscriptions { nodes { invoicesFrom } } }')
    expect(shown).toEqual({ subscriptions: { nodes: [{ invoicesFrom: iso(START) }] } })
    const told = async () => {
      const { data, errors } = await server.gql(TIMELINE, { from: iso(startsAt - 1), to: iso(startsAt + 121 * DAY) })
      expect(errors).toBeUndefined()
      const { nodes } = (
        data as { subscriptions: { nodes: { timeline: { entries: { type: string; at: string }[] } }[] } }
      ).subscriptions
      return nodes[0]?.timeline.entries ?? []
    }
    const days = (entries: { at: string }[]) => entries.map(({ at }) => (Date.parse(at) - startsAt) / DAY)
    expect(days((await told()).filter(({ type }) => type === 'INVOICE'))).toEqual([90, 120])
    expect(days((await told()).filter(({ type }) => type === 'PERIOD'))).toEqual([0, 30, 60, 90, 120])
    // 20 of the 30 days that the other system charged are left; 2 pieces are charged for them.
    await act('changeSubscription', { id: stored?.id, items: [{ productId: PAPER, quantity: 2 }] })
    expect((await told()).find(({ type }) => type === 'INVOICE')).toMatchObject({
      at: iso(START),
      invoice: {
        amount: { amount: 2000 },
        lines: [
          { reason: 'PRORATION_CREDIT', amount: { amount: -2000 } },
          { reason: 'PRORATION_CHARGE', amount: { amount: 4000 } },
        ],
      },
    })
  })

  it('import.repeat-changes-nothing, import.subscription-by-hand: the file of a migration that is imported again changes nothing, also after the subscription has been changed', async () => {
    const lines = [
      line({ starts_at: iso(START - 70 * DAY), time_zone: 'Europe/Zurich', billing_day: 15 }),
      line({
        external_ref: 'crm-2',
        trial_ends_at: iso(START + 3 * DAY),
        items: [{ product_id: { external_ref: 'mug' }, quantity: 2 }],
      }),
    ]
    expect((await runImport(services, lines)).counts).toEqual({ subscription: [2, 0, 0, 0] })
    expect((await runImport(services, lines)).counts).toEqual({ subscription: [0, 0, 2, 0] })
    const ids = (await exported()).map(({ id }) => id)
    for (const id of ids) await act('cancelSubscription', { id })
    expect(await runImport(services, lines)).toMatchObject({ refused: [], counts: { subscription: [0, 0, 2, 0] } })
  })

  it('import.subscription-by-hand: items keep the amounts that a line gives, and have the price of now otherwise', async () => {
    const items = [
      { product_id: { external_ref: 'paper' }, quantity: 2, unit_amount: 2500, includes_tax: false },
      { product_id: { external_ref: 'mug' } },
    ]
    expect((await runImport(services, [line({ items })])).refused).toEqual([])
    expect((await exported())[0]?.attributes.items).toMatchObject([
      { name: 'paper', quantity: 2, unit_amount: 2500, includes_tax: false },
      { name: 'mug', quantity: 1, unit_amount: 600, includes_tax: true },
    ])
  })

  it('import.subscription-by-hand: a line without items has all products of the offering, one each', async () => {
    expect((await runImport(services, [line()])).refused).toEqual([])
    expect((await exported())[0]?.attributes).toMatchObject({
      items: [
        { name: 'paper', quantity: 1, unit_amount: 3000 },
        { name: 'mug', quantity: 1, unit_amount: 600 },
      ],
      ...{ time_zone: null, billing_day: null, only_one: false, suspended: false, changes: [], states: [] },
    })
  })

  it('import.bad-objects-named-by-line, import.subscription-by-hand: what can not be is refused by line and member, with the next step', async () => {
    const paper = { product_id: { external_ref: 'paper' } }
    const hundredAgo = new Date(START)
    hundredAgo.setUTCFullYear(hundredAgo.getUTCFullYear() - 100)
    const bad: readonly (readonly [object, string])[] = [
      [
        { offering_id: { external_ref: 'none' } },
        'offering_id: no such offering: import it first, or name another (NOT_FOUND)',
      ],
      [{ plan_id: { external_ref: 'none' } }, 'plan_id: no such plan: import it first, or name another (NOT_FOUND)'],
      [
        { plan_id: { external_ref: 'yearly' } },
        'plan_id: the plan does not belong to the offering: name one of its plans (PLAN_NOT_OFFERED)',
      ],
      [
        { items: [paper, { product_id: { external_ref: 'none' } }] },
        'items.1.product_id: no such subscription product: import it first, or name another (NOT_FOUND)',
      ],
      [
        { items: [{ product_id: { external_ref: 'tea' } }] },
        'items.0.product_id: the product does not belong to the offering (PRODUCT_NOT_OFFERED)',
      ],
      [{ items: [paper, paper] }, 'items.1.product_id: names the product of another entry (DUPLICATE)'],
      [{ items: [] }, 'items: must have an entry, or be left out (REQUIRED)'],
      [{ items: [{ ...paper, quantity: 0 }] }, 'items.0.quantity: must be an integer from 1 to 1000000 (OUT_OF_RANGE)'],
      [
        { items: [{ ...paper, unit_amount: 5 }] },
        'items.0.includes_tax: goes with the amount of a unit: give both, or neither (INVALID_STRUCTURE)',
      ],
      [
        { currency: 'EUR', items: [paper] },
        'items.0: the product paper has no price in EUR: give its item an amount of a unit, and whether that includes tax (NO_PRICE_IN_CURRENCY)',
      ],
      [
        { items: [{ ...paper, quantity: 1_000_000, unit_amount: Number.MAX_SAFE_INTEGER, includes_tax: true }] },
        'items: an amount of an invoice would be beyond 9007199254740991 (OUT_OF_RANGE)',
      ],
      [
        { starts_at: iso(hundredAgo.getTime() - DAY) },
        'starts_at: must be from 100 years ago to as many ahead (OUT_OF_RANGE)',
      ],
      [
        { starts_at: iso(START + 101 * 366 * DAY) },
        'starts_at: must be from 100 years ago to as many ahead (OUT_OF_RANGE)',
      ],
      [
        { invoices_from: iso(START - DAY) },
        'invoices_from: must not be before the import, whose instant it is by default: earlier invoices are not shown (OUT_OF_RANGE)',
      ],
      [
        { starts_at: iso(START), trial_ends_at: iso(START - DAY) },
        'trial_ends_at: must not be before the start, by default now (OUT_OF_RANGE)',
      ],
      [
        { time_zone: 'Mars' },
        'time_zone: must be a time zone of the IANA database, such as Europe/Zurich (INVALID_VALUE)',
      ],
      [{ billing_day: 32 }, 'billing_day: must be an integer from 1 to 31 (OUT_OF_RANGE)'],
      [{ changes: [] }, 'changes: is for a line with offering, the copy (INVALID_STRUCTURE)'],
      [{ start_at: 'x' }, 'start_at: is unknown, did you mean starts_at? (UNKNOWN_FIELD)'],
      [without('email'), 'email: must be given (REQUIRED)'],
      [without('offering_id'), 'offering_id: must be given (REQUIRED)'],
    ]
    const lines = bad.map(([attributes], index) => line({ external_ref: `bad-${index}`, ...attributes }))
    const { refused, counts } = await runImport(services, lines)
    expect(counts).toEqual({ subscription: [0, 0, 0, bad.length] })
    expect(refused).toHaveLength(bad.length)
    for (const [index, [, problem]] of bad.entries())
      expect(refused[index]).toContain(`${index + 1}: data.attributes.${problem}`)
    // What lies on the limits is taken.
    const fine = [
      line({ external_ref: 'old', starts_at: iso(hundredAgo.getTime() + DAY) }),
      line({
        external_ref: 'later',
        starts_at: iso(START + 99 * 365 * DAY),
        invoices_from: iso(START + DAY),
      }),
    ]
    expect((await runImport(services, fine)).refused).toEqual([])
  })

  it('import.subscription-by-hand, record.references-by-id-or-ref: an offering whose external_ref another one has is named by its id', async () => {
    const twin = { ...offering('club', ['monthly'], ['paper']), id: idOf('offering', 7) }
    const lines = [twin, line(), line({ offering_id: twin.id })]
    expect(await runImport(services, lines)).toMatchObject({
      refused: ['2: data.attributes.offering_id: means more than one offering: name it by its id (INVALID_VALUE)'],
      counts: { subscription: [1, 0, 0, 1] },
    })
    expect((await exported())[0]?.attributes).toMatchObject({ offering: { id: twin.id }, items: [{ name: 'paper' }] })
  })

  it('import.subscription-by-hand: only_one refuses a second subscription of the account to the offering', async () => {
    expect((await runImport(services, [line(), line({ external_ref: 'crm-2', only_one: true })])).refused).toEqual([
      '2: data.attributes.offering_id: the account has a subscription to it that has not ended (ALREADY_SUBSCRIBED)',
    ])
  })
})

describe('a line of a subscription that is stored', () => {
  it('import.subscription-agreement-stays, import.absent-fields-stay: it changes who subscribes, how it is paid and the mark, and keeps what it leaves out', async () => {
    await runImport(services, [line({ payment_authority: { type: 'platform_payments_gateway', card_id: 'card_1' } })])
    const change = { type: 'subscription', attributes: { external_ref: 'crm-1', name: 'Eve', suspended: true } }
    expect((await runImport(services, [change])).counts).toEqual({ subscription: [0, 1, 0, 0] })
    expect((await exported())[0]?.attributes).toMatchObject({
      ...{ name: 'Eve', email: 'ada@example.com', suspended: true },
      payment_authority: { type: 'platform_payments_gateway', card_id: 'card_1' },
    })
  })

  it('import.subscription-agreement-stays: another agreement is refused, each member by its name', async () => {
    await runImport(services, [line()])
    const other = {
      ...{ account_id: idOf('account', 2), currency: 'EUR', starts_at: iso(START - DAY), time_zone: 'Asia/Tokyo' },
      ...{ billing_day: 3, invoices_from: iso(START - DAY), only_one: true, trial_ends_at: iso(START + DAY) },
      ...{ offering_id: { external_ref: 'other' }, plan_id: { external_ref: 'yearly' } },
      items: [{ product_id: { external_ref: 'paper' } }, { product_id: { external_ref: 'mug' }, quantity: 3 }],
    }
    const { refused } = await runImport(services, [line(other)])
    const reason =
      'differs from what is stored, and an import changes no agreement: leave the line out, or change the subscription (ACTION_REFUSED)'
    expect(refused.toSorted()).toEqual(
      Object.keys(other)
        .map((name) => `1: data.attributes.${name}: ${reason}`)
        .toSorted(),
    )
  })

  it('import.subscription-agreement-stays: a line that was exported before an action is refused, and changes nothing', async () => {
    await runImport(services, [line()])
    const [before] = await exported()
    await act('pauseSubscription', { id: before?.id })
    const after = await exported()
    expect(after[0]?.attributes.changes).toHaveLength(1)
    const { refused } = await runImport(services, [before as object])
    expect(refused.map((problem) => problem.replace(/: differs.*/, ''))).toEqual([
      '1: data.attributes.changes',
      '1: data.attributes.states',
    ])
    expect(await exported()).toEqual(after)
  })

  it('import.subscription-agreement-stays: a line that has all that is stored and more adds what was asked for since, and what was undone', async () => {
    await runImport(services, [line()])
    const ask = (moment: number) => ({ at: { instant: iso(START + moment * DAY) } })
    const [{ id }] = (await exported()) as unknown as [{ id: string }]
    await act('pauseSubscription', { id, ...ask(5) })
    const text = async () =>
      (await exported()) as unknown as [{ attributes: { changes: { id: string }[]; states: object[] } }]
    const early = await text()
    const changeKey = early[0].attributes.changes[0]?.id
    await act('undoScheduledChange', { id, changeKey })
    await act('cancelSubscription', { id, ...ask(9) })
    const late = await text()
    expect([late[0].attributes.changes.length, late[0].attributes.states.length]).toEqual([2, 2])

    // As if an older backup had been restored.
    await reset(database)
    expect((await runImport(services, early)).refused).toEqual([])
    expect(await runImport(services, late)).toMatchObject({ refused: [], counts: { subscription: [0, 1, 0, 0] } })
    expect(await text()).toEqual(late)
    const { rows } = await database.pool.query('SELECT phase FROM subscription_span ORDER BY from_at')
    expect(rows.map(({ phase }) => phase)).toEqual(['pending', 'active', 'canceled'])
    expect((await runImport(services, late)).counts).toEqual({ subscription: [0, 0, 1, 0] })
  })

  it('subscription.erased-stays-ended: a line does not bring back a subscriber who was erased', async () => {
    await runImport(services, [line()])
    const [before] = await exported()
    await database.pool.query(`UPDATE subscription SET erased_at = $1, subscriber_name = 'erased'`, [new Date(START)])
    const change = { type: 'subscription', id: before?.id, attributes: { name: 'Ada' } }
    expect((await runImport(services, [change])).refused).toEqual([
      '1: data.attributes: the subscription is erased (ACTION_REFUSED)',
    ])
    const [erased] = await exported()
    await reset(database)
    expect((await runImport(services, [before as object, erased as object])).refused).toEqual([
      '2: data.attributes.erased_at: differs from what is stored, and an import erases nobody: leave the line out, or call eraseSubscriber (ACTION_REFUSED)',
    ])
  })
})

describe('an exported line', () => {
  it('export.subscriptions-restored: what does not fit together is refused by its member', async () => {
    await runImport(services, [line()])
    const [{ id, attributes }] = (await exported()) as [{ id: string; attributes: Record<string, unknown> }]
    const asked = {
      asked_at: '2026-01-02T00:00:00.000Z',
      at: '2026-01-03T00:00:00.000Z',
      undone_at: null,
      by_shopper: false,
    }
    const settled = { ...asked, proration: 'none', prorate_at: null }
    const pause = { id: idOf('plan', 1), type: 'pause', ...settled, at_period_end: false, reason: null }
    const resume = { id: idOf('plan', 2), type: 'resume', ...settled, pause_id: null }
    const copy = attributes.offering as object
    const bad: readonly (readonly [object, string])[] = [
      [{ plan: undefined }, 'plan: must be given (REQUIRED)'],
      [{ created_at: undefined }, 'created_at: must be given (REQUIRED)'],
      [{ offering: { ...copy, id: undefined } }, 'offering.id: must be given (REQUIRED)'],
      [
        { offering_id: idOf('offering', 1) },
        'offering_id: is not for a line with offering, the copy (INVALID_STRUCTURE)',
      ],
      [{ changes: [pause, pause] }, 'changes.1.id: is the id of an earlier change (DUPLICATE)'],
      [
        { changes: [pause, { ...resume, asked_at: '2026-01-01T00:00:00Z' }] },
        'changes.1.asked_at: is before that of the change before it: list them as they were asked for (INVALID_STRUCTURE)',
      ],
      [
        { changes: [{ ...pause, at: '2026-01-01T00:00:00Z' }] },
        'changes.0.at: must not be before the instant at which it was asked for (INVALID_STRUCTURE)',
      ],
      [
        { changes: [{ ...pause, asked_at: '2999-01-01T00:00:00Z' }] },
        'changes.0.asked_at: must not be after the import',
      ],
      [
        { changes: [{ ...resume, pause_id: pause.id }] },
        'changes.0.pause_id: must be the id of an earlier pause (INVALID_STRUCTURE)',
      ],
      [
        { changes: [{ ...pause, pause_id: null }] },
        'changes.0.pause_id: is not for the type pause (INVALID_STRUCTURE)',
      ],
      [
        { changes: [{ ...pause, proration: 'half' }] },
        'changes.0.proration: must be one of by_time, none (INVALID_VALUE)',
      ],
      [{ starts_at: '8500-01-01T00:00:00Z' }, 'starts_at: must not be after 7995-'],
    ]
    await reset(database)
    const { refused } = await runImport(
      services,
      bad.map(([changed]) => ({ type: 'subscription', id, attributes: { ...attributes, ...changed } })),
    )
    for (const [index, [, problem]] of bad.entries())
      expect(refused[index]).toContain(`${index + 1}: data.attributes.${problem}`)
    expect(refused).toHaveLength(bad.length)
    const fine = { type: 'subscription', id, attributes: { ...attributes, changes: [pause, resume] } }
    expect((await runImport(services, [fine])).refused).toEqual([])
  })

  it('history.no-secrets, history.entry-for-every-write: an imported subscription has an entry of the import in the history, without name, email and ids of cards', async () => {
    await runImport(services, [line({ payment_authority: { type: 'platform_payments_gateway', card_id: 'card_1' } })])
    const { rows } = await database.pool.query<{ operation: string; subject: string; after: object }>(
      `SELECT operation, subject, after FROM change WHERE topic = 'subscription'`,
    )
    expect(rows).toMatchObject([{ operation: 'import', subject: 'import', after: { agreement: { changes: [] } } }])
    expect(JSON.stringify(rows)).not.toMatch(/Ada|ada@|card_1/)
  })
})
