/**
 * Random agreements, for property tests: starts, zones and changes that fall on ends of months, gaps and each other.
 */
import fc from 'fast-check'
import type { AgreedChange, Agreement, Item } from '../../src/domain/subscriptions/agreement.ts'
import { billingIntervalWords, endBehaviorWords } from '../../src/domain/subscriptions/billing.ts'
import type { Plan } from '../../src/domain/subscriptions/plan.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

/** A plan with the terms that lives depend on. */
export function planWith(terms: Partial<Plan> = {}): Plan {
  return {
    id: '0199c0de-0000-7000-8000-b00000000001',
    name: 'Monthly',
    description: null,
    externalRef: null,
    billingIntervalType: 'month',
    billingFrequency: 1,
    trialPeriod: 0,
    planLength: 12,
    endBehavior: 'roll',
    canPause: true,
    canResume: true,
    canCancel: true,
    basePricePercentage: null,
    fixedPrice: null,
    createdAt: 0,
    updatedAt: 0,
    ...terms,
  }
}

/** An item; its product is named by a letter. */
export function itemWith(productId: string, unitAmount: number | null, quantity = 1): Item {
  const includesTax = unitAmount === null ? null : false
  return { productId, name: `Product ${productId}`, sku: null, unitAmount, includesTax, quantity }
}

const anyPlan: fc.Arbitrary<Plan> = fc
  .record({
    billingIntervalType: fc.constantFrom(...billingIntervalWords, 'month' as const),
    billingFrequency: fc.constantFrom(1, 1, 2, 3),
    trialPeriod: fc.constantFrom(0, 0, 0, 1, 16, 45),
    planLength: fc.constantFrom(1, 2, 3, 12),
    endBehavior: fc.constantFrom(...endBehaviorWords),
  })
  // Every day for a year would be slow.
  .map((terms) =>
    planWith({
      ...terms,
      billingFrequency:
        terms.billingFrequency * ({ day: 9, week: 1, month: 1, year: 1 }[terms.billingIntervalType] ?? 1),
    }),
  )

const anyItems: fc.Arbitrary<readonly Item[]> = fc
  .uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })
  .chain((ids) =>
    fc
      .array(fc.tuple(fc.constantFrom(0, 1, 100, 3000, 3000, 6001, null), fc.constantFrom(1, 1, 2, 7)), {
        minLength: ids.length,
        maxLength: ids.length,
      })
      .map((terms) => ids.map((id, index) => itemWith(id, ...(terms[index] as [number | null, number])))),
  )

/** Days around which clocks change in the zones below, and ends of months. */
const pivots = [
  Date.UTC(2024, 1, 28, 12),
  Date.UTC(2024, 1, 29, 23),
  Date.UTC(2024, 2, 9, 7, 30),
  Date.UTC(2024, 2, 30, 1, 30),
  Date.UTC(2024, 2, 31, 10),
  Date.UTC(2024, 9, 27, 0, 30),
  Date.UTC(2024, 9, 27, 1, 30),
  Date.UTC(2024, 10, 3, 5, 30),
  Date.UTC(2024, 10, 3, 6, 30),
  Date.UTC(2025, 0, 31),
  Date.UTC(2011, 10, 30, 10),
  Date.UTC(2011, 11, 29, 20),
]

const zones = [null, null, 'Europe/Zurich', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia']

interface Step {
  readonly kind: 'change' | 'pause' | 'cancel' | 'resume' | 'trial'
  readonly wait: number
  readonly ahead: number
  readonly atPeriodEnd: boolean
  readonly proration: 'by_time' | 'none'
  readonly plan: Plan | null
  readonly items: readonly Item[]
  readonly undone: boolean
}

const anyWait = fc.oneof(
  fc.constantFrom(0, 0, DAY, 10 * DAY, 31 * DAY, 365 * DAY),
  fc.integer({ min: 0, max: 90 * DAY }),
)

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('change', 'change', 'pause', 'cancel', 'resume', 'resume', 'trial'),
  wait: anyWait,
  ahead: fc.oneof(fc.constant(0), fc.constant(0), anyWait),
  atPeriodEnd: fc.boolean(),
  proration: fc.constantFrom('by_time', 'by_time', 'none'),
  plan: fc.option(anyPlan),
  items: anyItems,
  undone: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
})

/** Agreements that no rule of writing has seen: a life is a function of all of them. */
export const anyAgreement: fc.Arbitrary<Agreement> = fc
  .record({
    startsAt: fc.oneof(
      fc.constantFrom(...pivots),
      fc.integer({ min: Date.UTC(2024, 0) / HOUR, max: Date.UTC(2025, 6) / HOUR }).map((hours) => hours * HOUR),
    ),
    timeZone: fc.constantFrom(...zones),
    billingDay: fc.option(fc.constantFrom(1, 15, 28, 29, 30, 31)),
    invoicesFrom: fc.option(fc.integer({ min: 0, max: 100 }), { freq: 2 }),
    plan: anyPlan,
    items: anyItems,
    steps: fc.array(anyStep, { maxLength: 7 }),
  })
  .map(({ startsAt, invoicesFrom, steps, ...terms }) => {
    let now = startsAt - DAY
    // biome-ignore lint/suspicious/useIterableCallbackReturn: the switch is exhaustive
    const changes = steps.map((step, index): AgreedChange => {
      now += step.wait
      const at = now + step.ahead
      const { kind, proration, plan, items } = step
      const asked = { id: String(index), askedAt: now, at, undoneAt: step.undone ? now : null }
      const prorateAt = step.ahead === 0 && step.atPeriodEnd ? now - 1000 : null
      const kept = prorateAt === null ? {} : { prorateAt }
      switch (kind) {
        case 'change': {
          return { ...asked, type: kind, plan, items, proration, prorateAt }
        }
        case 'pause':
        case 'cancel':
          return { ...asked, ...kept, type: kind, atPeriodEnd: step.atPeriodEnd, proration, reason: null }
        case 'resume':
          return { ...asked, ...kept, type: kind, proration, pauseId: null }
        case 'trial':
          return { ...asked, type: kind, at: Math.max(startsAt, at) }
      }
    })
    return { ...terms, startsAt, invoicesFrom: invoicesFrom === null ? null : startsAt + invoicesFrom * DAY, changes }
  })

/** An agreement with one item of 3000 a month, from a start on. */
export function agreementWith(given: Partial<Agreement> & Pick<Agreement, 'startsAt'>): Agreement {
  const items = [itemWith('a', 3000)]
  return { timeZone: null, billingDay: null, invoicesFrom: null, plan: planWith(), items, changes: [], ...given }
}
