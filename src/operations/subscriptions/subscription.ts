/** Subscriptions: use cases. Shoppers reach those of their own account (right.shoppers-see-published-and-own). */
import type { Viewer } from '../../auth/viewer.ts'
import { assertValid, conflict, type Path, type Violation } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { readInput } from '../../domain/input/read-input.ts'
import {
  type AskedTerms,
  askedItems,
  inexactSums,
  notOffered,
  plainTerms,
  readTerms,
  unpriced,
} from '../../domain/subscriptions/first-terms.ts'
import type { ComposedOffering } from '../../domain/subscriptions/offering.ts'
import type { Plan } from '../../domain/subscriptions/plan.ts'
import { pinnedItem } from '../../domain/subscriptions/plan-price.ts'
import {
  newSubscription,
  readSubscription,
  type Subscription,
  type SubscriptionDraft,
  subscriptionViolations,
} from '../../domain/subscriptions/subscription.ts'
import { newId } from '../../persistence/database/id.ts'
import { findRecords, lockRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { offeringTable } from '../../persistence/subscriptions/offering.ts'
import { planTable } from '../../persistence/subscriptions/plan.ts'
import { hasUnended, insertSubscription, subscriptionTable } from '../../persistence/subscriptions/subscription.ts'
import type { Context } from '../../request/context.ts'
import { assertRight, command, query } from '../operation.ts'
import { recordReads } from '../record-reads.ts'
import { keptSubscription, ownsAccount } from './held-subscription.ts'
import { offeringCopyOf } from './offering-copy.ts'
import type { SubscriptionPreview } from './preview.ts'

/**
 * A subscription by its raw id; null when there is none, or when its account is not the shopper's.
 */
export const subscription = query({
  right: 'anyone',
  run: async (ctx, { id }: { id: string }) => {
    const found = await ctx.loaders.subscriptionById.load(id)
    return found && ownsAccount(ctx.viewer, found.accountId) ? found : null
  },
})

/** All subscriptions, in pages, for admins; shoppers read theirs through their account. */
export const subscriptions = recordReads('admin', subscriptionTable)

/** A state by its raw id; null when there is none, or when the viewer may not see its subscription. */
export const subscriptionState = query({
  right: 'anyone',
  run: async (ctx, { id }: { id: string }) => {
    const state = await ctx.loaders.stateById.load(id)
    return state && (await subscription(ctx, { id: state.subscriptionId })) ? state : null
  },
})

/**
 * An account by its raw id; null when it has no subscription (subscription.account-from-outside), or is not the
 * shopper's.
 */
export const account = query({
  right: 'anyone',
  run: async (ctx, { id }: { id: string }) =>
    ownsAccount(ctx.viewer, id) ? ctx.loaders.accountById.load(id.toLowerCase()) : null,
})

interface Input {
  readonly id?: string
  readonly data: unknown
}

interface Read {
  readonly id: string | undefined
  readonly draft: Partial<SubscriptionDraft>
  readonly terms: AskedTerms
  readonly violations: readonly Violation[]
}

/** How the commands for a new subscription read it. */
const reading = (edge: 'graph' | 'rest') => ({
  right: 'account' as const,
  isAllowed: (viewer: Viewer, { data }: Input) => !namesOtherAccount(data, viewer),
  read: ({ id, data }: Input, ctx: Context) => {
    const { value, violations } = readSubscription(data)
    const terms = edge === 'rest' ? { value: plainTerms, violations: [] } : readTerms(data, ctx.now)
    if (terms.value?.allowUnpriced) assertRight('admin', ctx.viewer)
    // Violations are thrown together with those of offering and plan, which `made` finds
    // (subscription.plan-of-the-offering).
    if (!value || !terms.value) return { value: undefined, violations }
    const found = [...violations, ...terms.violations]
    return { value: { id, draft: value, terms: terms.value, violations: found }, violations: [] as const }
  },
})

/**
 * The new subscription, not yet stored. The offering's lists are read under a lock, which also orders the calls that
 * ask for the only one of an account. Six statements, and one for that.
 */
async function made(
  tx: Transaction,
  { id, draft, terms, violations }: Read,
  edge: 'graph' | 'rest',
  ctx: Context,
): Promise<Subscription> {
  const strength = terms.onlyOne ? 'UPDATE' : 'SHARE'
  const offering =
    draft.offeringId === undefined ? undefined : await lockRecord(tx, offeringTable, draft.offeringId, strength)
  const plan = draft.planId === undefined ? undefined : ((await findRecords(tx, planTable, [draft.planId]))[0] ?? null)
  const foreign = offering && terms.items ? notOffered(terms.items, offering) : []
  assertValid(subscriptionViolations([...violations, ...foreign], offering, plan))
  // REST takes any currency (subscription.any-currency).
  const asked = {
    id,
    draft: draft as SubscriptionDraft,
    terms,
    mayLackPrices: edge === 'rest' || terms.allowUnpriced,
  }
  const created = await composed(tx, asked, offering as ComposedOffering, plan as Plan, ctx)
  if (terms.onlyOne) await assertOnlyOne(tx, created, ctx.now)
  return created
}

/**
 * The command that creates a subscription, for admins and the account's shoppers, with a copy of the offering and the
 * plan (subscription.keeps-its-copies), and with the prices of now (subscription.pinned-prices). `id` is for the demo
 * store, whose ids never change.
 */
const creating = (edge: 'graph' | 'rest') =>
  command<Input, Read, undefined, Subscription>({
    name: 'createSubscription',
    ...reading(edge),
    run: async (tx, read, _, ctx) => {
      const created = await made(tx, read, edge, ctx)
      await insertSubscription(tx, created)
      return created
    },
    kept: keptSubscription,
  })

/** Creates a subscription to all products of an offering, from now on, as REST asks for it. */
export const createSubscription = creating('rest')

/** Creates a subscription on terms of its own (first-terms.ts), as the graph asks for it. */
export const createSubscriptionOnTerms = creating('graph')

/** What a new subscription would be; nothing is written (subscription.dry-run). */
export const previewSubscription = command<Input, Read, undefined, SubscriptionPreview>({
  name: 'previewSubscription',
  ...reading('graph'),
  run: async (tx, read, _, ctx) => ({ at: ctx.now, before: null, after: await made(tx, read, 'graph', ctx) }),
})

interface Asked {
  readonly id: string | undefined
  readonly draft: SubscriptionDraft
  readonly terms: AskedTerms
  readonly mayLackPrices: boolean
}

/** The new subscription of valid input, with the prices of its items. One statement. */
async function composed(
  tx: Transaction,
  { id, draft, terms, mayLackPrices }: Asked,
  offering: ComposedOffering,
  plan: Plan,
  { now }: Context,
): Promise<Subscription> {
  const { byId, copy } = await offeringCopyOf(tx, offering)
  const items = askedItems(terms, offering).map(({ productId, quantity }) =>
    pinnedItem(plan, productId, byId.get(productId) ?? null, draft.currency, quantity),
  )
  if (!mayLackPrices) assertValid(unpriced(items, draft.currency, terms.items !== null))
  const { timeZone, billingDay, onlyOne } = terms
  const first = { items, startsAt: terms.startsAt ?? now, timeZone, billingDay, onlyOne }
  const created = newSubscription(draft, copy, plan, first, id ?? newId(now), now)
  assertValid(inexactSums(created.agreement, [terms.items ? 'items' : 'offering_id']))
  return created
}

/** Throws a conflict at a path when the account has another subscription to the offering that has not ended. */
export async function assertOnlyOne(
  tx: Transaction,
  { accountId, offeringId }: Subscription,
  now: number,
  path: Path = ['offering_id'],
): Promise<void> {
  if (await hasUnended(tx, { accountId, offeringId }, now))
    throw conflict('ALREADY_SUBSCRIBED', path, 'the account has a subscription to it that has not ended')
}

/** Whether `data` names an account that the viewer may not see; a malformed account id is a violation instead. */
function namesOtherAccount(data: unknown, viewer: Viewer): boolean {
  const accountId = readInput(data, (reader) => reader.raw('account_id')).value
  return typeof accountId === 'string' && isUuid(accountId) && !ownsAccount(viewer, accountId)
}
