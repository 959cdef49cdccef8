/**
 * Import of files: reads them one after another into the store, by the error policy and options of the command line.
 */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, relative, resolve } from 'node:path'
import type { Database } from '../persistence/database/database.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import { readCheckpoint, removeCheckpoint, saveCheckpoint } from '../persistence/import-checkpoint.ts'
import { refreshStatistics } from '../persistence/planner-statistics.ts'
import { bookNamed } from '../persistence/pricing/book-prices.ts'
import type { Services } from '../request/context.ts'
import type { ImportArguments, SheetArguments } from './arguments.ts'
import { ImportProgress, type ImportState, unbegun } from './import-progress.ts'
import { onCommandLine } from './option-words.ts'
import { type Counts, countObjects, type OutcomeCounts } from './outcome.ts'
import type { ParsedObject } from './parsed-object.ts'
import { RefusedFile } from './refused-file.ts'
import { findBy, RefusedProducts } from './refused-products.ts'
import type { Progress } from './report.ts'
import { ChangedInput, importObjects } from './run.ts'
import { priceSheet } from './sheet/price-sheet.ts'
import { recordSheets } from './sheet/record-sheets.ts'
import type { SheetKind, SheetOptions } from './sheet/sheet.ts'
import { readObjects } from './source.ts'
import { STANDARD_INPUT } from './systems/elastic-path-lists.ts'
import { LeftOut } from './systems/left-out.ts'
import { describeSystem } from './systems/system-arguments.ts'
import { type SystemSource, sourceOf, systemObjects } from './systems/system-objects.ts'
import type { IgnoredCounts } from './unknown.ts'
import { type Writing, writeSeparately, writeTogether } from './writing.ts'

/**
 * Sizes of the files in bytes, 0 where it is not known; throws for one that is missing, and when the file of refused
 * objects is one of them.
 */
export async function sizesOf({ files, refused, from }: ImportArguments): Promise<number[]> {
  const target = refused === null ? null : await stat(refused, { bigint: true }).catch(() => null)
  return Promise.all(
    files.map(async (file) => {
      if (from !== null && file === STANDARD_INPUT) return 0
      const found = await stat(file, { bigint: true }).catch((cause) =>
        Promise.reject(new Error(`${file} can't be read`, { cause })),
      )
      // By device and inode, since a pipe of the shell has no path.
      const isTarget = found.dev === target?.dev && found.ino === target.ino
      if (isTarget) throw new Error(`--refused ${refused} would overwrite a file to import`)
      if (!found.isDirectory() || from === null) return Number(found.size)
      if (refused !== null && !relative(file, refused).startsWith('..'))
        throw new Error(`--refused ${refused} would be one of the files to import: name one outside of ${file}`)
      return 0
    }),
  )
}

/** The receiver of an import's progress and end. */
interface ImportReport {
  /** Bytes of each file; 0 for a pipe. */
  readonly sizes: readonly number[]
  readonly progress: Progress
  /**
   * Called at the end, also when it throws, with the outcomes so far and whether the counted objects are stored.
   * `leftOut` says what another system's data has and is not taken.
   */
  onEnd(counts: Counts, isStored: boolean, ignored: IgnoredCounts, leftOut: LeftOut): void
}

/**
 * Imports the files of a command line. Returns whether all objects were taken. Throws Unavailable, ChangedInput and
 * errors of the file system.
 */
export async function importFiles(
  services: Services,
  args: ImportArguments,
  { sizes, progress, onEnd }: ImportReport,
): Promise<boolean> {
  const { database } = services
  const { files, onError, dryRun, resume } = args
  const isTogether = dryRun || onError === 'rollback'
  // Found before anything is written: the embedded database has one connection.
  const sheet = args.sheet && {
    kinds: await kindsOf(database, args.sheet),
    decimal: args.sheet.decimal,
    ignoreUnknown: args.ignoreUnknown,
    spell: onCommandLine,
  }
  const id = createHash('sha256')
    .update(JSON.stringify(files.map((file) => resolve(file))))
    .digest('hex')
  const from = args.from && (await sourceOf(database, args.from))
  const options = describeOptions(args)
  const start = resume ? stateFrom(await readCheckpoint(database, id), options) : unbegun
  if (resume) progress.line(describeStart(files, start))
  else if (!isTogether) await removeCheckpoint(database, id)

  const refusedFile = args.refused === null ? null : await RefusedFile.open(args.refused, start.refusedBytes)
  const stopAtRefusal = onError === 'stop'
  const save = isTogether
    ? {}
    : { save: (tx: Transaction, state: ImportState) => saveCheckpoint(tx, id, { ...toJson(state), options }) }
  const importProgress = new ImportProgress({ stopAtRefusal, refusedFile, ...save }, start)

  const leftOut = new LeftOut()
  const sources = from === null ? filesOf(args, sizes, sheet) : [systemOf(args, from, sizes, leftOut)]
  const importAll = async (writing: Writing): Promise<boolean> => {
    let allTaken = true
    const refusedProducts = new RefusedProducts()
    for (const [index, { name: file, size, read }] of sources.entries()) {
      if (index < start.file) {
        const objects = read(() => {})
        await refusedProducts.passAll(objects, file, findBy(writing))
        continue
      }
      importProgress.beginFile(index, file)
      let bytesRead = 0
      const onProgress = (): void =>
        progress.show(basename(file), size ? bytesRead / size : null, countObjects(importProgress.state.counts))
      const onRead = (bytes: number): void => {
        bytesRead = bytes
        onProgress()
      }
      const report = ({ line, at, row, file: sheet }: ParsedObject, sentences: readonly string[]): void => {
        const place = row ? file : (sheet ?? `${at ?? `${file}:${line}`}:`)
        for (const sentence of sentences) progress.line(`${place} ${sentence}`)
      }
      const options = {
        onError: stopAtRefusal ? 'stop' : 'skip',
        ignoreUnknown: args.ignoreUnknown,
        publishAnyway: args.publishAnyway,
        spell: onCommandLine,
        onRefused: report,
        onLacking: report,
        refusedProducts,
        onProgress,
      } as const
      allTaken = (await importObjects(writing, read(onRead), importProgress, options)) && allTaken
      if (!allTaken && stopAtRefusal) break
    }
    return allTaken
  }
  let isStored = !isTogether
  let isDone = isTogether
  const onStored = (): void => {
    isStored = true
  }
  try {
    const allTaken = isTogether
      ? await writeTogether(services, dryRun, importAll, onStored)
      : await importAll(writeSeparately(services))
    if (isStored) await refreshStatistics(database, countObjects(importProgress.state.counts, ['created', 'updated']))
    isDone ||= allTaken || !stopAtRefusal
    if (!isTogether && isDone) await removeCheckpoint(database, id)
    return allTaken && countObjects(importProgress.state.counts, ['refused']) === 0
  } finally {
    const { counts, ignored } = importProgress.state
    onEnd(counts, isStored, ignored, leftOut)
    await refusedFile?.close(importProgress.state.refusedBytes, isDone)
  }
}

/** What the rows of a sheet may be. Throws an error for the operator when the price book is not there. */
export async function kindsOf(database: Database, sheet: SheetArguments): Promise<SheetKind[]> {
  if (sheet.type === null) return [priceSheet(null), ...Object.values(recordSheets)] as SheetKind[]
  if (sheet.type === 'product-price') return [priceSheet(await bookNamed(database, sheet.book)) as SheetKind]
  return [recordSheets[sheet.type] as SheetKind]
}

function describeStart(files: readonly string[], { file, place }: ImportState): string {
  if (file === 0 && place.objects === 0)
    return 'No unfinished import of these files is stored: it begins at their start'
  return `Goes on after ${place.objects} objects of ${files[file]}`
}

/** A state as it is stored. */
export function toJson(state: ImportState): object {
  return { ...state, counts: Object.fromEntries(state.counts), ignored: Object.fromEntries(state.ignored) }
}

/** What is read as one stream of objects. */
interface Source {
  readonly name: string
  /** Bytes; 0 where it is not known. */
  readonly size: number
  read(onRead: (bytes: number) => void): AsyncIterable<ParsedObject>
}

/** The files one by one. */
function filesOf({ files }: ImportArguments, sizes: readonly number[], sheet: SheetOptions | null): Source[] {
  return files.map((name, at) => ({ name, size: sizes[at] ?? 0, read: (onRead) => readObjects(name, onRead, sheet) }))
}

/** The files of another system together, since one of them may name what is in the next. */
function systemOf(
  { files, ignoreUnknown }: ImportArguments,
  from: SystemSource,
  sizes: readonly number[],
  leftOut: LeftOut,
): Source {
  const size = sizes.reduce((sum, one) => sum + one, 0)
  return {
    name: files.join(' '),
    size,
    read: (onRead) => systemObjects(from, files, { leftOut, ignoreUnknown, onRead }),
  }
}

/** The options that say how sheets, or the data of another system, are read, as they are typed. */
function describeOptions({ sheet, from }: ImportArguments): string {
  const given = Object.entries(sheet ?? {}).filter(([, value]) => value != null)
  return given.map(([name, value]) => `--${name} ${value}`).join(' ') + (from === null ? '' : describeSystem(from))
}

/**
 * The state of a stored checkpoint; null is the beginning. Throws ChangedInput where the import had other options for
 * sheets, so that rows would be read as something else from there on.
 */
export function stateFrom(stored: unknown, options = ''): ImportState {
  if (stored === null) return unbegun
  const { options: before = options, ...state } = stored as Omit<ImportState, 'counts' | 'ignored'> & {
    /** Absent in checkpoints of versions that did not store it. */
    readonly options?: string
    readonly counts: Readonly<Record<string, OutcomeCounts>>
    /** Absent in checkpoints of versions that did not store it. */
    readonly ignored?: Readonly<Record<string, number>>
  }
  if (before !== options)
    throw new ChangedInput(
      `The import that --resume goes on with had ${before || 'neither --type nor --from'}: give the same, or import without --resume`,
    )
  return {
    ...state,
    counts: new Map(Object.entries(state.counts)),
    ignored: new Map(Object.entries(state.ignored ?? {})),
  }
}
