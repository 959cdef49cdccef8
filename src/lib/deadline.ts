/**
 * Request deadline: whether a request may go on. Once `abortReason` is set, no further statement of the request starts.
 */
export interface RequestDeadline {
  /**
   * The error that the request's work throws once its client has left or its time has run out; null while it may go on.
   */
  abortReason: Error | null
  /** Set by work that may exceed the deadline, such as a publish. */
  exempt: boolean
  /** Set when the body is stored as it comes: what has arrived of it is not in memory. */
  isStreamed?: boolean
}

/** Throws the abort reason if there is one. */
export function assertActive(deadline: RequestDeadline): void {
  if (deadline.abortReason) throw deadline.abortReason
}
