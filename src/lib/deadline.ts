/** Deadline of a request: whether it goes on. Once `abortReason` is set no further statement of the request starts. */
export interface RequestDeadline {
  /** What its work throws from then on: its client is gone, or its time has passed. Null while it goes on. */
  abortReason: Error | null
  /** Set by work that may take longer than the deadline, such as a publish. */
  exempt: boolean
}

/** Throws the abort reason once there is one. */
export function assertActive(deadline: RequestDeadline): void {
  if (deadline.abortReason) throw deadline.abortReason
}
