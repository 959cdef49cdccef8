import type { Unavailable } from '../domain/input/errors.ts'

/** How long a request goes on (in-flight-requests.ts ends it). Of a request that has ended no further statement starts. */
export interface Lifetime {
  /** Why it ended: its client is gone, or its deadline has passed. */
  ended: Unavailable | null
  /** Set by work that may take longer than the deadline, such as a publish: its client waits as long as it likes. */
  patient: boolean
}

/** Throws when the request has ended. */
export function assertAlive(lifetime: Lifetime): void {
  if (lifetime.ended) throw lifetime.ended
}
