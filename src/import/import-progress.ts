/** Import progress: how far an import is, how many objects had which outcome, and the objects that it refused. */
import type { Transaction } from '../persistence/database/transaction.ts'
import { type Counts, countMore, type HandledObject } from './outcome.ts'
import { beginning, type Place } from './place.ts'
import { type RefusedFile, refusedText } from './refused-file.ts'
import { countIgnored, type IgnoredCounts } from './unknown.ts'

/** The state of an import between two objects. */
export interface ImportState {
  /** The index of the file that it reads. */
  readonly file: number
  /** The place in that file. */
  readonly place: Place
  readonly counts: Counts
  readonly ignored: IgnoredCounts
  /** The length of the file of refused objects. */
  readonly refusedBytes: number
}

/** The state of an import that has not begun. */
export const unbegun: ImportState = {
  file: 0,
  place: beginning,
  counts: new Map(),
  ignored: new Map(),
  refusedBytes: 0,
}

/** Whether and where the progress of an import is stored. */
interface ProgressOptions {
  /**
   * Whether the import stops at a refused object: the stored state is then the one before it, so that the import can
   * resume there once the object is corrected.
   */
  readonly stopAtRefusal: boolean
  readonly refusedFile?: Pick<RefusedFile, 'write' | 'isWorkbook'> | null
  /** Stores a state in the transaction that writes the objects that it counts. */
  readonly save?: (tx: Transaction, state: ImportState) => Promise<void>
  /** Called with each further state, outside of any transaction; when it throws, the import ends. */
  readonly onAdded?: (state: ImportState) => Promise<void>
}

/** The progress of one import. */
export class ImportProgress {
  /** The file that is being read. */
  fileName = ''

  constructor(
    private readonly options: ProgressOptions,
    private current: ImportState = unbegun,
  ) {}

  get state(): ImportState {
    return this.current
  }

  /** Begins the file with an index, or goes on with it. */
  beginFile(file: number, name: string): void {
    this.fileName = name
    if (file !== this.current.file) this.current = { ...this.current, file, place: beginning }
  }

  /** Stores the state that holds once the transaction that handles these objects commits. */
  async record(tx: Transaction, handled: readonly HandledObject[]): Promise<void> {
    const { stopAtRefusal, save } = this.options
    if (!save) return
    const refusedAt = stopAtRefusal ? handled.findIndex(({ problems }) => problems !== null) : -1
    const kept = refusedAt === -1 ? handled : handled.slice(0, refusedAt)
    if (kept.length > 0) await save(tx, await this.after(kept))
  }

  /** Adds objects that have been handled. */
  async add(handled: readonly HandledObject[]): Promise<void> {
    this.current = await this.after(handled)
    await this.options.onAdded?.(this.current)
  }

  /** The state after further objects. Writes the refused ones to the file. */
  private async after(handled: readonly HandledObject[]): Promise<ImportState> {
    const { file, place, counts, ignored, refusedBytes } = this.current
    const taken = handled.filter(({ problems }) => problems === null)
    const { refusedFile } = this.options
    const text = refusedFile
      ? refusedText(
          handled.filter(({ problems, lacking }) => problems !== null || lacking),
          this.fileName,
          { offset: refusedBytes, isWorkbook: refusedFile.isWorkbook },
        )
      : ''
    return {
      file,
      place: handled.at(-1)?.place ?? place,
      counts: countMore(counts, handled),
      ignored: countIgnored(
        ignored,
        taken.flatMap((one) => one.ignored),
      ),
      refusedBytes: refusedFile ? await refusedFile.write(text, refusedBytes) : refusedBytes,
    }
  }
}
