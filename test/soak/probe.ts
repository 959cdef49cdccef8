/** Probes: one request that is sent again and again while others load the server, and how long each took. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface ProbeRequest {
  readonly url: string
  /** By default GET. */
  readonly method?: 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether each request opens a connection of its own, as some load balancers do. */
  readonly isFresh?: boolean
}

export interface Probe {
  /** Ends it. `times`: milliseconds of each request; `failure`: the first that was not answered with 200. */
  stop(): Promise<{ readonly times: readonly number[]; readonly failure: string | null }>
}

/** Milliseconds between two requests. */
const PAUSE_MS = 10

/** Sends the request in a thread of its own until `stop`. */
export function startProbe(request: ProbeRequest): Probe {
  const worker = new Worker(new URL('./probe.mjs', import.meta.url), { workerData: { ...request, pauseMs: PAUSE_MS } })
  return {
    async stop() {
      worker.postMessage('stop')
      const [result] = await once(worker, 'message')
      return result
    },
  }
}

const at = (times: readonly number[], share: number): number => {
  const sorted = [...times].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const percentile99 = (times: readonly number[]): number => at(times, 0.99)

export const shown = (times: readonly number[]): string =>
  `p50 ${at(times, 0.5).toFixed(0)} ms, p99 ${at(times, 0.99).toFixed(0)}, at most ${at(times, 1).toFixed(0)} (${times.length})`
