import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { stateActions } from '../../../src/domain/subscriptions/asked-action.ts'
import { lifeStatusAt } from '../../../src/domain/subscriptions/life-readings.ts'
import { spansOf } from '../../../src/domain/subscriptions/spans.ts'
import { newSubscription, type Subscription } from '../../../src/domain/subscriptions/subscription.ts'
import { allowedActions } from '../../../src/domain/subscriptions/subscription-state.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { subscription as readSubscription } from '../../../src/operations/subscriptions/subscription.ts'
import { changeSubscriptionState } from '../../../src/operations/subscriptions/subscription-change.ts'
import { inTransaction } from '../../../src/persistence/database/transaction.ts'
import { insertSubscription } from '../../../src/persistence/subscriptions/subscription.ts'
import { countStatements } from '../../support/database.ts'
import { START } from '../../support/server.ts'
import { DAY, SECOND_BILLING, useSubscription } from '../../support/subscription-life.ts'
import { anyStart, anyTerms, anyWait } from '../../support/subscription-terms.ts'
import { contextAs, idOf, makeOffering, makeSubscription } from '../../support/subscriptions.ts'

const living = useSubscription()
const { server, database } = living
const author = { subject: 'test', role: 'admin', operation: 'test' } as const

/** The response of a query that must not fail, by default of an administrator at the server's instant. */
async function ask(query: string, token?: string) {
  const { data, errors } = await server.gql(query, {}, { token: token ?? (await living.admin()) })
  expect(errors).toBeUndefined()
  return data
}

const listed = (field: string, status: string) =>
  `${field}(first: 100, filter: { status: ${status} }) { totalCount nodes { id status } }`

interface Listed {
  readonly totalCount: number
  readonly nodes: readonly { readonly id: string; readonly status: string }[]
}

describe('subscription.listed-by-status: subscriptions by status', () => {
  test('subscriptions filtered by status are those that have it, at every limit of every subscription, a millisecond before and after', async () => {
    const anySubscription = fc.record({
      start: anyStart,
      terms: anyTerms,
      acts: fc.array(fc.tuple(anyWait, fc.constantFrom(...stateActions)), { maxLength: 4 }),
    })
    let instants = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anySubscription, { minLength: 6, maxLength: 6 }), async (given) => {
        await living.begin()
        const base = await current(living.id)
        await database.prisma.subscription.deleteMany()
        const all: Subscription[] = []
        for (const [index, { start, terms, acts }] of given.entries()) {
          all.push(
            await live(
              newSubscription(
                base,
                base.offering,
                { ...base.agreement.plan, ...terms },
                { items: [], startsAt: start, timeZone: null, billingDay: null, onlyOne: false },
                idOf('subscription', index),
                start,
              ),
              acts,
            ),
          )
        }
        server.now = Math.max(...all.map(({ updatedAt }) => updatedAt))
        for (const instant of new Set(all.flatMap(limits).flatMap((limit) => [limit - 1, limit, limit + 1]))) {
          instants++
          const { active, inactive } = await ask(
            `query @inContext(at: "${new Date(instant).toISOString()}") { active: ${listed('subscriptions', 'ACTIVE')} inactive: ${listed('subscriptions', 'INACTIVE')} }`,
          )
          const expected = (status: 'active' | 'inactive') =>
            all
              .filter((one) => lifeStatusAt(one.agreement, instant).status === status)
              .toSorted((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1))
              .map(({ id }) => ({ id: globalId('AccountSubscription', id), status: status.toUpperCase() }))
          expect(active).toEqual({ totalCount: expected('active').length, nodes: expected('active') } satisfies Listed)
          expect(inactive).toEqual({
            totalCount: expected('inactive').length,
            nodes: expected('inactive'),
          } satisfies Listed)
        }
      }),
      // Each has some twenty instants, at times half as many.
      { numRuns: 14 },
    )
    expect(instants).toBeGreaterThan(100)
  })

  /** Stores a subscription and does what its state allows of `acts`, each some time after the one before. */
  async function live(
    begun: Subscription,
    acts: readonly (readonly [number, (typeof stateActions)[number]])[],
  ): Promise<Subscription> {
    await inTransaction(database, author, (tx) => insertSubscription(tx, begun))
    let at = begun.createdAt
    let stored = begun
    for (const [wait, action] of acts) {
      at += wait
      if (!allowedActions(stored, at).includes(action)) continue
      server.now = at
      const data = { type: 'subscription_state', attributes: { action } }
      stored = await changeSubscriptionState(contextAs(server.services, at), { subscriptionId: begun.id, data })
    }
    return stored
  }

  /** When phase and flags turn. */
  function limits({ agreement }: Subscription): number[] {
    return spansOf(agreement)
      .slice(1)
      .map(({ from }) => from)
  }

  async function current(id: string): Promise<Subscription> {
    const found = await readSubscription(contextAs(server.services, START), { id })
    if (!found) throw new Error('the subscription is not stored')
    return found
  }
})

describe('lists of subscriptions below others', () => {
  const ids = { account: globalId('Account', idOf('account', 1)), offering: idOf('offering', 1), plan: idOf('plan', 1) }
  const places = { account: ids.account, offering: ids.offering, plan: ids.plan }

  beforeEach(async () => {
    // Of three subscriptions, the one that was paused is inactive from the second billing on, the others are active.
    for (const number of [1, 2])
      await makeSubscription(contextAs(server.services, START + number), { external_ref: `nr ${number}` })
    await living.post('pause')
  })

  test('lists of subscriptions are filtered by status and ordered by the last change, for an account, an offering and a plan', async () => {
    const of = (place: string, id: string) => `
      ${place}(id: "${id}") {
        active: subscriptions(filter: { status: ACTIVE }, orderBy: { field: CREATED_AT, direction: DESC }) { totalCount nodes { externalRef } }
        inactive: subscriptions(filter: { status: INACTIVE }) { totalCount nodes { externalRef } }
        second: subscriptions(filter: { externalRef: { eq: "nr 2" }, accountId: "${ids.account}" }) { totalCount nodes { externalRef } }
        none: subscriptions(filter: { accountId: "${idOf('account', 2)}" }) { totalCount nodes { externalRef } }
        newest: subscriptions(first: 1, orderBy: { field: UPDATED_AT, direction: DESC }) { nodes { externalRef } pageInfo { endCursor } }
      }`
    const refs = (...externalRefs: (string | null)[]) => ({
      totalCount: externalRefs.length,
      nodes: externalRefs.map((externalRef) => ({ externalRef })),
    })
    server.now = SECOND_BILLING
    const data = await ask(
      `{ ${Object.entries(places)
        .map(([place, id]) => of(place, id))
        .join('')} }`,
    )
    for (const place of Object.keys(places)) {
      expect(data[place]).toMatchObject({
        active: refs('nr 2', 'nr 1'),
        inactive: refs(null),
        second: refs('nr 2'),
        none: refs(),
        newest: { nodes: [{ externalRef: 'nr 2' }] },
      })
      const rest = await ask(`{ ${place}(id: "${places[place as keyof typeof places]}") { subscriptions(
        orderBy: { field: UPDATED_AT, direction: DESC }, after: "${data[place].newest.pageInfo.endCursor}") { nodes { externalRef } } } }`)
      expect(rest[place].subscriptions.nodes).toEqual([{ externalRef: 'nr 1' }, { externalRef: null }])
    }
    server.now = SECOND_BILLING - 1
    expect(
      (await ask(`{ offering(id: "${ids.offering}") { subscriptions(filter: { status: INACTIVE }) { totalCount } } }`))
        .offering,
    ).toEqual({
      subscriptions: { totalCount: 0 },
    })
  })

  test('lists of subscriptions let a shopper filter those of its own account', async () => {
    server.now = SECOND_BILLING
    const query = `{ viewer { account { subscriptions(filter: { status: INACTIVE }) { nodes { id status } } } } }`
    expect((await ask(query, await living.shopper(idOf('account', 1)))).viewer.account.subscriptions.nodes).toEqual([
      { id: globalId('AccountSubscription', living.id), status: 'INACTIVE' },
    ])
  })

  test('lists of subscriptions below others take as many statements for ten offerings as for two', async () => {
    for (let number = 2; number <= 10; number++) {
      await makeOffering(contextAs(server.services, START), idOf('offering', number), { plans: [idOf('plan', 1)] })
      await makeSubscription(contextAs(server.services, START + number * DAY), {
        offering_id: idOf('offering', number),
      })
    }
    const walk = (first: number) =>
      countStatements(database, () =>
        ask(`{ offerings(first: ${first}) { nodes {
          subscriptions(filter: { status: ACTIVE }, orderBy: { field: UPDATED_AT }) { totalCount nodes { id } } } } }`),
      )
    const [two, ten] = [await walk(2), await walk(10)]
    expect(ten.result.offerings.nodes).toHaveLength(10)
    expect([two.count, ten.count]).toEqual([3, 3])
  })

  test('lists of subscriptions below others name the member of the filter that is no id', async () => {
    const { errors } = await server.gql(
      `{ offering(id: "${ids.offering}") { subscriptions(filter: { planId: "x" }) { totalCount } } }`,
    )
    expect(
      errors.map(({ message, extensions }: { message: string; extensions: object }) => [message, extensions]),
    ).toEqual([[expect.stringContaining('filter.planId: '), expect.objectContaining({ code: 'BAD_USER_INPUT' })]])
  })
})
