/** Terms of subscriptions in the graph. */
import { expect, test } from 'vitest'
import { countStatements } from '../../support/database.ts'
import { START } from '../../support/server.ts'
import { ACCOUNT, FEB_15, iso, period, subscriptionActions } from '../../support/subscription-actions.ts'
import { useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { idOf } from '../../support/subscriptions.ts'

const graph = useSubscriptionGraph()
const { server, database, ask, shopper } = graph
const { begin, done } = subscriptionActions(graph)

const FIELDS = 'terms { from to plan { name } items { name sku quantity unitAmount { amount currency } includesTax } }'
const paper = (quantity: number) => [{ productId: idOf('product', 1), quantity }]
/** Within the life of a token. */
const LATER = START + 1000
const item = (number: number, quantity: number) => ({
  ...{ name: `Product ${number}`, sku: null, quantity },
  ...{ unitAmount: { amount: 1000, currency: 'USD' }, includesTax: false },
})

test('subscription.terms-in-sequence: terms that are over, in force and scheduled are told with plan and items, to a shopper of its account', async () => {
  const id = await begin()
  server.now = LATER
  await done('changeSubscription', { id, items: paper(3) })
  await done('changeSubscription', { id, planId: idOf('plan', 2), items: paper(5), ...period })
  const expected = [
    { from: iso(START), to: iso(LATER), plan: { name: 'Plan 1' }, items: [item(2, 1), item(1, 1)] },
    { from: iso(LATER), to: iso(FEB_15), plan: { name: 'Plan 1' }, items: [item(1, 3)] },
    { from: iso(FEB_15), to: null, plan: { name: 'Plan 2' }, items: [item(1, 5)] },
  ]
  const read = async (token?: string) =>
    (await ask(`{ subscription(id: "${id}") { ${FIELDS} } }`, {}, token)).subscription
  expect(await read()).toEqual({ terms: expected })
  expect(await read(await shopper(ACCOUNT))).toEqual({ terms: expected })
  expect(await read(await shopper(idOf('account', 2)))).toBe(null)

  const preview = `mutation ($input: ChangeSubscriptionInput!) { changeSubscription(input: $input) {
    preview { before { ${FIELDS} } after { ${FIELDS} } } userErrors { code } } }`
  server.now += 1
  const input = { id, items: paper(4), replace: true, dryRun: true }
  const { changeSubscription } = await ask(preview, { input })
  expect(changeSubscription.preview.before.terms).toEqual(expected)
  expect(changeSubscription.preview.after.terms).toEqual([
    expected[0],
    { ...expected[1], to: iso(LATER + 1) },
    { from: iso(LATER + 1), to: null, plan: { name: 'Plan 1' }, items: [item(1, 4)] },
  ])
})

test('the terms of many subscriptions take no statement of their own', async () => {
  await begin()
  const list = (fields: string) => `{ subscriptions(first: 5) { nodes { id ${fields} } } }`
  const { count } = await countStatements(database, () => ask(list('phase')))
  expect((await countStatements(database, () => ask(list(FIELDS)))).count).toBe(count)
})
