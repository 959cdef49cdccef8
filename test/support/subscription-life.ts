/**
 * Subscription fixture: one subscription with its server, billed monthly from 12:00 on 15 January 2026 for three
 * months.
 */
import { beforeEach } from 'vitest'
import type { Database } from '../../src/persistence/database/database.ts'
import { reset, useDatabase } from './database.ts'
import { type RestReply, START, type TestServer, useServer } from './server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeSubscription } from './subscriptions.ts'

export const DAY = 86_400_000
export const SECOND_BILLING = Date.UTC(2026, 1, 15, 12)
export const THIRD_BILLING = Date.UTC(2026, 2, 15, 12)
export const END = Date.UTC(2026, 3, 15, 12)

/** The subscription and what tests do with it. */
export interface SubscriptionFixture {
  readonly database: Database
  readonly server: TestServer
  /** The id of the subscription that was created last. */
  id: string
  /** An empty database, the clock at the start, and a new subscription under such a plan. */
  begin(plan?: object): Promise<void>
  /** The REST path of the subscription. */
  path(): string
  /** A token that is valid now, since the clock moves further than the lifetime of one. */
  admin(): Promise<string>
  shopper(accountId?: string): Promise<string>
  post(action: unknown, options?: { token?: string; headers?: Record<string, string> }): Promise<RestReply>
  /** The subscription as REST returns it now. */
  meta(): Promise<RestReply['body']>
  /** The stored actions, oldest first. */
  actions(): Promise<string[]>
}

/** The fixture of a test file, created again before each test. */
export function useSubscription(): SubscriptionFixture {
  const database = useDatabase()
  const server = useServer(database)
  const living: SubscriptionFixture = {
    database,
    server,
    id: '',
    async begin(plan = {}) {
      await reset(database)
      server.now = START
      const ctx = contextAs(server.services, START)
      await makePlan(ctx, idOf('plan', 1), { plan_length: 3, ...plan })
      await makeOffering(ctx, idOf('offering', 1), { plans: [idOf('plan', 1)] })
      living.id = (await makeSubscription(ctx)).id
    },
    path: () => `/v2/subscriptions/subscriptions/${living.id}`,
    admin: async () => (await server.issue({ subject: 'admin', role: 'admin' }, server.now)).token,
    shopper: async (accountId) => {
      const account = accountId === undefined ? {} : { accountId }
      return (await server.issue({ subject: 'someone', role: 'shopper', ...account }, server.now)).token
    },
    async post(action, { token, headers = {} } = {}) {
      const body = { data: { type: 'subscription_state', attributes: { action } } }
      return server.rest('POST', `${living.path()}/states`, { body, headers, token: token ?? (await living.admin()) })
    },
    meta: async () => (await server.rest('GET', living.path(), { token: await living.admin() })).body.data.meta,
    actions: async () =>
      (await database.prisma.subscriptionState.findMany({ orderBy: { version: 'asc' } })).map(({ action }) => action),
  }
  beforeEach(() => living.begin())
  return living
}

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}
