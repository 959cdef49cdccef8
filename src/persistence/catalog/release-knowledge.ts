/**
 * What a server knows of the published releases, as a state machine that release-cache.ts runs: whether they may be
 * served, and which reads count. Instants are milliseconds of one clock.
 */

/** Milliseconds after which the releases are read again before they are served (release.seen-within-a-second). */
export const MAX_STALE_MS = 1_000
/** Milliseconds after which they are read again while they are still served, so that few requests wait. */
const REFRESH_AFTER_MS = 600

/**
 * - `UNKNOWN`: never read.
 * - `FRESH`: served.
 * - `AGEING`: served while it is read again.
 * - `STALE`: read again first; a standby may confirm it while the primary is away (replica.serves-what-it-has).
 * - `INVALIDATED`: this server wrote. Read again first, on the primary alone, since a standby may lack the write.
 */
export type KnowledgeState = 'UNKNOWN' | 'FRESH' | 'AGEING' | 'STALE' | 'INVALIDATED'

/** The state, and since when. */
export interface Knowledge {
  readonly state: KnowledgeState
  /** The instant at which the known releases were current; for INVALIDATED that of the write. */
  readonly since: number
  /** When the read of the known releases began. */
  readonly readAt: number
}

/**
 * The releases were wanted, a read began or failed, this server wrote, or a read that began at `begunAt` returned. A
 * read of a standby brings no releases; it confirms the known ones.
 */
export type KnowledgeEvent =
  | 'wanted'
  | 'begun'
  | 'failed'
  | 'written'
  | { readonly begunAt: number; readonly isFromStandby: boolean }

const NEVER = Number.NEGATIVE_INFINITY

/** Before the first read. */
export const unknown: Knowledge = { state: 'UNKNOWN', since: NEVER, readAt: NEVER }

/** The state after an event at `now`. */
export function transition(known: Knowledge, event: KnowledgeEvent, now: number): Knowledge {
  if (event === 'written') return { ...known, state: 'INVALIDATED', since: now }
  if (typeof event === 'string') return aged(known, now)
  const { begunAt, isFromStandby } = event
  // A read that began before the known one, or before a write, may be outdated, so it does not make the releases fresh.
  // Its result still answers the requests that wait for it, unless a later read has come.
  const readAt = isFromStandby ? known.readAt : Math.max(known.readAt, begunAt)
  if (begunAt <= known.since) return aged({ ...known, readAt }, now)
  return aged({ state: 'FRESH', since: isFromStandby ? now : begunAt, readAt }, now)
}

/** Whether the known releases are served without a read. */
export const isServed = ({ state }: Knowledge): boolean => state === 'FRESH' || state === 'AGEING'

/** Whether a read that begins may be answered by a standby. */
export const standbyMayServe = ({ state }: Knowledge): boolean => state !== 'UNKNOWN' && state !== 'INVALIDATED'

function aged(known: Knowledge, now: number): Knowledge {
  if (!standbyMayServe(known)) return known
  const age = now - known.since
  const state = age >= MAX_STALE_MS ? 'STALE' : age >= REFRESH_AFTER_MS ? 'AGEING' : 'FRESH'
  return state === known.state ? known : { ...known, state }
}
