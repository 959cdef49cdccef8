import type { Unavailable } from '../domain/input/errors.ts'

/** How long a request goes on (in-flight-requests.ts ends it). Of a request that has ended no further statement starts. */
export interface RequestDeadline {
  /** Why it ended: its client is gone, or its deadline has passed. */
  abortReason: Unavailable | null
  /** Set by work that may take longer than the deadline, such as a publish: its client waits as long as it likes. */
  exempt: boolean
}

/** Throws when the request has ended. */
export function assertActive(deadline: RequestDeadline): void {
  if (deadline.abortReason) throw deadline.abortReason
}
