/** The edges between products, offerings, plans, accounts and subscriptions: both ways, paged, in few statements. */
import { describe, expect, it } from 'vitest'
import { writeCursor } from '../../../src/graphql/schema/cursor.ts'
import { countStatements } from '../../support/database.ts'
import { mutate } from '../../support/mutations.ts'
import { START } from '../../support/server.ts'
import { ACCOUNT_ONE, OFFERINGS, range, useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { contextAs, idOf, makeSubscription } from '../../support/subscriptions.ts'

const graph = useSubscriptionGraph()
const { database, server, ask } = graph

describe('edges both ways', () => {
  const names = ({ nodes }: { nodes: { name: string }[] }) => nodes.map(({ name }) => name)

  it('an offering has edges to its plans and products in its order, and they have edges back', async () => {
    const { offering, plan } = await ask(`{
      offering(id: "${idOf('offering', 1)}") { plans { nodes { name } totalCount } products { nodes { name offerings(first: 1) { nodes { name } totalCount } } } }
      plan(id: "${idOf('plan', 1)}") { offerings(last: 2) { nodes { name plans(first: 1) { nodes { name } } } } }
    }`)
    expect(names(offering.plans)).toEqual(['Plan 3', 'Plan 1', 'Plan 2'])
    expect(offering.plans.totalCount).toBe(3)
    expect(names(offering.products)).toEqual(['Product 2', 'Product 1'])
    expect(offering.products.nodes[0].offerings).toEqual({ nodes: [{ name: 'Offering 1' }], totalCount: OFFERINGS })
    expect(plan.offerings.nodes).toEqual(
      [19, 20].map((number) => ({ name: `Offering ${number}`, plans: { nodes: [{ name: 'Plan 3' }] } })),
    )
  })

  it.each([1, 3, 7])('pages of %i walk all of a plan’s offerings, forward and backward', async (size) => {
    const walk = async (backward: boolean) => {
      const found: string[] = []
      for (let cursor: string | null = null; ; ) {
        const bound: string = cursor === null ? '' : `, ${backward ? 'before' : 'after'}: "${cursor}"`
        const args = `${backward ? 'last' : 'first'}: ${size}${bound}`
        const { plan } = await ask(`{ plan(id: "${idOf('plan', 2)}") { offerings(${args}) {
          nodes { name } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`)
        const { nodes, pageInfo } = plan.offerings
        found.push(...(backward ? names({ nodes }).reverse() : names({ nodes })))
        if (!(backward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return found
        cursor = backward ? pageInfo.startCursor : pageInfo.endCursor
      }
    }
    const all = range(OFFERINGS).map((number) => `Offering ${number}`)
    expect(await walk(false)).toEqual(all)
    expect(await walk(true)).toEqual([...all].reverse())
  })

  it('lists of offerings refuse cursors of other lists', async () => {
    const far = writeCursor([Number.MAX_SAFE_INTEGER, idOf('offering', 1)])
    for (const cursor of [
      'x',
      far,
      writeCursor([1]),
      writeCursor(['1', idOf('offering', 1)]),
      writeCursor([1, "'; DROP TABLE plan"]),
    ]) {
      const reply = await server.gql(
        'query ($id: ID!, $after: String) { plan(id: $id) { offerings(after: $after) { nodes { id } } } }',
        {
          id: idOf('plan', 1),
          after: cursor,
        },
      )
      expect(reply.errors[0].extensions.code).toBe('BAD_USER_INPUT')
    }
  })
})

describe('statements', () => {
  const nested = (count: number) => `{ plan(id: "${idOf('plan', 1)}") { offerings(first: ${count}) { nodes {
    plans { totalCount nodes { offerings(first: 1) { nodes { name } } } } products(last: 1) { nodes { name } } } } } }`

  it('lists of offerings run as many statements for 2 offerings as for 20: one per list and total of a level', async () => {
    const two = await countStatements(database, () => ask(nested(2)))
    const twenty = await countStatements(database, () => ask(nested(20)))
    expect(two.result.plan.offerings.nodes).toHaveLength(2)
    expect(twenty.result.plan.offerings.nodes).toHaveLength(20)
    // The plan, its offerings, their plans, the plans' total, their products, and the plans' offerings.
    expect([two.count, twenty.count]).toEqual([6, 6])
  })

  it("an account's subscriptions with their edges run one statement per type", async () => {
    const query = `{ account(id: "${ACCOUNT_ONE}") { subscriptions { nodes {
      status state { action } offering { name current { name } } plan { current { name } } account { id } states { nodes { action } } } } } }`
    const { count, result } = await countStatements(database, () => ask(query))
    expect(result.account.subscriptions.nodes).toHaveLength(3)
    // The account, its subscriptions, the offerings, the plans, the states.
    expect(count).toBe(5)
  })

  it('subscriptions of offerings and plans run the same number of statements for 2 and 20 parents, totals only when they are selected', async () => {
    const run = async (count: number, selected: string) => {
      const query = `{ plan(id: "${idOf('plan', 1)}") { offerings(first: ${count}) { nodes { subscriptions { ${selected} } } } } }`
      const { result, count: statements } = await countStatements(database, () => ask(query))
      return [result.plan.offerings.nodes[0].subscriptions, result.plan.offerings.nodes.length, statements]
    }
    const emails = { nodes: Array(4).fill({ subscriber: { email: 'ada@example.com' } }) }
    for (const count of [2, OFFERINGS]) {
      // The plan, its offerings, and their subscriptions or totals.
      expect(await run(count, 'nodes { subscriber { email } }')).toEqual([emails, count, 3])
      expect(await run(count, 'totalCount')).toEqual([{ totalCount: 4 }, count, 3])
      expect(await run(count, 'totalCount nodes { subscriber { email } }')).toEqual([
        { totalCount: 4, ...emails },
        count,
        4,
      ])
    }
    const plans = (count: number) =>
      `{ plans(first: ${count}) { nodes { name subscriptions(first: 1) { totalCount nodes { id } } } } }`
    for (const count of [1, 3]) expect((await countStatements(database, () => ask(plans(count)))).count).toBe(3)
    const { plans: all } = await ask(plans(3))
    expect(all.nodes.map((plan: { subscriptions: { totalCount: number } }) => plan.subscriptions.totalCount)).toEqual([
      4, 0, 0,
    ])
  })

  it('the subscriptions of states run one statement, and one for an account, for any number of states', async () => {
    const account = idOf('account', 3)
    for (const number of range(20)) {
      const { id } = await makeSubscription(contextAs(server.services, START + number), {
        account_id: account,
        offering_id: idOf('offering', 2),
        external_ref: `state ${number}`,
      })
      for (const action of ['pause', 'resume']) {
        const { userErrors } = await mutate(server, `${action}Subscription`, { id }, 'subscription { id }')
        expect(userErrors).toEqual([])
      }
    }
    const query = (count: number) => `{ account(id: "${account}") { subscriptions(first: ${count}) { nodes {
      externalRef state { subscription { externalRef } } states { nodes { action subscription { externalRef } } } } } } }`
    for (const count of [2, 20]) {
      const { result, count: statements } = await countStatements(database, () => ask(query(count)))
      const expected = range(count).map((number) => {
        const subscription = { externalRef: `state ${number}` }
        const states = ['RESUME', 'PAUSE'].map((action) => ({ action, subscription }))
        return { ...subscription, state: { subscription }, states: { nodes: states } }
      })
      expect(result.account.subscriptions.nodes).toEqual(expected)
      // The account, its subscriptions, the subscriptions of the newest states, all states; those of all states are
      // known by then.
      expect(statements).toBe(4)
    }
  })

  it('totalCount alone fetches no subscriptions', async () => {
    const { count } = await countStatements(database, () =>
      ask(`{ account(id: "${ACCOUNT_ONE}") { subscriptions { totalCount } } }`),
    )
    expect(count).toBe(2)
  })
})

describe('right.shoppers-see-published-and-own: a shopper', () => {
  it('a shopper is refused the subscriptions of offerings and plans and sees those of its own account', async () => {
    const token = await graph.shopper(ACCOUNT_ONE)
    for (const root of [`offering(id: "${idOf('offering', 1)}")`, `plan(id: "${idOf('plan', 1)}")`]) {
      const { errors, data } = await server.gql(
        `{ ${root} { subscriptions { totalCount nodes { id } } } }`,
        {},
        { token },
      )
      expect([errors[0].extensions.code, Object.values(data ?? {})[0] ?? null]).toEqual(['FORBIDDEN', null])
    }
    await mutate(server, 'pauseSubscription', { id: graph.subscriptionId }, 'subscription { id }')
    const own = `{ account(id: "${ACCOUNT_ONE}") { subscriptions(first: 1) { nodes { states { nodes { subscription { externalRef } } } } } } }`
    const { account } = await ask(own, {}, token)
    expect(account.subscriptions.nodes).toEqual([{ states: { nodes: [{ subscription: { externalRef: 'first' } }] } }])
  })
})
