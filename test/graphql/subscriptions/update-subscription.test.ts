/** Updates of who subscribes and how it is paid, in the graph. */
import { describe, expect, test } from 'vitest'
import { START } from '../../support/server.ts'
import { useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { contextAs, idOf, makeSubscription } from '../../support/subscriptions.ts'

const graph = useSubscriptionGraph()
const { server, database, shopper } = graph

const FIELDS = `subscription { externalRef subscriber { name email } paymentAuthority { customerRef cardRef } updatedAt }
  userErrors { code path message }`
const UPDATE = `mutation ($input: UpdateSubscriptionInput!) { updateSubscription(input: $input) { ${FIELDS} } }`

async function begin(): Promise<string> {
  const payment_authority = { type: 'platform_payments_gateway', customer_id: 'cus_old', card_id: 'card_old' }
  return (await makeSubscription(contextAs(server.services, START), { external_ref: 'crm-1', payment_authority })).id
}

async function update(input: object, token?: string) {
  const { data, errors } = await server.gql(UPDATE, { input }, token === undefined ? {} : { token })
  return errors ? errors[0].extensions.code : data.updateSubscription
}

const gateway = { type: 'PLATFORM_PAYMENTS_GATEWAY' }

describe('subscription.subscriber-updates: updateSubscription', () => {
  test('updateSubscription replaces the card and keeps what is not given', async () => {
    const id = await begin()
    const paid = await update({ id, paymentAuthority: { ...gateway, cardRef: 'card_new' } })
    expect(paid.userErrors).toEqual([])
    expect(paid.subscription).toMatchObject({
      externalRef: 'crm-1',
      subscriber: { name: 'Ada', email: 'ada@example.com' },
      paymentAuthority: { customerRef: null, cardRef: 'card_new' },
    })
    const named = await update({ id, name: 'Ada L', email: 'l@example.com', externalRef: null })
    expect(named.subscription).toMatchObject({
      externalRef: null,
      subscriber: { name: 'Ada L', email: 'l@example.com' },
      paymentAuthority: { cardRef: 'card_new' },
    })
    const cleared = await update({ id, paymentAuthority: null })
    expect(cleared.subscription.paymentAuthority).toEqual({ customerRef: null, cardRef: null })
  })

  test('patch.equal-values-write-nothing: updateSubscription with what is stored changes nothing', async () => {
    const id = await begin()
    const first = await update({ id, name: 'Ada B' })
    expect(await update({ id, name: 'Ada B', email: 'ada@example.com' })).toEqual(first)
    expect(await database.prisma.change.count({ where: { recordId: id } })).toBe(2)
  })

  test.each([
    [{ name: 'ab' }, 'TOO_SHORT', ['name']],
    [{ name: null }, 'REQUIRED', ['name']],
    [{ email: 'ada' }, 'INVALID_FORMAT', ['email']],
    [{ email: null }, 'REQUIRED', ['email']],
    [{ paymentAuthority: { ...gateway, cardRef: 'ab' } }, 'TOO_SHORT', ['paymentAuthority', 'cardRef']],
    [{ externalRef: 'x'.repeat(2049) }, 'TOO_LONG', ['externalRef']],
  ])('updateSubscription refuses %j', async (input, code, path) => {
    const id = await begin()
    expect(await update({ id, ...input })).toMatchObject({ subscription: null, userErrors: [{ code, path }] })
  })

  test('shoppers update a subscription of their own account, without its external reference', async () => {
    const id = await begin()
    const [own, other] = [await shopper(idOf('account', 1)), await shopper(idOf('account', 2))]
    expect((await update({ id, name: 'Grace' }, own)).subscription.subscriber.name).toBe('Grace')
    expect(await update({ id, externalRef: 'mine' }, own)).toBe('FORBIDDEN')
    expect(await update({ id, externalRef: null }, own)).toBe('FORBIDDEN')
    expect((await update({ id, name: 'Eve' }, other)).userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['id'] }])
    expect(await update({ id, name: 'Eve' }, await shopper())).toBe('FORBIDDEN')
  })
})

test('subscription.stored-once: no log and no stored result has who subscribed and paid, and a repeat shows those of now', async () => {
  const create = `mutation ($input: CreateSubscriptionInput!) { createSubscription(input: $input) { ${FIELDS} } }`
  const ids = { accountId: idOf('account', 1), offeringId: idOf('offering', 1), planId: idOf('plan', 1) }
  const authority = { ...gateway, customerRef: 'cus_secret', cardRef: 'card_secret' }
  const input = { ...ids, currency: 'USD', name: 'Secretive', email: 'secret@example.com', paymentAuthority: authority }
  const keyed = { input: { ...input, externalRef: 'secret-ref', idempotencyKey: 'stored-once' } }
  const first = (await server.gql(create, keyed)).data.createSubscription
  expect(first.subscription.paymentAuthority).toEqual({ customerRef: 'cus_secret', cardRef: 'card_secret' })
  const { id } = await database.prisma.subscription.findFirstOrThrow({ where: { subscriberName: 'Secretive' } })
  const change = { id, name: 'Somebody', paymentAuthority: { ...gateway, cardRef: 'card_next' }, idempotencyKey: 'k' }
  const changed = await update(change)
  expect(await update(change)).toEqual(changed)
  expect((await server.gql(create, keyed)).data.createSubscription.subscription).toEqual({
    ...first.subscription,
    subscriber: { name: 'Somebody', email: 'secret@example.com' },
    paymentAuthority: { customerRef: null, cardRef: 'card_next' },
  })
  const stored = [await database.prisma.idempotencyKey.findMany(), await database.prisma.change.findMany()]
  const text = JSON.stringify(stored, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  expect(text).toContain(id)
  expect(text).not.toMatch(/cus_secret|card_secret|card_next|Secretive|Somebody|secret@example/)
  expect(JSON.stringify(stored[0], (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
    'secret-ref',
  )
})

test('write.idempotency-key: an update with a repeated key acts once, and with another input is refused', async () => {
  const id = await begin()
  expect((await update({ id, name: 'Once', idempotencyKey: 'u' })).userErrors).toEqual([])
  expect((await update({ id, name: 'Twice', idempotencyKey: 'u' })).userErrors).toMatchObject([
    { code: 'IDEMPOTENCY_MISMATCH' },
  ])
  expect(await database.prisma.change.count({ where: { recordId: id } })).toBe(2)
})
