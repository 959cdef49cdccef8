/**
 * Plans: how a subscription is billed and which actions its subscriber may take (subscription.billing-instants,
 * subscription.allowed-actions).
 */
import { prefixPaths, type Violation } from '../input/errors.ts'
import type { InputReader } from '../input/input-reader.ts'
import { BASE_PRICE_PERCENTAGE_MAX, DESCRIPTION_MAX, EXTERNAL_REF_MAX, NAME_MAX, NAME_MIN, PLAN_DAYS_MAX } from '../input/limits.ts'
import { applyPatch, type PatchOf, type StoredRecord } from '../input/patch.ts'
import { recordReaders } from '../input/record.ts'
import { limitParams } from '../input/violation-params.ts'
import { currencyCountViolations, mergePriceMap, type PriceMap, type PriceMapPatch, readPriceMap } from '../pricing/flat-price-map.ts'
import { type BillingInterval, type BillingTerms, billingIntervalWords, endBehaviorWords } from './billing.ts'

/** A stored plan. */
export interface Plan extends BillingTerms, StoredRecord {
  readonly externalRef: string | null
  readonly name: string
  readonly description: string | null
  readonly canPause: boolean
  readonly canResume: boolean
  readonly canCancel: boolean
  /** Per cent of the product's price that a subscriber pays, 0 to BASE_PRICE_PERCENTAGE_MAX. */
  readonly basePricePercentage: number | null
  readonly fixedPrice: PriceMap | null
}

/** A partial update of a plan. `fixedPrice` merges at every depth (patch.maps-merge-at-every-depth). */
export interface PlanPatch extends PatchOf<Plan, Exclude<keyof Plan, keyof StoredRecord | 'fixedPrice'>> {
  readonly fixedPrice: PriceMapPatch | null | undefined
}

/**
 * Readers of a plan's `data`, `{ id?, type: 'subscription_plan', attributes }`. An update without the stored plan is of one without prices.
 */
export const { readNew: readPlan, readUpdate: readPlanUpdate } = recordReaders('subscription_plan', readPlanAttributes)

/** A new plan from the input of a create, which has every required field. `now` is in epoch milliseconds. */
export function newPlan(patch: PlanPatch, id: string, now: number): Plan {
  const { fixedPrice, ...plain } = patch
  const given = plain as Omit<Plan, 'id' | 'fixedPrice' | 'createdAt' | 'updatedAt'>
  const { description, externalRef, basePricePercentage } = plain
  const optional = { description: description ?? null, externalRef: externalRef ?? null, basePricePercentage: basePricePercentage ?? null }
  return { ...given, ...optional, id, fixedPrice: mergeFixedPrice(null, fixedPrice), createdAt: now, updatedAt: now }
}

/** The plan after the patch; the same object when nothing changes. */
export function applyPlanPatch(stored: Plan, patch: PlanPatch, now: number): Plan {
  return applyPatch(stored, { ...patch, fixedPrice: mergeFixedPrice(stored.fixedPrice, patch.fixedPrice) }, now)
}

/** The rules that an updated plan breaks as a whole, including fields that the patch did not change. */
export function planViolations(plan: Plan): Violation[] {
  return [
    ...prefixPaths(['attributes', 'billing_frequency'], frequencyViolations(plan)),
    ...prefixPaths(['attributes', 'plan_length'], lengthViolations(plan)),
    ...currencyCountViolations('fixed_price', plan.fixedPrice),
  ]
}

/** The longest that a unit of billing intervals can be, in days. */
const longest = { day: 1, week: 7, month: 31, year: 366 } as const

/** What is known of a plan that may be broken. */
type SpanTerms = { readonly [Member in 'billingIntervalType' | 'billingFrequency' | 'planLength']?: BillingTerms[Member] | undefined }

/** One billing interval takes at most PLAN_DAYS_MAX days. */
function frequencyViolations({ billingIntervalType, billingFrequency }: SpanTerms): Violation[] {
  return aboveMax(billingFrequency, unitsMax(billingIntervalType))
}

/** All billing intervals together take at most PLAN_DAYS_MAX days, so that no instant of a subscription passes the year 9999. */
function lengthViolations({ billingIntervalType, billingFrequency = Number.NaN, planLength }: SpanTerms): Violation[] {
  const intervals = Math.floor(unitsMax(billingIntervalType) / billingFrequency)
  return intervals === 0 ? [] : aboveMax(planLength, intervals)
}

/** Units of a billing interval at most; NaN for one that is unknown, above which is nothing. */
function unitsMax(type: BillingInterval | undefined): number {
  return type === undefined ? Number.NaN : Math.floor(PLAN_DAYS_MAX / longest[type])
}

function aboveMax(value: number | undefined, max: number): Violation[] {
  if (value === undefined || !(value > max)) return []
  return [{ code: 'OUT_OF_RANGE', path: [], message: `must be at most ${max} for this billing interval`, params: limitParams(null, max) }]
}

function readPlanAttributes(attributes: InputReader, { create, stored }: { create: boolean; stored?: Plan | undefined }): PlanPatch {
  const required = { required: create }
  const days = { ...required, max: PLAN_DAYS_MAX }
  const head = {
    name: attributes.text('name', { ...required, min: NAME_MIN, max: NAME_MAX, isName: true }) ?? undefined,
    description: attributes.text('description', { nullable: true, max: DESCRIPTION_MAX }),
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
    billingIntervalType: attributes.oneOf('billing_interval_type', billingIntervalWords, required) ?? undefined,
  }
  const { billingIntervalType } = head
  const billingFrequency = attributes.integer('billing_frequency', { ...days, min: 1 }) ?? undefined
  attributes.addViolations('billing_frequency', frequencyViolations({ billingIntervalType, billingFrequency }))
  const trialPeriod = attributes.integer('trial_period', { ...days, min: 0 }) ?? undefined
  const planLength = attributes.integer('plan_length', { ...days, min: 1 }) ?? undefined
  attributes.addViolations('plan_length', lengthViolations({ billingIntervalType, billingFrequency, planLength }))
  return {
    ...head,
    billingFrequency,
    trialPeriod,
    planLength,
    endBehavior: attributes.oneOf('end_behavior', endBehaviorWords, required) ?? undefined,
    canPause: attributes.boolean('can_pause', required) ?? undefined,
    canResume: attributes.boolean('can_resume', required) ?? undefined,
    canCancel: attributes.boolean('can_cancel', required) ?? undefined,
    basePricePercentage: readPercentage(attributes),
    fixedPrice: readPriceMap(attributes, 'fixed_price', stored?.fixedPrice ?? {}),
  }
}

function readPercentage(attributes: InputReader): number | null | undefined {
  const value = attributes.raw('base_price_percentage', { nullable: true })
  if (value == null) return value
  if (typeof value !== 'number') return attributes.addViolation('base_price_percentage', 'INVALID_TYPE', 'must be a number')
  if (value >= 0 && value <= BASE_PRICE_PERCENTAGE_MAX) return value === 0 ? 0 : value
  return attributes.addViolation(
    'base_price_percentage',
    'OUT_OF_RANGE',
    `must be a number from 0 to ${BASE_PRICE_PERCENTAGE_MAX}`,
    limitParams(0, BASE_PRICE_PERCENTAGE_MAX),
  )
}

/** A plan without any fixed price has null, not an empty map. */
function mergeFixedPrice(stored: PriceMap | null, patch: PriceMapPatch | null | undefined): PriceMap | null {
  const merged = mergePriceMap(stored ?? {}, patch)
  return Object.keys(merged).length > 0 ? merged : null
}
