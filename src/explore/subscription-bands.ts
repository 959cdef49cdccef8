/** The life of a subscription as stretches of time: which terms hold, and in which phase it is. */

/** What happens to it, as its timeline has it. */
export interface LifeEvent {
  readonly at: string
  readonly type: string
}

/** Terms, as the graph has them. */
export interface Terms {
  readonly from: string
  readonly to: string | null
  readonly plan: { readonly name: string }
  readonly items: readonly {
    readonly name: string | null
    readonly sku: string | null
    readonly quantity: number
    readonly unitAmount: { readonly formatted: string } | null
  }[]
}

/** What it is now. */
export interface Current {
  readonly phase: string
  readonly trialEndsAt: string | null
}

/** A stretch, in epoch milliseconds; `Infinity` for one that goes on, `-Infinity` for one that began before. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly name: string
}

const itemText = ({ name, sku, quantity, unitAmount }: Terms['items'][number]): string =>
  `${quantity} × ${name ?? 'a product that is gone'}${sku ? ` (${sku})` : ''} at ${unitAmount?.formatted ?? 'no price'}`

/** The terms one after another, each named by its plan and items; those of `end` on are none. */
export function bandsOf(terms: readonly Terms[], end: number): Stretch[] {
  return terms
    .map(({ from, to, plan, items }) => ({
      from: Date.parse(from),
      to: Math.min(to === null ? Infinity : Date.parse(to), end),
      name: `${plan.name}: ${items.map(itemText).join(', ')}`,
    }))
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
