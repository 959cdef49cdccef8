/** PGlite engine: the embedded database in a worker thread, spoken to in PostgreSQL's wire protocol. */
import { once } from 'node:events'
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'

/** `since` is when it was sent (performance.now()). */
type Pending = { readonly since: number; resolve(response: Uint8Array): void; reject(reason: Error): void }

const workerUrl = new URL('./pglite-worker.mjs', import.meta.url)

/**
 * Milliseconds for which a stop waits for the running statement; then it ends the thread, which loses no committed
 * transaction.
 */
const STOP_MS = 5_000

/** PGlite in a worker thread over `folder`. Responses come in the order of the messages. */
export class PgliteEngine {
  private readonly pending: Pending[] = []
  private worker: Promise<Worker> | undefined
  private stopped = false
  private isRunning = false

  /** Tables are vacuumed every `vacuumMs` milliseconds, by default once a minute. */
  constructor(
    private readonly folder: string,
    private readonly vacuumMs?: number,
  ) {}

  /** Starts the database unless it runs: at the first connection, and at the first one after a crash. */
  async start(): Promise<void> {
    if (this.stopped) throw new Error('The embedded database is closed')
    this.worker ??= this.launch()
    await this.worker
  }

  /** Whether the database runs, and no statement has run for more than `limitMs`. */
  isAlive(limitMs: number): boolean {
    const since = this.pending[0]?.since
    return this.isRunning && (since === undefined || performance.now() - since <= limitMs)
  }

  /** Sends messages and resolves to the bytes of the response; rejects when the database stops before it responds. */
  async exchange(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const worker = await this.worker
    if (!worker) throw stopped(this.folder)
    return new Promise((resolve, reject) => {
      this.pending.push({ since: performance.now(), resolve, reject })
      worker.postMessage(bytes, [bytes.buffer])
    })
  }

  /** Waits for the running statement, closes the files and ends the thread. */
  async stop(): Promise<void> {
    this.stopped = true
    const worker = await this.worker?.catch(() => undefined)
    if (!worker) return
    const gone = once(worker, 'exit')
    worker.postMessage('stop')
    const timer = setTimeout(() => void worker.terminate(), STOP_MS)
    await gone
    clearTimeout(timer)
  }

  private launch(): Promise<Worker> {
    // The worker is plain JavaScript, so it needs none of this process's loaders and flags.
    const worker = new Worker(workerUrl, { workerData: { folder: this.folder, vacuumMs: this.vacuumMs }, execArgv: [] })
    let cause: Error | undefined
    return new Promise<Worker>((resolve, reject) => {
      worker.on('message', (message: 'ready' | Uint8Array) => {
        if (message === 'ready') {
          this.isRunning = true
          resolve(worker)
        } else this.pending.shift()?.resolve(message)
      })
      worker.on('error', (error) => {
        // PGlite also throws plain objects, such as { name: 'ErrnoError', errno: 51 } when the disk is full.
        cause = error instanceof Error ? error : new Error(inspect(error))
      })
      worker.on('exit', () => {
        this.worker = undefined
        this.isRunning = false
        const reason = stopped(this.folder, cause)
        reject(reason)
        for (const { reject: refuse } of this.pending.splice(0)) refuse(reason)
      })
    })
  }
}

/**
 * An error with the code of a reset connection, so that it is handled like a lost server: 503, and the next request
 * connects again. It names the space that the disk has left, since PGlite does not when that is the cause.
 */
function stopped(folder: string, cause?: Error): Error {
  return Object.assign(new Error(`The embedded database stopped${spaceLeft(folder)}`, { cause }), {
    code: 'ECONNRESET',
  })
}

function spaceLeft(folder: string): string {
  try {
    const { bavail, bsize } = statfsSync(dirname(folder))
    return `, with ${Math.floor((bavail * bsize) / 1_000_000)} MB left on its disk`
  } catch {
    return ''
  }
}
