/**
 * Subscription products, plans, offerings and subscriptions for tests; all but products are created by the operations.
 */
import type { ComposedOffering } from '../../src/domain/subscriptions/offering.ts'
import type { Plan } from '../../src/domain/subscriptions/plan.ts'
import type { Subscription } from '../../src/domain/subscriptions/subscription.ts'
import { createOffering } from '../../src/operations/subscriptions/offering.ts'
import { createPlan } from '../../src/operations/subscriptions/plan.ts'
import { createSubscription } from '../../src/operations/subscriptions/subscription.ts'
import { type Context, createContext, type Services } from '../../src/request/context.ts'

/** A UUID that shows its kind and number. */
export function idOf(kind: 'product' | 'plan' | 'offering' | 'account' | 'subscription', number: number): string {
  const digits = { product: 'a', plan: 'b', offering: 'c', account: 'd', subscription: 'e' }[kind]
  return `0199c0de-0000-7000-8000-${digits}${String(number).padStart(11, '0')}`
}

/** The context of a request of an admin, or of a shopper of the account. */
export function contextAs(services: Services, now: number, accountId: string | null = null): Context {
  const role = accountId === null ? 'admin' : 'shopper'
  return createContext(services, {
    viewer: { subject: role, role, accountId, channel: null, tags: [], expiresAt: now + 3_600_000 },
    now,
    requestId: 'test',
  })
}

export function makePlan(ctx: Context, id: string, attributes: object = {}): Promise<Plan> {
  const monthly = {
    billing_interval_type: 'month',
    billing_frequency: 1,
    trial_period: 0,
    plan_length: 12,
    end_behavior: 'close',
  }
  const free = { can_pause: true, can_resume: true, can_cancel: true }
  return createPlan(ctx, {
    data: { id, type: 'subscription_plan', attributes: { name: 'Monthly', ...monthly, ...free, ...attributes } },
  })
}

export function makeOffering(
  ctx: Context,
  id: string,
  {
    plans = [],
    products = [],
    ...attributes
  }: { plans?: readonly unknown[]; products?: readonly unknown[]; [attribute: string]: unknown },
): Promise<ComposedOffering> {
  const relationships = { plans: { data: plans }, products: { data: products } }
  return createOffering(ctx, {
    data: { id, type: 'subscription_offering', attributes: { name: 'Magazine', ...attributes }, relationships },
  })
}

export async function makeProduct(
  { services, now }: { services: Services; now: number },
  id: string,
  columns: object = {},
): Promise<void> {
  const at = new Date(now)
  await services.database.prisma.subscriptionProduct.create({
    data: { id, name: 'Paper', createdAt: at, updatedAt: at, ...columns },
  })
}

/** `data` of a new subscription for the offering, plan and account of number 1. */
export function subscriptionData(changes: object = {}): Record<string, unknown> {
  const ids = { account_id: idOf('account', 1), offering_id: idOf('offering', 1), plan_id: idOf('plan', 1) }
  return { ...ids, currency: 'USD', name: 'Ada', email: 'ada@example.com', ...changes }
}

export function makeSubscription(ctx: Context, changes: object = {}): Promise<Subscription> {
  return createSubscription(ctx, { data: subscriptionData(changes) })
}
