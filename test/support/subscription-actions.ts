/** Actions on subscriptions in the graph, for tests: a subscription of two products at 1000 a month each. */
import { expect } from 'vitest'
import type { RestReply } from './server.ts'
import { START } from './server.ts'
import type { useSubscriptionGraph } from './subscription-graph.ts'
import { contextAs, idOf, makeSubscription } from './subscriptions.ts'

export const DAY = 86_400_000
export const FEB_15 = Date.UTC(2026, 1, 15, 12)
export const MAR_15 = Date.UTC(2026, 2, 15, 12)
export const iso = (at: number) => new Date(at).toISOString()
export const period = { at: { moment: 'PERIOD_END' } }
export const at = (instant: number) => ({ at: { instant: iso(instant) } })
export const now = { at: { moment: 'NOW' } }

const FIELDS = `subscription { id phase paused canceled status updatedAt pausedAt canceledAt plan { name } nextAmount { amount }
  items { productId quantity unitAmount { amount } } endDate phaseUntil suspended trialEndsAt
  scheduledChanges { key type at } changes { key type status at reason proration requestedByShopper pauseKey } }
  userErrors { code path message }`
const FORECAST = `{ phase status nextAmount { amount } invoiceAfter endDate
  upcomingInvoices(first: 2) { subscription { phase } dueAt amount { amount } lines { reason amount { amount } item { name quantity } } } }`

/** What a mutation of a subscription says: its payload, or the code of the error. */
export type Said = RestReply['body']

/** The actions; each is at the present of the server. */
export function subscriptionActions({ server, ask }: ReturnType<typeof useSubscriptionGraph>) {
  const tokenOf = async (accountId?: string): Promise<string> =>
    (
      await server.issue(
        accountId === undefined ? { subject: 'admin', role: 'admin' } : { subject: 'ada', role: 'shopper', accountId },
        server.now,
      )
    ).token
  const send = async (name: string, input: object, fields: string, accountId?: string): Promise<Said> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
    const document = `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} } }`
    const { data, errors } = await server.gql(document, { input }, { token: await tokenOf(accountId) })
    return errors ? errors[0].extensions.code : data[name]
  }
  const call = (name: string, input: object, accountId?: string) => send(name, input, FIELDS, accountId)
  return {
    /** A new subscription, from the start of tests on. */
    async begin(changes: object = {}): Promise<string> {
      server.now = START
      return (await makeSubscription(contextAs(server.services, START), changes)).id
    },
    call,
    /** What it does, as an admin or a shopper of account 1, without a refusal. */
    async done(name: string, input: object, accountId?: string): Promise<Said> {
      const said = await call(name, input, accountId)
      expect([name, said.userErrors ?? said]).toEqual([name, []])
      return said.subscription
    },
    /** The codes and places of its refusal. */
    async refused(name: string, input: object, accountId?: string): Promise<Said> {
      const said = await call(name, input, accountId)
      if (typeof said === 'string') return said
      return said.userErrors.map(({ code, path }: { code: string; path: string[] }) => `${code} ${path.join('.')}`)
    },
    preview: (name: string, input: object, accountId?: string) =>
      send(
        name,
        { ...input, dryRun: true },
        `subscription { id } preview { at before ${FORECAST} after ${FORECAST} } userErrors { code path message }`,
        accountId,
      ),
    /** What happens to it in the year from the start on, each with its day and the amount of an invoice. */
    async life(id: string): Promise<string[]> {
      const { subscription } = await ask(
        `query ($id: ID!, $from: DateTime!, $to: DateTime!) { subscription(id: $id) { timeline(from: $from, to: $to) {
          entries { type at invoice { amount { amount } } } } } }`,
        { id, from: iso(START), to: iso(START + 120 * DAY) },
        await tokenOf(),
      )
      return subscription.timeline.entries
        .filter(({ type }: { type: string }) => type !== 'PERIOD')
        .map((entry: { type: string; at: string; invoice: { amount: { amount: number } | null } | null }) =>
          [entry.at.slice(5, 10), entry.type, ...(entry.invoice ? [entry.invoice.amount?.amount ?? null] : [])].join(
            ' ',
          ),
        )
    },
  }
}

export const ACCOUNT = idOf('account', 1)
