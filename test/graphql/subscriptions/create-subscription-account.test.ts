/** The account of a new subscription in the graph: the one that is named, else the one of the token. */
import { describe, expect, test } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { ACCOUNT_ONE, useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { idOf } from '../../support/subscriptions.ts'

const { server, shopper } = useSubscriptionGraph()
const terms = {
  offeringId: idOf('offering', 1),
  planId: idOf('plan', 1),
  currency: 'USD',
  name: 'Ada',
  email: 'ada@example.com',
}

async function create(token: string, account: object) {
  const query = `mutation ($input: CreateSubscriptionInput!) {
    createSubscription(input: $input) { subscription { account { id } } userErrors { code path message } } }`
  const { data, errors } = await server.gql(query, { input: { ...terms, ...account } }, { token })
  return errors
    ? errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)
    : data.createSubscription
}

const of = (account: string) => ({ subscription: { account: { id: globalId('Account', account) } }, userErrors: [] })
const required = {
  subscription: null,
  userErrors: [{ code: 'REQUIRED', path: ['accountId'], message: 'must be given' }],
}

describe('right.shoppers-see-published-and-own: createSubscription', () => {
  test('createSubscription takes the account of the token when accountId is absent or null', async () => {
    const token = await shopper(idOf('account', 5).toUpperCase())
    for (const absent of [{}, { accountId: null }]) expect(await create(token, absent)).toEqual(of(idOf('account', 5)))
    const admin = (await server.issue({ subject: 'clerk', role: 'admin', accountId: idOf('account', 6) }, server.now))
      .token
    expect(await create(admin, {})).toEqual(of(idOf('account', 6)))
    expect(await create(admin, { accountId: ACCOUNT_ONE })).toEqual(of(ACCOUNT_ONE))
  })

  test('createSubscription requires accountId where the token names no account', async () => {
    for (const absent of [{}, { accountId: null }]) expect(await create(server.admin, absent)).toEqual(required)
    expect(await create(server.shopper, {})).toEqual(['FORBIDDEN'])
  })

  test('createSubscription is refused to a shopper of another account', async () => {
    expect(await create(await shopper(ACCOUNT_ONE), { accountId: idOf('account', 2) })).toEqual(['FORBIDDEN'])
  })

  test('createSubscription takes a call with the account named and one without as the same, under one idempotency key', async () => {
    const token = await shopper(ACCOUNT_ONE)
    const count = async () =>
      (await server.gql('{ viewer { account { subscriptions { totalCount } } } }', {}, { token })).data
    expect(await create(token, { idempotencyKey: 'once' })).toEqual(of(ACCOUNT_ONE))
    const before = await count()
    expect(await create(token, { idempotencyKey: 'once', accountId: globalId('Account', ACCOUNT_ONE) })).toEqual(
      of(ACCOUNT_ONE),
    )
    expect(await count()).toEqual(before)
  })
})
