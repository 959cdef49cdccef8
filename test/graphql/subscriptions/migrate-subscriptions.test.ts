/** The migration of many subscriptions in the graph. */
import { beforeEach, describe, expect, test } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { START } from '../../support/server.ts'
import { DAY, iso, subscriptionActions } from '../../support/subscription-actions.ts'
import { useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct } from '../../support/subscriptions.ts'

const graph = useSubscriptionGraph()
const { server, database } = graph
const { begin, done, call, life } = subscriptionActions(graph)

const [one, two] = [idOf('product', 1), idOf('product', 2)]
const [cheap, offering] = [idOf('plan', 90), idOf('offering', 90)]
const FIELDS = `{ moved { subscription { id } at before { amount } after { amount } } skipped { subscription { id } reason }
  sums { before { amount currency } after { amount } } endCursor hasNextPage }`

interface Said {
  readonly migration: Migrated | null
  readonly preview: Migrated | null
  readonly userErrors: readonly object[]
}
interface Migrated {
  readonly moved: readonly { subscription: { id: string }; at: string; before: Amount; after: Amount }[]
  readonly skipped: readonly { subscription: { id: string }; reason: string }[]
  readonly sums: readonly object[]
  readonly endCursor: string | null
  readonly hasNextPage: boolean
}
type Amount = { readonly amount: number } | null

async function migrate(input: object, role: 'admin' | 'shopper' = 'admin'): Promise<Said> {
  const { token } = await server.issue({ subject: 'ada', role }, server.now)
  const document = `mutation ($input: MigrateSubscriptionsInput!) { migrateSubscriptions(input: $input) {
    migration ${FIELDS} preview ${FIELDS} userErrors { code path message } } }`
  const { data, errors } = await server.gql(document, { input }, { token })
  return errors ? errors[0].extensions.code : data.migrateSubscriptions
}

/** In short: which move from what to what, and which stay. */
function inShort({ moved, skipped }: Migrated) {
  return [
    ...moved.map(
      (move) => `${move.subscription.id} ${move.at.slice(5, 10)} ${move.before?.amount} ${move.after?.amount}`,
    ),
    ...skipped.map(({ subscription, reason }) => `${subscription.id} ${reason}`),
  ]
}
const ofOffering = { filter: { offeringId: offering } }
const gid = (id: string) => globalId('AccountSubscription', id)

async function price(amount: number | null): Promise<void> {
  const given = amount === null ? {} : { USD: { amount, includes_tax: false } }
  for (const id of [one, two])
    await database.prisma.subscriptionProduct.update({ where: { id }, data: { price: given } })
}

const terms = async (): Promise<unknown> =>
  (await database.pool.query('SELECT id, agreement, updated_at FROM subscription ORDER BY id')).rows

let number = 0
beforeEach(async () => {
  await database.pool.query('TRUNCATE subscription CASCADE')
  await price(1000)
  server.now = START
  if (number++ > 0) return
  const ctx = contextAs(server.services, START)
  await makePlan(ctx, cheap, { name: 'Half', base_price_percentage: 50 })
  await makeOffering(ctx, offering, { plans: [idOf('plan', 1), cheap], products: [one, two] })
})

const start = (more: object = {}) => begin({ offering_id: offering, ...more })

describe('subscription.migrated-at-a-period, subscription.migration-tells-what-stays: migrateSubscriptions', () => {
  test('subscriptions take prices of now from their next period on, whose invoices are told before and after', async () => {
    const [first, second] = [await start(), await start({ account_id: idOf('account', 2) })]
    await begin()
    await price(1500)
    server.now = START + 3 * DAY
    const { migration, preview, userErrors } = await migrate({ ...ofOffering, to: { currentPrices: true } })
    expect([userErrors, preview]).toEqual([[], null])
    expect(inShort(migration as Migrated)).toEqual([first, second].sort().map((id) => `${gid(id)} 02-15 2000 3000`))
    expect(migration).toMatchObject({
      sums: [{ before: { amount: 4000, currency: 'USD' }, after: { amount: 6000 } }],
      hasNextPage: false,
    })
    expect((await life(first)).slice(1, 4)).toEqual(['01-15 INVOICE 2000', '02-15 CHANGES', '02-15 INVOICE 3000'])
  })

  test('subscription.exact-sums: a call whose sums are beyond 2^53-1 is refused and moves nothing, one for fewer is taken', async () => {
    await start()
    await start({ account_id: idOf('account', 2) })
    await price(2_500_000_000_000_000)
    const before = await terms()
    const asked = { ...ofOffering, to: { currentPrices: true } }
    const message = 'the sums in USD would be beyond 9007199254740991: ask for fewer subscriptions'
    const refused = { migration: null, preview: null, userErrors: [{ code: 'OUT_OF_RANGE', path: ['first'], message }] }
    expect([await migrate({ ...asked, dryRun: true }), await migrate(asked)]).toEqual([refused, refused])
    expect(await terms()).toEqual(before)
    const { migration } = await migrate({ ...asked, first: 1 })
    expect(migration?.sums).toEqual([
      { before: { amount: 2000, currency: 'USD' }, after: { amount: 5_000_000_000_000_000 } },
    ])
  })

  test('a dry run tells the same as the run, and writes nothing', async () => {
    await start()
    await price(1500)
    const before = await terms()
    const asked = { ...ofOffering, to: { planId: globalId('Plan', cheap) }, notBefore: iso(START + 40 * DAY) }
    const dry = await migrate({ ...asked, dryRun: true })
    expect(await terms()).toEqual(before)
    const { migration } = await migrate(asked)
    expect(dry).toEqual({ migration: null, preview: migration, userErrors: [] })
    expect(inShort(migration as Migrated)).toMatchObject([expect.stringMatching(/ 03-15 2000 1500$/)])
  })

  test('a subscription takes effect at the first start of a period at or after notBefore, to the millisecond', async () => {
    const id = await start()
    await price(1500)
    const due = Date.UTC(2026, 1, 15, 12)
    const moves = async (notBefore: number) =>
      inShort(
        (await migrate({ ...ofOffering, to: { currentPrices: true }, notBefore: iso(notBefore), dryRun: true }))
          .preview as Migrated,
      )
    expect(await moves(due)).toEqual([`${gid(id)} 02-15 2000 3000`])
    expect(await moves(due + 1)).toEqual([`${gid(id)} 03-15 2000 3000`])
  })

  test('a repeat moves nothing twice, before it takes effect and after', async () => {
    const id = await start()
    const asked = { ...ofOffering, to: { planId: cheap } }
    expect(inShort((await migrate(asked)).migration as Migrated)).toEqual([`${gid(id)} 02-15 2000 1000`])
    expect(inShort((await migrate(asked)).migration as Migrated)).toEqual([`${gid(id)} CHANGE_AHEAD`])
    server.now = START + 45 * DAY
    expect(inShort((await migrate(asked)).migration as Migrated)).toEqual([`${gid(id)} UNCHANGED`])
    expect(inShort((await migrate({ ...asked, to: { currentPrices: true } })).migration as Migrated)).toEqual([
      `${gid(id)} UNCHANGED`,
    ])
  })

  test('a migration to a plan that there is not is refused, and moves nothing', async () => {
    await start()
    const refused = {
      code: 'NOT_FOUND',
      path: ['to', 'planId'],
      message: expect.stringContaining('no such plan'),
    }
    for (const dryRun of [true, false]) {
      const { userErrors } = await migrate({ ...ofOffering, dryRun, to: { planId: idOf('plan', 99) } })
      expect(userErrors).toEqual([expect.objectContaining(refused)])
    }
  })

  test('what is canceled, lacks a plan or a price, has too large an amount, or is under another plan is left, and told why', async () => {
    const id = await start()
    const reasons = async (input: object) => inShort((await migrate({ dryRun: true, ...input })).preview as Migrated)
    expect(await reasons({ to: { planId: idOf('plan', 2) } })).toEqual([`${gid(id)} PLAN_NOT_OFFERED`])
    await price(null)
    expect(await reasons({ to: { currentPrices: true } })).toEqual([`${gid(id)} NO_PRICE`])
    await price(2 ** 52)
    expect(await reasons({ to: { currentPrices: true } })).toEqual([`${gid(id)} OUT_OF_RANGE`])
    await price(2 ** 52 - 1)
    expect(await reasons({ to: { currentPrices: true } })).toEqual([`${gid(id)} 02-15 2000 ${2 ** 53 - 2}`])
    await price(1500)
    expect(await reasons({ to: { currentPrices: true }, filter: { planId: cheap } })).toEqual([])
    expect(await reasons({ to: { currentPrices: true }, filter: { currency: 'EUR' } })).toEqual([])
    expect(await reasons({ to: { currentPrices: true }, filter: { productId: idOf('product', 9) } })).toEqual([])
    expect(await reasons({ to: { currentPrices: true }, filter: { createdBefore: iso(START) } })).toEqual([])
    expect(
      await reasons({
        to: { currentPrices: true },
        filter: { productId: one, currency: 'USD', planId: idOf('plan', 1) },
      }),
    ).toHaveLength(1)
    await done('cancelSubscription', { id })
    expect(await reasons({ to: { currentPrices: true } })).toEqual([`${gid(id)} CANCELED`])
  })

  test('a product is meant when it is held now, whatever is ahead or was overtaken', async () => {
    const id = await start()
    const of = async (productId: string) => {
      const filter = { ...ofOffering.filter, productId }
      const { preview } = await migrate({ filter, to: { planId: cheap }, dryRun: true })
      return inShort(preview as Migrated)
    }
    const held = await of(one)
    expect([held.length, (await of(two)).length]).toEqual([1, 1])
    await done('changeSubscription', { id, items: [{ productId: one }], at: { instant: iso(START + 20 * DAY) } })
    expect([await of(one), await of(two)]).toEqual([[`${gid(id)} CHANGE_AHEAD`], [`${gid(id)} CHANGE_AHEAD`]])
    await done('cancelSubscription', { id, at: { instant: iso(START + 10 * DAY) } })
    server.now = START + 21 * DAY
    await done('resumeSubscription', { id })
    // The change was overtaken by the cancel, so that both are held on.
    expect([await of(one), await of(two)]).toEqual([held, held])
    server.now += DAY
    await done('changeSubscription', { id, items: [{ productId: one }] })
    expect(await of(two)).toEqual([])
    expect(await of(one)).toHaveLength(1)
  })

  test('what closes before the change, or at it, is left, and what closes a period later moves', async () => {
    const reasons = async (planLength: number) => {
      await makePlan(contextAs(server.services, START), idOf('plan', 92 + planLength), { plan_length: planLength })
      await makeOffering(contextAs(server.services, START), idOf('offering', 92 + planLength), {
        plans: [idOf('plan', 92 + planLength), cheap],
        products: [one],
      })
      const filter = { offeringId: idOf('offering', 92 + planLength) }
      await begin({ offering_id: filter.offeringId, plan_id: idOf('plan', 92 + planLength) })
      const { preview } = await migrate({ filter, to: { planId: cheap }, dryRun: true })
      server.now = START + 65 * DAY
      const { preview: later } = await migrate({ filter, to: { planId: cheap }, dryRun: true })
      return [preview, later].map((one) => one?.skipped[0]?.reason ?? one?.moved[0]?.at.slice(5, 10))
    }
    expect(await reasons(1)).toEqual(['CLOSED', 'CLOSED'])
    expect(await reasons(2)).toEqual(['02-15', 'CLOSED'])
    expect(await reasons(3)).toEqual(['02-15', 'CLOSED'])
    expect(await reasons(4)).toEqual(['02-15', '04-15'])
  })

  test('a product that is gone, and a full history of changes, leave a subscription as it is', async () => {
    const [gone, its] = [idOf('product', 99), idOf('offering', 99)]
    await makeProduct({ services: server.services, now: START }, gone, {
      price: { USD: { amount: 1000, includes_tax: false } },
    })
    await makeOffering(contextAs(server.services, START), its, { plans: [idOf('plan', 1)], products: [gone] })
    const id = await begin({ offering_id: its })
    await database.prisma.offering.delete({ where: { id: its } })
    await database.prisma.subscriptionProduct.delete({ where: { id: gone } })
    const asked = { to: { currentPrices: true }, dryRun: true }
    expect(inShort((await migrate(asked)).preview as Migrated)).toEqual([`${gid(id)} PRODUCT_GONE`])
    await database.pool.query('TRUNCATE subscription CASCADE')
    const full = await start()
    await done('changeSubscription', { id: full, items: [{ productId: one }, { productId: two, quantity: 2 }] })
    const grown = async (count: number) =>
      database.pool.query(
        `UPDATE subscription SET agreement = jsonb_set(agreement::jsonb, '{changes}',
           (SELECT jsonb_agg(agreement #> '{changes,0}' || jsonb_build_object('id', md5(g::text)::uuid)) FROM generate_series(1, $1) g))`,
        [count],
      )
    await price(1500)
    await grown(999)
    expect(inShort((await migrate(asked)).preview as Migrated)).toEqual([`${gid(full)} 02-15 3000 4500`])
    await grown(1000)
    expect(inShort((await migrate(asked)).preview as Migrated)).toEqual([`${gid(full)} NO_ROOM`])
  })

  test('of two migrations at once one moves each subscription, and the other tells that a change is ahead', async () => {
    const ids = [await start(), await start()].sort()
    await price(1500)
    const both = await Promise.all([1, 2].map(() => migrate({ to: { currentPrices: true } })))
    const said = both.map(({ migration }) => inShort(migration as Migrated)).sort()
    expect(said).toEqual([ids.map((id) => `${gid(id)} 02-15 2000 3000`), ids.map((id) => `${gid(id)} CHANGE_AHEAD`)])
    const { rows } = await database.pool.query(
      `SELECT jsonb_array_length(agreement::jsonb -> 'changes') AS n FROM subscription`,
    )
    expect(rows).toEqual([{ n: 1 }, { n: 1 }])
  })

  test('a paused subscription and one in trial move at their next start of a period', async () => {
    const id = await start()
    await done('pauseSubscription', { id, at: { moment: 'NOW' } })
    await price(1500)
    const { migration } = await migrate({ to: { currentPrices: true } })
    expect(inShort(migration as Migrated)).toEqual([`${gid(id)} 02-15 undefined undefined`])
    expect(migration?.sums).toEqual([{ before: { amount: 0, currency: 'USD' }, after: { amount: 0 } }])
    server.now = START + 33 * DAY
    expect((await done('resumeSubscription', { id, proration: 'NONE' })).nextAmount).toEqual({ amount: 3000 })
  })

  test('a call looks at as many as it is asked for, and the next one goes on behind them', async () => {
    const ids = [await start(), await start(), await start()].sort()
    await price(1500)
    const to = { currentPrices: true }
    const first = (await migrate({ to, first: 2 })).migration as Migrated
    expect([first.moved.length, first.hasNextPage]).toEqual([2, true])
    const rest = (await migrate({ to, first: 2, after: first.endCursor })).migration as Migrated
    expect([inShort(rest), rest.hasNextPage]).toEqual([[`${gid(ids[2] as string)} 02-15 2000 3000`], false])
    for (const given of [0, 1001])
      expect((await migrate({ to, first: given })).userErrors).toMatchObject([
        { code: 'OUT_OF_RANGE', path: ['first'] },
      ])
  })

  test('a migration needs an aim, and an administrator', async () => {
    expect((await migrate({ to: { planId: 'none' } })).userErrors).toMatchObject([
      { code: 'INVALID_FORMAT', path: ['to', 'planId'] },
    ])
    expect((await migrate({ to: { currentPrices: false } })).userErrors).toMatchObject([
      { code: 'REQUIRED', path: ['to'] },
    ])
    expect(await migrate({ to: { currentPrices: true } }, 'shopper')).toBe('FORBIDDEN')
  })

  test('one key does it once, and a simultaneous cancel and migration lose nothing', async () => {
    const id = await start()
    await price(1500)
    const asked = { ...ofOffering, to: { currentPrices: true }, idempotencyKey: 'k' }
    const [moved, canceled] = await Promise.all([migrate(asked), call('cancelSubscription', { id })])
    expect(canceled.userErrors).toEqual([])
    expect(await migrate(asked)).toEqual(moved)
    const { rows } = await database.pool.query('SELECT agreement FROM subscription WHERE id = $1', [id])
    const types = rows[0].agreement.changes.map(({ type }: { type: string }) => type).sort()
    expect(types).toEqual(
      inShort(moved.migration as Migrated)[0]?.endsWith('CANCELED') ? ['cancel'] : ['cancel', 'change'],
    )
  })

  test('a migration runs as many statements for two subscriptions as for ten', async () => {
    const counted = async (count: number) => {
      await database.pool.query('TRUNCATE subscription CASCADE')
      await price(1000)
      for (let at = 0; at < count; at++) await start()
      await price(1500)
      let statements = 0
      const end = database.onStatement(() => statements++)
      const { migration } = await migrate({ to: { currentPrices: true } })
      end()
      expect(migration?.moved).toHaveLength(count)
      return statements
    }
    const few = await counted(2)
    expect(await counted(10)).toBe(few)
  })
})
