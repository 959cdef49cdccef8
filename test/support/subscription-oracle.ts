/**
 * A second implementation of lives of subscriptions, from RULES.md alone and slow: it walks from instant to instant,
 * period by period, and finds local times by asking Intl.
 */
import type { AgreedChange, Agreement, Item } from '../../src/domain/subscriptions/agreement.ts'
import type { Plan } from '../../src/domain/subscriptions/plan.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

export interface OracleLine {
  readonly productId: string
  readonly quantity: number
  readonly unitAmount: number | null
  readonly reason: string
  readonly amount: number | null
}

/** An entry as texts and numbers, for comparison. */
export type OracleEntry = readonly [at: number, type: string, detail?: unknown]

interface Paid {
  item: Item
  from: number
  to: number
}

export interface OracleLife {
  readonly entries: OracleEntry[]
  /** The phase from an instant on. */
  readonly phases: (readonly [number, string])[]
  /** All starts of periods, charged or not. */
  readonly starts: number[]
  readonly end: number | null
  /** The terms from an instant on, those before the start included. */
  readonly terms: (readonly [number, Plan, readonly Item[]])[]
  /** By id: when it took effect, and when a resume ended it. */
  readonly effective: Map<string, number>
  readonly ended: Map<string, number>
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The local time of a zone, as the epoch milliseconds at which UTC shows it. */
function shown(zone: string | null, instant: number): number {
  if (zone === null) return instant
  let format = formats.get(zone)
  if (!format) {
    const numeric = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
    const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, ...numeric, ...clock })
    formats.set(zone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000)
}

/** The first instant with a local time; in a gap the time that the clock would have shown without the change. */
function instantOf(zone: string | null, local: number): number {
  if (zone === null) return local
  const offsets = [-26, 26].map((hours) => shown(zone, local + hours * HOUR) - (local + hours * HOUR))
  const found = offsets.map((offset) => local - offset).filter((instant) => shown(zone, instant) === local)
  return found.length > 0 ? Math.min(...found) : local - (offsets[0] ?? 0)
}

function lastDay(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
}

function onDay(year: number, month: number, day: number, time: number): number {
  const first = new Date(Date.UTC(year, month, 1))
  const [y, m] = [first.getUTCFullYear(), first.getUTCMonth()]
  return Date.UTC(y, m, Math.min(day, lastDay(y, m))) + time
}

interface Starts {
  /** Until the horizon and some more. */
  readonly list: number[]
  /** The start of the interval that the first period is a part of. */
  readonly wholeFrom: number
}

function startsFrom(
  agreement: Agreement,
  plan: Plan,
  first: number,
  local: number,
  time: number,
  until: number,
): Starts {
  const { timeZone, billingDay } = agreement
  const { billingIntervalType: unit, billingFrequency } = plan
  const list = [first]
  const far = until + 3 * 366 * DAY
  if (unit === 'day' || unit === 'week') {
    const step = billingFrequency * (unit === 'week' ? 7 : 1) * DAY
    for (let at = local + step; at < far || list.length < 30; at += step) list.push(instantOf(timeZone, at))
    return { list, wholeFrom: first }
  }
  const months = unit === 'month' ? billingFrequency : billingFrequency * 12
  const date = new Date(local)
  let [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  let clock = local - Date.UTC(year, month, day)
  let wholeFrom = first
  if (billingDay !== null) {
    const here = Math.min(billingDay, lastDay(year, month))
    clock = time
    if (here !== day) {
      if (day > here) month++
      list.push(instantOf(timeZone, onDay(year, month, billingDay, clock)))
      wholeFrom = instantOf(timeZone, onDay(year, month - months, billingDay, clock))
    }
    day = billingDay
  }
  for (let at = first; at < far || list.length < 30; ) {
    month += months
    at = instantOf(timeZone, onDay(year, month, day, clock))
    list.push(at)
  }
  return { list, wholeFrom }
}

function part(item: Item, left: number, whole: number): number | null {
  if (item.unitAmount === null) return null
  const twice = 2n * BigInt(item.unitAmount) * BigInt(item.quantity) * BigInt(left) + BigInt(whole)
  return Number(twice / (2n * BigInt(whole)))
}

/** The life of an agreement until an instant. */
export function oracleLife(agreement: Agreement, until: number): OracleLife {
  const { startsAt, timeZone, changes } = agreement
  const standing = changes.map((change, asked) => ({ change, asked })).filter(({ change }) => change.undoneAt === null)
  const moved = standing.filter(({ change }) => change.type === 'trial').at(-1)?.change.at
  const trialLocal =
    moved === undefined ? shown(timeZone, startsAt) + agreement.plan.trialPeriod * DAY : shown(timeZone, moved)
  const trialEnd = moved ?? (agreement.plan.trialPeriod === 0 ? startsAt : instantOf(timeZone, trialLocal))
  const time = ((trialLocal % DAY) + DAY) % DAY

  let plan = agreement.plan
  let items = agreement.items
  let billing = startsFrom(agreement, plan, trialEnd, trialLocal, time, until)
  let counted = 0
  let covers: Paid[] = []
  let closed = false
  let cancel: number | null = null
  let pauses: number[] = []
  const entries: OracleEntry[] = []
  const phases: [number, string][] = [[Number.NEGATIVE_INFINITY, 'pending']]
  const allStarts: number[] = []
  const terms: [number, Plan, readonly Item[]][] = [[Number.NEGATIVE_INFINITY, plan, items]]
  const effective = new Map<string, number>()
  const ended = new Map<string, number>()
  const end = () => (plan.endBehavior === 'close' ? (billing.list[counted + plan.planLength] ?? null) : null)
  const numberAt = (at: number) => billing.list.findLastIndex((start) => start <= at)

  let now = Math.min(startsAt, ...standing.map(({ change }) => change.at))
  while (now <= until) {
    const happening: OracleEntry[] = []
    const phase = () => {
      if (closed) return 'closed'
      if (cancel !== null) return 'canceled'
      if (pauses.length > 0) return 'paused'
      if (now < startsAt) return 'pending'
      return now < trialEnd ? 'trial' : 'active'
    }
    const wasServed = ['trial', 'active'].includes(phases.at(-1)?.[1] ?? '')
    covers = covers.filter(({ to }) => to > now)
    const before = covers
    const quiet: boolean = cancel !== null
    const asked = standing.filter(({ change }) => change.at === now)
    const resumes = asked.filter(({ change }) => change.type === 'resume').map((resume) => resume.asked)
    // One group ends with each resume; in it come changes, cancels, pauses, and the resume.
    const groupOf = (one: (typeof standing)[number]): number =>
      one.change.type === 'change' && !quiet ? 0 : resumes.filter((resume) => resume < one.asked).length
    const due: typeof standing = Array.from({ length: resumes.length + 1 }, (_, group) =>
      ['change', 'cancel', 'pause', 'resume'].flatMap((type) =>
        asked.filter((one) => one.change.type === type && groupOf(one) === group),
      ),
    ).flat()
    let parts = now

    if (now === startsAt && !quiet) {
      happening.push([now, 'begins'])
      if (trialEnd > now) happening.push([now, 'trial_begins'])
    }
    if (now === trialEnd && now > startsAt && !quiet) happening.push([now, 'trial_ends'])

    const wanted = (productId: string): Paid[] => {
      const item = items.find((one) => one.productId === productId)
      const k = numberAt(now)
      const [from, to] = [billing.list[k] as number, billing.list[k + 1] as number]
      // A period that starts now is charged by itself.
      return item && from < now ? [{ item, from: k === 0 ? billing.wholeFrom : from, to }] : []
    }
    const settle = (ids: readonly string[]) => {
      covers = [...covers.filter(({ item }) => !ids.includes(item.productId)), ...ids.flatMap(wanted)]
    }

    const over = () => {
      const last = end()
      if (closed || last === null || last > now) return
      closed = true
      if (cancel === null) happening.push([now, 'closes'])
    }
    let settlesAll = false
    const noChangeFrom = (place: number) => !due.slice(place).some(({ change }) => change.type === 'change')
    if (noChangeFrom(0)) over()
    for (const [place, { change, asked }] of due.entries()) {
      if ('prorateAt' in change && change.prorateAt != null) parts = change.prorateAt
      if (change.type === 'change') {
        if (!closed && cancel === null) {
          const settles = phase() === 'active' && change.proration === 'by_time'
          const [oldItems, oldPlan] = [items, plan]
          items = change.items
          plan = change.plan ?? plan
          const other =
            plan.billingFrequency !== oldPlan.billingFrequency ||
            plan.billingIntervalType !== oldPlan.billingIntervalType
          if (other && now < trialEnd) billing = startsFrom(agreement, plan, trialEnd, trialLocal, time, until)
          if (other && now >= trialEnd) billing = startsFrom(agreement, plan, now, shown(timeZone, now), time, until)
          if (change.plan) counted = now < trialEnd ? 0 : numberAt(now)
          if (settles) {
            const said = (one: Item | undefined) => one && `${one.quantity} ${one.unitAmount} ${one.includesTax}`
            const ids = [...new Set([...oldItems, ...items].map(({ productId }) => productId))]
            settle(
              ids.filter((id) => {
                const [one, two] = [oldItems, items].map((list) => said(list.find(({ productId }) => productId === id)))
                return other || one !== two
              }),
            )
          }
          effective.set(change.id, now)
          happening.push([now, 'changes', change.id])
          if (terms.at(-1)?.[0] === now) terms.pop()
          terms.push([now, plan, items])
        }
        if (noChangeFrom(place + 1)) over()
      }
      if (change.type === 'cancel' || change.type === 'pause') {
        if (closed || cancel !== null || ended.has(change.id)) continue
        if (change.type === 'cancel') cancel = asked
        else pauses.push(asked)
        if (change.proration === 'by_time') covers = []
        effective.set(change.id, now)
        happening.push([now, `${change.type}s`, change.id])
      }
      if (change.type === 'resume') {
        if (closed || (cancel !== null && cancel > asked)) continue
        const holds = standing.filter((other) => other.asked < asked && !ended.has(other.change.id))
        const inEffect = holds.filter((hold) => hold.asked === cancel || pauses.includes(hold.asked))
        const waiting = holds.filter(
          (hold) => !inEffect.includes(hold) && 'atPeriodEnd' in hold.change && hold.change.atPeriodEnd,
        )
        if (inEffect.length + waiting.length === 0) continue
        for (const hold of [...inEffect, ...waiting]) ended.set(hold.change.id, now)
        cancel = null
        pauses = pauses.filter((pause) => pause > asked)
        if (inEffect.length > 0 && change.proration === 'by_time') settlesAll = true
        effective.set(change.id, now)
        happening.push([now, 'resumes', change.id])
      }
    }
    if (settlesAll && phase() === 'active')
      settle([...new Set([...covers.map(({ item }) => item.productId), ...items.map(({ productId }) => productId)])])
    const reached = phase()
    if (wasServed && !['trial', 'active'].includes(reached)) {
      const resumed = happening.findLastIndex(([, type]) => type === 'resumes')
      const turn = happening.findIndex(
        ([, type], place) => place > resumed && ['closes', 'cancels', 'pauses'].includes(type),
      )
      happening.splice(turn + 1, 0, [now, 'becomes_inactive'])
    }
    entries.push(...happening)
    if (phases.at(-1)?.[1] !== reached) phases.push([now, reached])

    const lines: OracleLine[] = []
    const line = (item: Item, reason: string, amount: number | null) =>
      lines.push({ productId: item.productId, quantity: item.quantity, unitAmount: item.unitAmount, reason, amount })
    const same = (one: Paid, other: Paid) =>
      JSON.stringify([
        one.item.productId,
        one.item.quantity,
        one.item.unitAmount,
        one.item.includesTax,
        one.from,
        one.to,
      ]) ===
      JSON.stringify([
        other.item.productId,
        other.item.quantity,
        other.item.unitAmount,
        other.item.includesTax,
        other.from,
        other.to,
      ])
    for (const old of before) {
      if (covers.some((cover) => same(cover, old)) || old.to <= parts) continue
      const amount = part(old.item, old.to - parts, old.to - old.from)
      line(old.item, 'proration_credit', amount === null ? null : 0 - amount)
    }
    for (const cover of covers) {
      if (before.some((old) => same(cover, old)) || cover.to <= parts) continue
      line(cover.item, 'proration_charge', part(cover.item, cover.to - parts, cover.to - cover.from))
    }
    const k = numberAt(now)
    const starts = k >= 0 && billing.list[k] === now
    if (starts) allStarts.push(now)
    if (starts && reached === 'active') {
      const [from, to] = [k === 0 ? billing.wholeFrom : now, billing.list[k + 1] as number]
      entries.push([now, 'period', to])
      for (const item of items) {
        line(item, 'period', part(item, to - now, to - from))
        covers = [...covers.filter((cover) => cover.item.productId !== item.productId), { item, from, to }]
      }
    }
    if (lines.length > 0 && now >= (agreement.invoicesFrom ?? now)) entries.push([now, 'invoice', lines])

    const ahead = [startsAt, trialEnd, ...standing.map(({ change }) => change.at), ...billing.list]
    const closes = closed ? null : end()
    const next = [...ahead, ...(closes === null ? [] : [closes])].filter((instant) => instant > now)
    now = next.reduce((least, instant) => Math.min(least, instant), Number.POSITIVE_INFINITY)
  }
  return { entries, phases, starts: allStarts, end: end(), terms, effective, ended }
}

/** The flags of an instant: what was asked for, was not undone, and has no resume after it. */
export function oracleFlag(
  changes: readonly AgreedChange[],
  { effective, ended }: OracleLife,
  type: 'pause' | 'cancel',
  now: number,
): boolean {
  return changes.some((change) => {
    if (change.type !== type || change.undoneAt !== null) return false
    const turns = change.atPeriodEnd ? change.askedAt : (effective.get(change.id) ?? Number.POSITIVE_INFINITY)
    return turns <= now && (ended.get(change.id) ?? Number.POSITIVE_INFINITY) > now
  })
}
