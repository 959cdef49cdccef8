import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Answers PostgreSQL's wire protocol. */
export type Engine = {
  /** Starts the database when it does not run: at the first connection, and at the first one after it died. */
  start(): Promise<void>
  /** Hands over messages and resolves to the answer's bytes; rejects when the database stopped before it answered. */
  exchange(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array>
  /** Lets the running statement end, closes the files and ends the thread. */
  stop(): Promise<void>
}

type Waiting = { resolve(answer: Uint8Array): void; reject(reason: Error): void }

const workerUrl = new URL('./pglite-worker.mjs', import.meta.url)

/** How long a stop waits for the running statement before it ends the thread (which loses nothing that was acknowledged). */
const STOP_MS = 5_000

/** PGlite in a worker thread over `folder`. Bytes are answered in the order in which they were handed over. */
export class PgliteEngine implements Engine {
  readonly #folder: string
  readonly #waiting: Waiting[] = []
  #worker: Promise<Worker> | undefined
  #stopped = false

  constructor(folder: string) {
    this.#folder = folder
  }

  async start(): Promise<void> {
    if (this.#stopped) throw new Error('The embedded database is closed')
    this.#worker ??= this.#launch()
    await this.#worker
  }

  async exchange(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const worker = await this.#worker
    if (!worker) throw stopped()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      worker.postMessage(bytes, [bytes.buffer])
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    const worker = await this.#worker?.catch(() => undefined)
    if (!worker) return
    const gone = once(worker, 'exit')
    worker.postMessage('stop')
    const timer = setTimeout(() => void worker.terminate(), STOP_MS)
    await gone
    clearTimeout(timer)
  }

  #launch(): Promise<Worker> {
    // The thread needs none of this process's loaders and flags.
    const worker = new Worker(workerUrl, { workerData: { folder: this.#folder }, execArgv: [] })
    let cause: Error | undefined
    const launched = new Promise<Worker>((resolve, reject) => {
      worker.on('message', (message: 'ready' | Uint8Array) => {
        if (message === 'ready') resolve(worker)
        else this.#waiting.shift()?.resolve(message)
      })
      worker.on('error', (error) => {
        cause = error
      })
      worker.on('exit', () => {
        this.#worker = undefined
        const reason = stopped(cause)
        reject(reason)
        for (const { reject: refuse } of this.#waiting.splice(0)) refuse(reason)
      })
    })
    return launched
  }
}

/** Carries the code of a socket that was cut, so that it is treated like a lost server: the answer is 503, the next request connects again. */
function stopped(cause?: Error): Error {
  return Object.assign(new Error('The embedded database stopped', { cause }), { code: 'ECONNRESET' })
}
