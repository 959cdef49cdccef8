/** The life of a subscription as stretches of time: which terms hold, and in which phase it is. */

/** What happens to it, as its timeline has it. */
export interface LifeEvent {
  readonly at: string
  readonly type: string
}

interface Item {
  readonly name: string | null
  readonly quantity: number
}

/** What was asked of it. */
export interface Change {
  readonly type: string
  readonly status: string
  readonly at: string
  readonly plan: { readonly name: string } | null
  readonly items: readonly Item[] | null
}

/** What it is now. */
export interface Current {
  readonly startsAt: string
  readonly phase: string
  readonly trialEndsAt: string | null
  readonly plan: { readonly name: string }
  readonly items: readonly Item[]
}

/** A stretch, in epoch milliseconds; `Infinity` for one that goes on, `-Infinity` for one that began before. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly name: string
}

const itemsText = (items: readonly Item[]): string =>
  items.map(({ name, quantity }) => `${quantity} × ${name ?? 'a product that is gone'}`).join(', ')

/** The terms one after another, each named by its plan and items; those of `end` on are none. */
export function termsOf(current: Current, changes: readonly Change[], end: number): Stretch[] {
  const turns = changes
    .filter(({ type, status }) => type === 'CHANGE' && (status === 'EFFECTIVE' || status === 'SCHEDULED'))
    .map((turn) => ({ ...turn, from: Date.parse(turn.at) }))
    .sort((one, other) => one.from - other.from)
  const past = turns.filter(({ status }) => status === 'EFFECTIVE')
  // A change tells what holds from it on, and not what held before.
  const first = {
    from: Date.parse(current.startsAt),
    plan: past.some(({ plan }) => plan) ? { name: 'as first agreed' } : current.plan,
    items: past.length > 0 ? null : current.items,
  }
  let plan = first.plan.name
  const terms = [first, ...turns].map((terms) => {
    plan = terms.plan?.name ?? plan
    return { from: terms.from, name: terms.items ? `${plan}: ${itemsText(terms.items)}` : plan }
  })
  return terms
    .map((one, index) => ({ ...one, to: Math.min(terms[index + 1]?.from ?? Infinity, end) }))
    .filter(({ from, to }) => to > from)
}

/** The phase that an event begins; `before` is the one that it ends. Undefined for an event that ends none. */
function phaseAfter({ type, at }: LifeEvent, before: string, trialEndsAt: string | null): string | undefined {
  const isOff = before === 'paused' || before === 'canceled'
  if (type === 'TRIAL_BEGINS') return 'trial'
  if (type === 'TRIAL_ENDS') return isOff ? undefined : 'active'
  if (type === 'BEGINS' || type === 'RESUMES') return trialEndsAt && at < trialEndsAt ? 'trial' : 'active'
  return { PAUSES: 'paused', CANCELS: 'canceled', CLOSES: 'closed' }[type]
}

/** The phases before the first event of a kind, where the events begin within the life. */
const before: Readonly<Record<string, string>> = { TRIAL_ENDS: 'trial', RESUMES: 'inactive', BEGINS: 'pending' }

/** The phases one after another from `from` on, by the events since then, which are in their order. */
export function phasesOf(current: Current, events: readonly LifeEvent[], from: number): Stretch[] {
  const first = events.find((event) => phaseAfter(event, '', null) !== undefined)
  const turns = [{ from, name: first ? (before[first.type] ?? 'active') : current.phase.toLowerCase() }]
  for (const event of events) {
    const last = turns.at(-1)?.name ?? ''
    const name = phaseAfter(event, last, current.trialEndsAt)
    if (name !== undefined && name !== last) turns.push({ from: Date.parse(event.at), name })
  }
  return turns
    .map((turn, index) => ({ ...turn, to: turns[index + 1]?.from ?? Infinity }))
    .filter(({ from: begin, to }) => to > begin)
}
