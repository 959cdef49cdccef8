/**
 * Trace of a request (OpenTelemetry), absent while traces are off. The code that reports to metrics and log reports to
 * it too, and server/monitoring/traces.ts makes the spans. It takes only names in the code and numbers, so no span can
 * hold what a client sent.
 */
export interface RequestTrace {
  /** The id of the trace, 32 hexadecimal digits. */
  readonly id: string
  /** Runs the handler of the request. Statements that it sends belong to the trace. */
  run<T>(handle: () => T): T
  /**
   * Runs a GraphQL operation in a span; `name` is '' for an anonymous one, and `isFailed` says whether the server is at
   * fault.
   */
  operation<T>(type: string, name: string, run: () => Promise<T> | T, isFailed: (result: T) => boolean): Promise<T>
  /** Runs a loader's batch of `keys` keys in a span. */
  batch<T>(path: string, keys: number, run: () => Promise<T>): Promise<T>
  /** Ends the span of the request itself. */
  end(request: EndedRequest): void
}

/** The outcome of a request, for its span. */
export interface EndedRequest {
  /** Null where nothing was sent. */
  readonly status: number | null
  /** The template of the route; null where no route was found. */
  readonly route: string | null
  /** The label of the GraphQL operation, as in the metrics; null where none ran. */
  readonly operation: string | null
}
