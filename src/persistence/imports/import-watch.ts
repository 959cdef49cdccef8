/** Import watch: tells the streams of a process when imports by HTTP change, whichever server runs them. */
import type { JobState } from '../../domain/imports/import-job.ts'
import type { Logger } from '../../lib/log.ts'
import { Poller } from '../../lib/poller.ts'
import { EventStream } from '../changes/event-stream.ts'
import type { Database } from '../database/database.ts'

/** Milliseconds between two looks at all imports that are watched. */
const LOOK_MS = 1_000

/** A change of a job. */
export interface JobChange {
  readonly jobId: string
  /** Null when it is gone. */
  readonly state: JobState | null
}

interface Watcher {
  readonly jobId: string
  readonly stream: EventStream<JobChange>
  /** What was seen of the job last. */
  version: string | undefined
}

const ended: ReadonlySet<JobState | null> = new Set([null, 'done', 'failed', 'canceled'] as const)

/** The watch of one process. */
export class ImportWatch {
  private readonly watchers = new Set<Watcher>()
  private poller: Poller | undefined
  private stopped = false

  constructor(private readonly parts: { readonly database: Database; readonly log: Logger }) {}

  /** The number of open streams. */
  get size(): number {
    return this.watchers.size
  }

  /** A job as it is, and then each time that it has changed, until it has ended; for `endsIn` milliseconds at most. */
  listen(jobId: string, endsIn: number): AsyncIterableIterator<JobChange, void> {
    const stream: EventStream<JobChange> = new EventStream(() => {
      this.watchers.delete(watcher)
      if (this.watchers.size > 0) return
      void this.poller?.stop()
      this.poller = undefined
    })
    const watcher: Watcher = { jobId, stream, version: undefined }
    this.watchers.add(watcher)
    if (this.stopped) stream.end('stopping')
    else {
      this.poller ??= this.newPoller()
      this.poller.poll()
    }
    return stream.iterate(endsIn, untilEnded(stream))
  }

  /** Ends all streams as `stopping`; streams that begin later end at once. */
  stop(): void {
    this.stopped = true
    for (const { stream } of this.watchers) stream.end('stopping')
  }

  private newPoller(): Poller {
    return new Poller({
      run: async () => {
        await this.look()
        return undefined
      },
      everyMs: LOOK_MS,
      onFailure: (error) => this.parts.log.warn({ err: error }, 'could not read what imports do'),
    })
  }

  /** One statement for all watchers. */
  private async look(): Promise<void> {
    const watchers = [...this.watchers]
    const ids = [...new Set(watchers.map(({ jobId }) => jobId))]
    const text = `SELECT id, state, concat_ws(' ', state, bytes, updated_at) AS version FROM import_job WHERE id = ANY ($1::uuid[])`
    const rows = await this.parts.database.query<{ id: string; state: JobState; version: string }>(
      'import-watch',
      text,
      [ids],
    )
    const found = new Map(rows.map((row) => [row.id, row]))
    for (const watcher of watchers) {
      const { state = null, version = '' } = found.get(watcher.jobId) ?? {}
      if (watcher.version === version) continue
      watcher.version = version
      watcher.stream.push({ jobId: watcher.jobId, state })
    }
  }
}

async function* untilEnded(stream: EventStream<JobChange>): AsyncGenerator<JobChange, void> {
  for await (const change of stream.queued()) {
    yield change
    if (ended.has(change.state)) return stream.end('left')
  }
}
