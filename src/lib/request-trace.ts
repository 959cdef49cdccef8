/**
 * Trace of a request (OpenTelemetry), absent while traces are off: the places that metrics and log observe report to it, and
 * server/monitoring/traces.ts makes its spans. It takes names from code and numbers alone, so that no span can hold what a client sent.
 */
export interface RequestTrace {
  /** The id of the trace, 32 hexadecimal digits. */
  readonly id: string
  /** Runs the handler of the request; what it sends to the database belongs to the trace. */
  run<T>(handle: () => T): T
  /** Runs a GraphQL operation in a span; `name` is '' for an anonymous one, and `isFailed` says whether the server is at fault. */
  operation<T>(type: string, name: string, run: () => Promise<T> | T, isFailed: (result: T) => boolean): Promise<T>
  /** Runs a loader's batch of so many keys in a span. */
  batch<T>(path: string, keys: number, run: () => Promise<T>): Promise<T>
  /** Ends the span of the request itself. */
  end(request: EndedRequest): void
}

/** The outcome of a request, for its span. */
export interface EndedRequest {
  /** Null where nothing was sent. */
  readonly status: number | null
  /** The route's template; null where none was found. */
  readonly route: string | null
  /** The label of the GraphQL operation, as metrics have it; null where none ran. */
  readonly operation: string | null
}
