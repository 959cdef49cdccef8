/** Effort: how a computation that may take long lets others run, and counts what it costs. */
export interface Effort {
  /** Lets other work run; undefined when there is no need to. */
  readonly pause: () => Promise<void> | undefined
  /** Counts points of work, of about five microseconds each. */
  readonly spend: (points: number) => void
}
