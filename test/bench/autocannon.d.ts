/** What the benchmark uses of autocannon, which brings no types. */
declare module 'autocannon' {
  interface Request {
    readonly method?: string
    readonly path?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly setupRequest?: (request: Request) => Request
  }

  interface Options {
    readonly url: string
    readonly connections: number
    /** Seconds. */
    readonly duration: number
    /** Requests in all; `duration` is then without effect. */
    readonly amount?: number
    /** Seconds until a request counts as failed. */
    readonly timeout?: number
    readonly requests: readonly Request[]
  }

  interface Result {
    readonly duration: number
    readonly non2xx: number
    readonly errors: number
    readonly timeouts: number
  }

  interface Instance extends Promise<Result> {
    on(
      event: 'response',
      listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void,
    ): void
  }

  const autocannon: (options: Options) => Instance
  export = autocannon
}
