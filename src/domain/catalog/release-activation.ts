/**
 * Release activations: when a release becomes the latest of its catalog, at once or on schedule
 * (release.scheduled-at-its-millisecond).
 */

/** An activation of one release. */
export interface Activation {
  /** Epoch milliseconds. */
  readonly at: number
  /** Whether it takes effect at `at`. Otherwise it has taken effect already, whatever the clock says. */
  readonly scheduled: boolean
}

/** An activation, and the release that it makes the latest. */
export interface CatalogActivation extends Activation {
  readonly releaseId: string
}

/** A scheduled release, and the instant at which it becomes the latest, epoch milliseconds. */
export type ReleaseTurn = Pick<CatalogActivation, 'releaseId' | 'at'>

/** Whether an activation has taken effect at `now`, epoch milliseconds. */
export function isInEffect({ at, scheduled }: Activation, now: number): boolean {
  return !scheduled || at <= now
}

/** The instant of a release's first activation after `now`, epoch milliseconds; null when it is not scheduled. */
export function scheduledFor(activations: readonly Activation[], now: number): number | null {
  const instants = activations.filter((one) => !isInEffect(one, now)).map(({ at }) => at)
  return instants.length === 0 ? null : Math.min(...instants)
}

/**
 * The instant for which a release is scheduled, epoch milliseconds. With none to come, the one for which it was
 * scheduled when it last became the latest; null when that was at once (release.published-when-public).
 */
export function scheduleOf(activations: readonly Activation[], now: number): number | null {
  const coming = scheduledFor(activations, now)
  if (coming !== null) return coming
  const since = activeSince(activations, now)
  return activations.some(({ at, scheduled }) => scheduled && at === since) ? since : null
}

/** The instant at which a release last became the latest, epoch milliseconds; null when it has not by `now`. */
export function activeSince(activations: readonly Activation[], now: number): number | null {
  const instants = activations.filter((one) => isInEffect(one, now)).map(({ at }) => at)
  return instants.length === 0 ? null : Math.max(...instants)
}
