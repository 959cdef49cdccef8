/** Plans, offerings, subscriptions and accounts for tests of the graph. */
import { beforeAll, expect } from 'vitest'
import { reset, useDatabase } from './database.ts'
import { type RestReply, START, useServer } from './server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct, makeSubscription } from './subscriptions.ts'

export const OFFERINGS = 20
export const ACCOUNT_ONE = idOf('account', 1)

export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}

/** Twenty offerings with three plans and two products each; three subscriptions of account 1, one of account 2. */
export function useSubscriptionGraph() {
  const database = useDatabase()
  const server = useServer(database)
  const graph = {
    database,
    server,
    /** The first subscription of account 1. */
    subscriptionId: '',
    shopper: async (accountId?: string): Promise<string> =>
      (await server.issue({ subject: 'ada', role: 'shopper', ...(accountId && { accountId }) }, START)).token,
    /** The data of a request that must not fail; as the admin unless a token is given. */
    async ask(query: string, variables: Record<string, unknown> = {}, token?: string): Promise<RestReply['body']> {
      const reply = await server.gql(query, variables, token === undefined ? {} : { token })
      expect(reply.errors).toBeUndefined()
      return reply.data
    },
  }
  beforeAll(async () => {
    await reset(database)
    for (const number of [1, 2]) {
      await makeProduct({ services: server.services, now: START + number }, idOf('product', number), {
        name: `Product ${number}`,
        price: { USD: { amount: 1000, includes_tax: false } },
      })
    }
    for (const number of [1, 2, 3])
      await makePlan(contextAs(server.services, START + number), idOf('plan', number), { name: `Plan ${number}` })
    for (const number of range(OFFERINGS)) {
      const plans = [3, 1, 2].map((plan) => idOf('plan', plan))
      const products = [2, 1].map((product) => idOf('product', product))
      await makeOffering(contextAs(server.services, START + number), idOf('offering', number), {
        name: `Offering ${number}`,
        plans,
        products,
      })
    }
    const payment_authority = { type: 'platform_payments_gateway', customer_id: 'cus_1', card_id: 'card_1' }
    graph.subscriptionId = (
      await makeSubscription(contextAs(server.services, START), { external_ref: 'first', payment_authority })
    ).id
    for (const number of [2, 3])
      await makeSubscription(contextAs(server.services, START + number), { external_ref: `nr ${number}` })
    await makeSubscription(contextAs(server.services, START), { account_id: idOf('account', 2) })
  })
  return graph
}
