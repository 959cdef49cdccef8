import fc from 'fast-check'
import { test } from 'vitest'
import { billingIntervalWords } from '../../../src/domain/subscriptions/billing.ts'
import {
  actionViolations,
  applyAction,
  type Lifecycle,
  type LifecycleTerms,
  type StateAction,
  statusAt,
} from '../../../src/domain/subscriptions/subscription-state.ts'
import { runs } from '../../support/effort.ts'

/**
 * Model of a subscription: only the history of its actions, from which every result is computed anew. It finds billing instants by
 * walking a list, and has no flags and timestamps, which are compared with those of the implementation.
 */
interface Model {
  now: number
  readonly start: number
  readonly plan: LifecycleTerms
  readonly history: { readonly action: StateAction; readonly at: number }[]
}

interface Real {
  life: Lifecycle
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

function billings({ plan, start }: Model): number[] {
  return Array.from({ length: 400 }, (_, k) => {
    const date = new Date(start + plan.trialPeriod * DAY)
    const steps = k * plan.billingFrequency
    if (plan.billingIntervalType === 'day') return date.getTime() + steps * DAY
    if (plan.billingIntervalType === 'week') return date.getTime() + steps * 7 * DAY
    const months = date.getUTCMonth() + steps * (plan.billingIntervalType === 'year' ? 12 : 1)
    const sameDay = new Date(date)
    sameDay.setUTCMonth(months)
    // A day that the month lacks becomes a day of the next month.
    if (sameDay.getUTCMonth() !== months % 12) sameDay.setUTCDate(0)
    return sameDay.getTime()
  })
}

/** The actions of one kind since the last resume. */
function inForce({ history }: Model, action: StateAction) {
  return history.slice(history.findLastIndex((event) => event.action === 'resume') + 1).find((event) => event.action === action)
}

function expected(model: Model) {
  const instants = billings(model)
  const { plan, now } = model
  const paused = inForce(model, 'pause')
  const canceled = inForce(model, 'cancel')
  const endDate = plan.endBehavior === 'close' ? instants[plan.planLength] : null
  const closed = endDate != null && endDate <= now
  const since = [paused, canceled].flatMap((event) => (event ? [event.at] : []))
  const held = since.length > 0 && instants.some((instant) => instant > Math.min(...since) && instant <= now)
  return {
    status: closed || held ? 'inactive' : 'active',
    canceled: canceled !== undefined,
    paused: paused !== undefined,
    closed,
    suspended: false,
    invoiceAfter: instants.find((instant) => instant > now),
    endDate,
  }
}

class Act implements fc.Command<Model, Real> {
  constructor(readonly action: StateAction) {}

  check(): boolean {
    return true
  }

  run(model: Model, real: Real): void {
    const { plan, now, history } = model
    const stands = expected(model)
    const forbidden = { pause: !plan.canPause, resume: !plan.canResume, cancel: !plan.canCancel }[this.action]
    const refused = {
      pause: stands.closed || stands.paused || stands.canceled,
      cancel: stands.closed || stands.canceled,
      resume: stands.closed || (!stands.paused && !stands.canceled),
    }[this.action]
    if (actionViolations(plan, this.action).length > 0 !== forbidden) throw new Error(`${this.action} forbidden: ${forbidden}`)
    if (forbidden) return
    const before = structuredClone(real.life)
    try {
      real.life = applyAction(real.life, this.action, now)
      if (refused) throw new Error(`${this.action} should have been refused`)
      if (real.life.updatedAt <= before.updatedAt) throw new Error('updatedAt did not rise')
      history.push({ action: this.action, at: now })
    } catch (error) {
      if (!refused) throw error
      same(real.life, before)
    }
    compare(model, real)
  }

  toString(): string {
    return this.action
  }
}

class Wait implements fc.Command<Model, Real> {
  constructor(
    readonly ms: number,
    /** Whether the step leads to the next billing instant; `ms` is then added to it. */
    readonly toBilling: boolean,
  ) {}

  /** Whether it stays among the instants that the model counts. */
  check(model: Model): boolean {
    return model.now + this.ms < (billings(model).at(-2) ?? 0)
  }

  run(model: Model, real: Real): void {
    const next = (this.toBilling ? (billings(model).find((instant) => instant > model.now) ?? 0) : model.now) + this.ms
    model.now = Math.max(model.now, next)
    compare(model, real)
  }

  toString(): string {
    return `wait ${this.toBilling ? 'to billing ' : ''}${this.ms}`
  }
}

function compare(model: Model, real: Real): void {
  same(statusAt(real.life, model.now), expected(model))
  const last = (action: StateAction) => model.history.findLast((event) => event.action === action)?.at ?? null
  const { pausedAt, canceledAt, resumedAt } = real.life
  same({ pausedAt, canceledAt, resumedAt }, { pausedAt: last('pause'), canceledAt: last('cancel'), resumedAt: last('resume') })
}

function same(actual: unknown, wanted: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(wanted)) throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(wanted)}`)
}

const act = (action: StateAction) => fc.constant(new Act(action))
const commands = fc.commands(
  [
    act('pause'),
    act('resume'),
    act('cancel'),
    fc.integer({ min: 0, max: 40 * DAY }).map((ms) => new Wait(ms, false)),
    fc.constantFrom(-1, 0, 1).map((nudge) => new Wait(nudge, true)),
  ],
  { maxCommands: 30 },
)

const mostly = fc.integer({ min: 0, max: 9 }).map((die) => die > 0)
const plan = fc.record({
  billingIntervalType: fc.constantFrom(...billingIntervalWords),
  billingFrequency: fc.integer({ min: 1, max: 5 }),
  trialPeriod: fc.integer({ min: 0, max: 20 }),
  planLength: fc.integer({ min: 1, max: 8 }),
  endBehavior: fc.constantFrom('close' as const, 'roll' as const),
  canPause: mostly,
  canResume: mostly,
  canCancel: mostly,
})

test('subscription.billing-instants, subscription.allowed-actions: the status equals that of a model with only a history', () => {
  const start = fc.integer({ min: Date.UTC(2026, 0, 1) / HOUR, max: Date.UTC(2029, 0, 1) / HOUR }).map((hours) => hours * HOUR)
  fc.assert(
    fc.property(plan, start, commands, (terms, from, steps) => {
      const never = { pausedAt: null, canceledAt: null, resumedAt: null, inactivationRequestedAt: null }
      const life: Lifecycle = { paused: false, canceled: false, ...never, createdAt: from, updatedAt: from, plan: terms }
      fc.modelRun(() => ({ model: { now: from, start: from, plan: terms, history: [] }, real: { life } }), steps)
    }),
    runs(2_000),
  )
})
