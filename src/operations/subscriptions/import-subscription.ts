/** Subscriptions of imported lines: use cases, for administrators. */
import { assertValid, conflict, DomainError, type Violation } from '../../domain/input/errors.ts'
import { type Reference, resolveReferences } from '../../domain/input/record.ts'
import { otherAgreement, updated } from '../../domain/subscriptions/continued-subscription.ts'
import { notOffered, unpriced } from '../../domain/subscriptions/first-terms.ts'
import {
  begunElsewhere,
  inexactLine,
  itemOf,
  type LineTerms,
  restored,
} from '../../domain/subscriptions/imported-subscription.ts'
import type { ComposedOffering } from '../../domain/subscriptions/offering.ts'
import { pinnedItem } from '../../domain/subscriptions/plan-price.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { readSubscriptionLine, type SubscriptionLine } from '../../domain/subscriptions/subscription-line.ts'
import { ERASED } from '../../domain/subscriptions/subscription-state.ts'
import { newId } from '../../persistence/database/id.ts'
import { type LockableNoun, lockReferenced } from '../../persistence/database/reference.ts'
import { findRecords, lockRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { offeringTable } from '../../persistence/subscriptions/offering.ts'
import { planTable } from '../../persistence/subscriptions/plan.ts'
import {
  insertStates,
  insertSubscription,
  statesOf,
  updateSubscriptionRow,
} from '../../persistence/subscriptions/subscription.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { command } from '../operation.ts'
import { keptSubscription, lockSubscription } from './held-subscription.ts'
import { offeringCopyOf } from './offering-copy.ts'
import { assertOnlyOne } from './subscription.ts'

interface Input {
  readonly data: unknown
}

/**
 * Creates the subscription of a line: as it was exported (export.subscriptions-restored), or as it began in another
 * system (import.subscription-by-hand). Throws `validation`, and a conflict for an id that is taken.
 */
export const importSubscription = command<Input, SubscriptionLine, undefined, Subscription>({
  name: 'importSubscription',
  right: 'admin',
  read: ({ data }, { now }) => readSubscriptionLine(data, now, { isNew: true }),
  run: async (tx, line, _, ctx) => {
    const id = line.id ?? newId(ctx.now)
    const { subscription, states } = line.copies
      ? restored(line, line.copies, id, ctx.now)
      : { subscription: await begun(tx, line, id, ctx), states: [] }
    assertValid(inexactLine(subscription))
    await insertSubscription(tx, subscription)
    await insertStates(tx, id, states)
    return subscription
  },
  kept: keptSubscription,
})

/**
 * Changes who subscribes, how it is paid and the mark of a stored subscription as a line says; throws a conflict for
 * what differs in its agreement (import.subscription-agreement-stays), and for one that is erased.
 */
export const updateImportedSubscription = command<
  Input & { readonly subscriptionId: string },
  SubscriptionLine,
  Subscription,
  Subscription
>({
  name: 'updateImportedSubscription',
  right: 'admin',
  read: ({ data }, { now }, stored) => readSubscriptionLine(data, now, { isNew: false, stored }),
  load: (tx, { subscriptionId }, { viewer }) => lockSubscription(tx, subscriptionId, viewer),
  run: async (tx, line, stored, ctx) => {
    const held = { subscription: stored, states: line.copies ? await statesOf(tx, stored.id) : [] }
    const products = line.copies ? [] : await productsOf(tx, line)
    const other = otherAgreement(line, held, products)
    if (other.length > 0) throw new DomainError('conflict', other)
    const { subscription, states } = updated(held, line, presentOf(ctx))
    if (subscription === stored) return stored
    if (stored.erasedAt !== null) throw conflict('ACTION_REFUSED', ['attributes'], ERASED)
    assertValid(inexactLine(subscription))
    await updateSubscriptionRow(tx, stored, subscription)
    await insertStates(tx, stored.id, states)
    return subscription
  },
  kept: keptSubscription,
})

/** The subscription of a line by hand, not yet stored. Seven statements, and one for the only one of an account. */
async function begun(tx: Transaction, line: SubscriptionLine, id: string, ctx: Context): Promise<Subscription> {
  const terms = await termsOf(tx, line)
  const subscription = begunElsewhere(line, terms, { id, now: ctx.now, trialId: newId(ctx.now) })
  if (line.onlyOne) await assertOnlyOne(tx, subscription, ctx.now, ['attributes', 'offering_id'])
  return subscription
}

async function termsOf(tx: Transaction, line: SubscriptionLine): Promise<LineTerms> {
  const offeringId = await namedBy(tx, 'offering', line.offering, 'offering_id')
  const planId = await namedBy(tx, 'plan', line.plan, 'plan_id')
  const found = await lockRecord(tx, offeringTable, offeringId, line.onlyOne ? 'UPDATE' : 'SHARE')
  const [plan] = await findRecords(tx, planTable, [planId])
  if (!found || !plan) throw new Error('The lock of a reference keeps its record')
  const offering: ComposedOffering = found
  if (!offering.planIds.includes(planId)) {
    const message = 'the plan does not belong to the offering: name one of its plans'
    assertValid([{ code: 'PLAN_NOT_OFFERED', path: ['attributes', 'plan_id'], message }])
  }
  const products = line.items ? await productsOf(tx, line) : offering.productIds
  const asked = products.map((productId) => ({ productId, quantity: 1 }))
  assertValid(inAttributes([...notOffered(asked, offering), ...repeated(products)]))
  const { copy, byId } = await offeringCopyOf(tx, offering)
  const items = products.map((productId, index) =>
    itemOf(line.items?.[index], pinnedItem(plan, productId, byId.get(productId) ?? null, line.currency ?? '', 1)),
  )
  const lacking = unpriced(items, line.currency ?? '', line.items != null)
  assertValid(
    inAttributes(lacking).map((one) => ({
      ...one,
      message: `${one.message}: give its item an amount of a unit, and whether that includes tax`,
    })),
  )
  return { offering: copy, plan, items }
}

/** The id of the record that a member names, locked. */
async function namedBy(
  tx: Transaction,
  noun: LockableNoun,
  reference: Reference | undefined,
  member: string,
): Promise<string> {
  const references = reference ? [reference] : []
  const { ids, violations } = resolveReferences(references, await lockReferenced(tx, noun, references), [], noun)
  assertValid(violations.map((one) => ({ ...advised(one), path: ['attributes', member] })))
  return ids?.[0] ?? ''
}

/** The ids of the products that the items of a line name; one that is named by its id may be gone. */
async function productsOf(tx: Transaction, { items }: SubscriptionLine): Promise<string[]> {
  const named = (items ?? []).map(({ product }) => product)
  const references = named.filter((product) => !('id' in product))
  const noun = 'subscription product'
  const { ids = [], violations } = resolveReferences(references, await lockReferenced(tx, noun, references), [], noun)
  assertValid(
    violations.map((one) => {
      const index = named.indexOf(references[one.path[0] as number] as Reference)
      return { ...advised(one), path: ['attributes', 'items', index, 'product_id'] }
    }),
  )
  const found = [...ids]
  return named.map((product) => ('id' in product ? product.id : (found.shift() ?? '')))
}

function advised(violation: Violation): Violation {
  const next = violation.code === 'NOT_FOUND' ? 'import it first, or name another' : 'name it by its id'
  return { ...violation, message: `${violation.message}: ${next}` }
}

function repeated(products: readonly string[]): Violation[] {
  return products.flatMap((id, index): Violation[] =>
    products.indexOf(id) === index
      ? []
      : [{ code: 'DUPLICATE', path: ['items', index, 'product_id'], message: 'names the product of another entry' }],
  )
}

function inAttributes(violations: readonly Violation[]): Violation[] {
  return violations.map((one) => ({ ...one, path: ['attributes', ...one.path] }))
}
