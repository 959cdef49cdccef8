/** The phases of a subscription from its creation on, by what it is agreed to do and what was asked of it. */

/** A phase as the graph names it. */
export type Phase = 'PENDING' | 'TRIAL' | 'ACTIVE' | 'PAUSED' | 'CANCELED' | 'CLOSED'

/** What people call a phase. */
export const phaseWords: Readonly<Record<Phase, string>> = {
  PENDING: 'not begun yet',
  TRIAL: 'trial',
  ACTIVE: 'active',
  PAUSED: 'paused',
  CANCELED: 'canceled',
  CLOSED: 'ended',
}

/** What is known of a subscription. Instants are ISO 8601 in UTC. */
export interface Lived {
  readonly createdAt: string
  readonly startsAt: string
  readonly trialEndsAt: string | null
  /** When its plan comes to its end; null for one that goes on. */
  readonly endDate: string | null
  readonly scheduledChanges: readonly { readonly type: string; readonly at: string }[]
}

/** An action that was asked for at an instant. */
export interface Asked {
  readonly action: 'PAUSE' | 'CANCEL' | 'RESUME'
  readonly createdAt: string
}

export interface Part {
  readonly phase: Phase
  readonly from: string
  /** Whether it has not begun. */
  readonly isAhead: boolean
}

interface Turn {
  readonly at: string
  readonly kind: Asked['action'] | 'BEGIN' | 'TRIAL_END' | 'CLOSE'
}

/** The phases in their order; `asked` has the newest first. An action asked for ahead counts from its instant on. */
export function partsOf(of: Lived, asked: readonly Asked[], now: number): Part[] {
  const { createdAt, startsAt, trialEndsAt, endDate } = of
  const time = Date.parse
  const isTrial = (at: string): boolean => trialEndsAt !== null && time(at) < time(trialEndsAt)
  const begun = (at: string): Phase => (time(at) < time(startsAt) ? 'PENDING' : isTrial(at) ? 'TRIAL' : 'ACTIVE')
  const turns: Turn[] = [
    ...(time(startsAt) > time(createdAt) ? [{ at: startsAt, kind: 'BEGIN' as const }] : []),
    ...(trialEndsAt !== null && time(trialEndsAt) > time(createdAt)
      ? [{ at: trialEndsAt, kind: 'TRIAL_END' as const }]
      : []),
    ...(endDate === null ? [] : [{ at: endDate, kind: 'CLOSE' as const }]),
    ...actionsOf(of, asked),
  ].sort((one, other) => time(one.at) - time(other.at))
  const parts: Part[] = [{ phase: begun(createdAt), from: createdAt, isAhead: false }]
  for (const { at, kind } of turns) {
    const last = parts.at(-1)?.phase
    const phase =
      kind === 'BEGIN' || kind === 'TRIAL_END' ? (isOff(last) ? last : begun(at)) : phaseAfter(kind, begun(at))
    const isAsked = kind === 'PAUSE' || kind === 'CANCEL' || kind === 'RESUME'
    if (phase && last !== 'CLOSED' && (isAsked || phase !== last))
      parts.push({ phase, from: at, isAhead: time(at) > now })
  }
  return parts
}

/** The actions at the instants from which on they hold. */
function actionsOf({ scheduledChanges }: Lived, asked: readonly Asked[]): Turn[] {
  const ahead = new Map(scheduledChanges.map(({ type, at }) => [type, at]))
  const turns = asked.map(({ action, createdAt }, index): Turn => {
    const isNewest = asked.findIndex((one) => one.action === action) === index
    const at = action === 'RESUME' || !isNewest ? undefined : ahead.get(action)
    return { kind: action, at: at ?? createdAt }
  })
  // A pause may end by itself, which nobody asks for later.
  const resumes = ahead.get('RESUME')
  return [...turns.reverse(), ...(resumes ? [{ kind: 'RESUME' as const, at: resumes }] : [])]
}

const isOff = (phase: Phase | undefined): boolean => phase === 'PAUSED' || phase === 'CANCELED' || phase === 'CLOSED'

const phaseAfter = (kind: Asked['action'] | 'CLOSE', begun: Phase): Phase =>
  ({ PAUSE: 'PAUSED', CANCEL: 'CANCELED', CLOSE: 'CLOSED', RESUME: begun })[kind] as Phase
