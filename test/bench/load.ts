/** Drives a server with autocannon from a process of its own and reports what the clients saw. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { calmly } from './calm.ts'

/** A request as autocannon takes it. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Load {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  /** So many requests, however long they take, in place of `seconds`. */
  readonly amount?: number
  /** Chosen from at random; one alone is sent again and again. */
  readonly requests: readonly LoadRequest[]
}

/** Latencies in milliseconds. */
export interface LoadResult {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** Throws when any answer was not 200 or a connection failed. */
export function drive(load: Load): Promise<LoadResult> {
  return calmly(() => driveOnce(load))
}

/** To warm up, in whatever the others leave. */
export async function driveOnce(load: Load): Promise<LoadResult> {
  const worker = fork(fileURLToPath(new URL('./load-worker.ts', import.meta.url)), { serialization: 'advanced' })
  try {
    const done = new Promise<LoadResult & { failed: number }>((resolve, reject) => {
      worker.once('message', (message) => resolve(message as LoadResult & { failed: number }))
      worker.once('exit', (code) => reject(new Error(`the load process ended with ${code}`)))
    })
    worker.send(load)
    const { failed, ...result } = await done
    if (failed > 0) throw new Error(`${failed} answers of ${load.url} were failures`)
    return result
  } finally {
    worker.kill()
  }
}
