/** The erasure of a subscriber, in the graph. */
import { describe, expect, test } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { START } from '../../support/server.ts'
import { at, DAY, iso, now, subscriptionActions } from '../../support/subscription-actions.ts'
import { useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { idOf } from '../../support/subscriptions.ts'

const graph = useSubscriptionGraph()
const { server, database, ask, shopper } = graph
const { begin, done, refused } = subscriptionActions(graph)

const ERASE = `mutation ($input: EraseSubscriberInput!) {
  eraseSubscriber(input: $input) { erasedCount userErrors { code path message } } }`

const admin = async () => (await server.issue({ subject: 'admin', role: 'admin' }, server.now)).token

async function erase(input: object, token?: string) {
  const { data, errors } = await server.gql(ERASE, { input }, { token: token ?? (await admin()) })
  return errors ? errors[0].extensions.code : data.eraseSubscriber
}

const words = ['Vanishing Vera', 'vera@gone.example', 'cus_vera', 'card_vera', 'ref-vera', 'Vera moves', 'Vera left']
const payment_authority = { type: 'platform_payments_gateway', customer_id: 'cus_vera', card_id: 'card_vera' }
const vera = { name: 'Vanishing Vera', email: 'vera@gone.example', external_ref: 'ref-vera', payment_authority }
const gone = (erasedCount: number) => ({ erasedCount, userErrors: [] })

/** The tables that hold each of the words. */
async function placesOfWords(): Promise<string[][]> {
  const tables = await database.prisma.$queryRaw<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`
  const texts = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await database.prisma.$queryRawUnsafe<{ text: string }[]>(
      `SELECT coalesce(json_agg(t)::text, '') AS text FROM "${name}" t`,
    )
    texts.set(name, row?.text ?? '')
  }
  return words.map((word) => [...texts].filter(([, text]) => text.includes(word)).map(([name]) => name))
}

describe('subscription.erased-when-ended: eraseSubscriber', () => {
  test('no table has a word of the subscriber, and all else stays', async () => {
    const account_id = idOf('account', 30)
    const [first, second] = [await begin({ account_id, ...vera }), await begin({ account_id, ...vera })]
    const other = await begin({ account_id: idOf('account', 31), external_ref: 'other' })
    const cancel = { id: first, reason: 'Vera moves', idempotencyKey: 'vera 1', ...now }
    const canceled = await done('cancelSubscription', cancel)
    server.now += 1
    await done('resumeSubscription', { id: first, idempotencyKey: 'vera 2' })
    server.now += 1
    for (const id of [first, second])
      await done('cancelSubscription', { id, reason: 'Vera left', idempotencyKey: `vera ${id}`, ...now })
    await done('cancelSubscription', { id: other, reason: 'other', idempotencyKey: 'other', ...now })
    const columns = { id: true, before: true, after: true } as const
    const stored = async () => ({
      rows: await database.prisma.subscription.findMany({ omit: { version: true }, orderBy: { id: 'asc' } }),
      log: await database.prisma.change.findMany({ select: columns, orderBy: { id: 'asc' } }),
      answers: await database.prisma.idempotencyKey.findMany({ orderBy: { id: 'asc' } }),
    })
    const [before, inLog] = [await stored(), ['change', 'idempotency_key', 'subscription']]
    expect(await placesOfWords()).toEqual([
      ...[1, 2, 3, 4].map(() => ['subscription']),
      ['change', 'subscription'],
      inLog,
      inLog,
    ])

    server.now += DAY / 2
    expect(await erase({ accountId: account_id })).toEqual(gone(2))
    expect(await placesOfWords()).toEqual(words.map(() => []))

    const after = await stored()
    const fixed = { externalRef: null, subscriberName: 'erased', subscriberEmail: 'erased@erased.invalid' }
    const withoutReasons = (value: unknown) => JSON.parse(JSON.stringify(value).replace(/"Vera (moves|left)"/g, 'null'))
    const erasedRows = before.rows.map((row) => {
      if (row.accountId !== account_id) return row
      const at = new Date(server.now)
      const paymentAuthority = { type: 'platform_payments_gateway' }
      return {
        ...row,
        ...fixed,
        paymentAuthority,
        agreement: withoutReasons(row.agreement),
        erasedAt: at,
        updatedAt: at,
      }
    })
    expect(after.rows).toEqual(erasedRows)
    expect(after.answers).toEqual(
      before.answers.map((one) => ({ ...one, result: withoutReasons(one.result) as object })),
    )
    const logged = JSON.parse(
      JSON.stringify(before.log.map(({ id: _, ...entry }) => entry)).replaceAll('"ref-vera"', 'null'),
    )
    const entries = after.log.map(({ id: _, ...entry }) => entry)
    expect(entries.slice(0, -2)).toEqual(withoutReasons(logged))
    expect(entries.slice(-2)).toMatchObject(
      [1, 2].map(() => ({
        before: { externalRef: null, erasedAt: null },
        after: { accountId: account_id, erasedAt: server.now },
      })),
    )

    const repeated = await done('cancelSubscription', cancel)
    expect(repeated).toEqual({ ...canceled, changes: [{ ...canceled.changes[0], reason: null }] })
    expect(await erase({ accountId: globalId('Account', account_id) })).toEqual(gone(0))
    expect(await stored()).toEqual(after)
  })

  test('it is refused, naming the first subscription that has not ended or will run again', async () => {
    const accountId = idOf('account', 32)
    const ids = [await begin({ account_id: accountId }), await begin({ account_id: accountId })]
    const refusal = (id?: string) => ({
      erasedCount: null,
      userErrors: [{ code: 'ACTION_REFUSED', path: ['accountId'], message: `the subscription ${id} has not ended` }],
    })
    expect(await erase({ accountId })).toEqual(refusal(ids[0]))
    await done('cancelSubscription', { id: ids[0], ...now })
    await done('cancelSubscription', { id: ids[1] })
    expect(await erase({ accountId })).toEqual(refusal(ids[1]))
    server.now = START + 31 * DAY
    await done('resumeSubscription', { id: ids[1], ...at(server.now + DAY) })
    expect(await erase({ accountId })).toEqual(refusal(ids[1]))
    server.now += DAY + 1
    await done('cancelSubscription', { id: ids[1], ...now })
    expect(await erase({ accountId, idempotencyKey: 'e' })).toEqual(gone(2))
    expect(await erase({ accountId, idempotencyKey: 'e' })).toEqual(gone(2))
    expect(await erase({ accountId })).toEqual(gone(0))
  })

  test('it is erased once it is closed, and the graph says since when', async () => {
    const account_id = idOf('account', 33)
    const id = await begin({ account_id })
    const read = `{ subscription(id: "${id}") { erasedAt externalRef subscriber { name email } paymentAuthority { cardRef } } }`
    expect((await ask(read)).subscription.erasedAt).toBeNull()
    server.now = Date.UTC(2027, 0, 15, 12)
    expect(await erase({ accountId: account_id })).toEqual(gone(1))
    expect((await ask(read, {}, await admin())).subscription).toEqual({
      erasedAt: iso(server.now),
      externalRef: null,
      subscriber: { name: 'erased', email: 'erased@erased.invalid' },
      paymentAuthority: { cardRef: null },
    })
  })

  test('it is for administrators, and an account must have a subscription', async () => {
    server.now = START
    const accountId = idOf('account', 1)
    expect(await erase({ accountId }, await shopper(accountId))).toBe('FORBIDDEN')
    expect((await erase({ accountId: idOf('account', 99) })).userErrors).toEqual([
      { code: 'NOT_FOUND', path: ['accountId'], message: 'No such account' },
    ])
    expect((await erase({ accountId: 'nobody' })).userErrors).toMatchObject([
      { code: 'INVALID_FORMAT', path: ['accountId'] },
    ])
  })
})

test('subscription.erased-stays-ended: an erased subscription takes no resume, update, change, pause and cancel', async () => {
  const account_id = idOf('account', 34)
  const id = await begin({ account_id })
  await done('cancelSubscription', { id, ...now })
  expect(await erase({ accountId: account_id })).toEqual(gone(1))
  expect(await refused('updateSubscription', { id, name: 'Vera' })).toEqual(['ACTION_REFUSED id'])
  expect(await refused('resumeSubscription', { id })).toEqual(['ACTION_REFUSED id'])
  expect(await refused('cancelSubscription', { id, reason: 'Vera', ...now })).toEqual(['ACTION_REFUSED id'])
  expect(await refused('pauseSubscription', { id })).toEqual(['ACTION_REFUSED id'])
  const items = [{ productId: idOf('product', 1), quantity: 2 }]
  expect(await refused('changeSubscription', { id, items })).toEqual(['ACTION_REFUSED id'])
  const allowed = await ask(`{ subscription(id: "${id}") { allowedActions } }`)
  expect(allowed.subscription.allowedActions).toEqual([])
})
