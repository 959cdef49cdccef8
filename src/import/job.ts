/**
 * Import of a job, or its check: reads its file from the chunks in the database, and stores how far it is in the
 * transaction of each batch (job.nothing-twice), or behind the undone one of a check. What ended early goes on there,
 * on any server.
 */
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { v5 as uuidFromName } from 'uuid'
import { CHUNK_BYTES, REFUSED_FACTOR } from '../domain/imports/import-job.ts'
import { BackgroundPace } from '../lib/background-pace.ts'
import type { Database } from '../persistence/database/database.ts'
import { inTransaction, type Transaction } from '../persistence/database/transaction.ts'
import {
  confirmRun,
  type JobRun,
  type LeasedJob,
  lockRun,
  readChunk,
  storeEnd,
  storeProgress,
  storeRefused,
} from '../persistence/imports/import-lease.ts'
import { refreshStatistics } from '../persistence/planner-statistics.ts'
import { bookNamed, NoSuchBook } from '../persistence/pricing/book-prices.ts'
import type { Services } from '../request/context.ts'
import { readSheetArguments } from './arguments.ts'
import { Check } from './check.ts'
import { importAuthor } from './context.ts'
import { kindsOf, stateFrom, toJson } from './files.ts'
import { ImportProgress, type ImportState } from './import-progress.ts'
import { JobRefused } from './job-refused.ts'
import { byHttp } from './option-words.ts'
import { countObjects } from './outcome.ts'
import { RefusedPieces } from './refused-pieces.ts'
import { RefusedProducts } from './refused-products.ts'
import { importObjects } from './run.ts'
import type { SheetOptions } from './sheet/sheet.ts'
import { objectsOf } from './source.ts'
import { writeNothing, writeSeparately } from './writing.ts'

const MIB = 1024 * 1024
/** Milliseconds after which progress is stored although no batch was written, since all objects were refused. */
const STORE_EVERY_MS = 5_000

/**
 * Imports or checks the rest of a job, and ends it. Throws RunEnded when the job is no longer of this run, the reason
 * of `signal` when that is aborted, and Unavailable: then the job is as its last batch left it.
 */
export async function importJob(
  services: Services,
  job: LeasedJob,
  leaseId: string,
  signal: AbortSignal,
): Promise<void> {
  const { config, database } = services
  const run: JobRun = { jobId: job.id, leaseId }
  const author = { ...importAuthor, subject: job.author }
  const { onError, ignoreUnknown, publishAnyway = false } = job.options
  const start = stateFrom(job.progress)
  const refused = new RefusedPieces(start.refusedBytes)
  const refusedMax = config.importMaxMb * REFUSED_FACTOR * MIB
  const { sheet, bookId } = await sheetOf(database, job)
  const refusedProducts = new RefusedProducts()
  const checked = { jobId: job.id, author, sheet, ignoreUnknown, refusedProducts }
  const check = job.state === 'checking' ? new Check(services, checked) : null
  let storedAt = performance.now()
  let isDue = false

  const save = async (tx: Transaction, state: ImportState): Promise<void> => {
    const stored = await lockRun(tx, run)
    refused.forgetBefore(stored)
    const bytes = Buffer.concat(refused.between(stored, state.refusedBytes))
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      await storeRefused(tx, job.id, stored + at, bytes.subarray(at, at + CHUNK_BYTES))
    await storeProgress(tx, job.id, { ...toJson(state), ...(bookId && { bookId }) })
    await check?.store(tx)
    storedAt = performance.now()
    isDue = false
  }
  const saveNow = (state: ImportState): Promise<void> => inTransaction(database, author, (tx) => save(tx, state))
  // job.shop-comes-first
  const pace = new BackgroundPace()
  const onAdded = async (state: ImportState): Promise<void> => {
    signal.throwIfAborted()
    await pace.rest()
    // The refused object at which the job stops is stored with its end alone: until then another run begins there.
    if (onError === 'stop' && countObjects(state.counts, ['refused']) > 0) return
    const isOver = state.refusedBytes > refusedMax
    const isLate = performance.now() - storedAt > STORE_EVERY_MS
    if (check || isDue || isOver || isLate || refused.waiting > CHUNK_BYTES) await saveNow(state)
    if (isOver) throw new JobRefused(`Its refused objects come to more than ${refusedMax} bytes`)
  }
  const saving = { stopAtRefusal: onError === 'stop', refusedFile: refused, ...(!check && { save }), onAdded }
  const progress = new ImportProgress(saving, start)
  progress.beginFile(0, job.fileName)

  const writing = writeSeparately(services, author)
  const publish: typeof writing.publish = async ({ catalogId, id }) => {
    await saveNow(progress.state)
    isDue = true
    // A release without an id gets the same one again, so that it is published once, whatever happens meanwhile.
    const { objects } = progress.state.place
    const once = id ?? uuidFromName(`release ${objects}`, job.id)
    return writing.publish({ catalogId, id: once, confirm: (on) => confirmRun(on, run) })
  }
  let failure: string | null = null
  const onRefused = ({ line, row }: { line: number; row?: unknown }, problems: readonly string[]): void => {
    if (onError === 'stop') failure ??= `${job.fileName}${row ? ' ' : `:${line}: `}${problems[0]}`
  }
  const objects = objectsOf(piecesOf(database, job), sheet)
  const options = { onError, ignoreUnknown, publishAnyway, spell: byHttp, onRefused, refusedProducts }
  if (check) await importObjects(writeNothing(services, author), objects, progress, { ...options, check })
  else await importObjects({ ...writing, publish }, objects, progress, options)
  signal.throwIfAborted()
  if (!check) await refreshStatistics(database, countObjects(progress.state.counts, ['created', 'updated']))
  await inTransaction(database, author, async (tx) => {
    await save(tx, progress.state)
    await storeEnd(tx, job.id, failure)
  })
}

/**
 * How the rows of a sheet are read, null for JSON, and the price book that a name stood for when the job began. Throws
 * JobRefused.
 */
async function sheetOf(
  database: Database,
  { format, options, progress }: LeasedJob,
): Promise<{ sheet: SheetOptions | null; bookId: string | undefined }> {
  const { type, book, decimal, ignoreUnknown } = options
  try {
    const bookId = progress?.bookId ?? (book && (await bookNamed(database, book)))
    const given = { ...(type && { type }), ...(bookId && { book: bookId }), ...(decimal && { decimal }) }
    const sheet = readSheetArguments(given, format !== 'json')
    if (typeof sheet === 'string') throw new JobRefused(sheet)
    const read = sheet && { decimal: sheet.decimal, kinds: await kindsOf(database, sheet) }
    return { sheet: read && { ...read, ignoreUnknown, spell: byHttp }, bookId }
  } catch (error) {
    throw error instanceof NoSuchBook ? new JobRefused(`There is no price book ${book}`) : error
  }
}

/** The unpacked pieces of a job's file. */
async function* piecesOf(database: Database, { id, bytes, gzipped }: LeasedJob): AsyncGenerator<Buffer> {
  const chunks = chunksOf(database, id, Math.ceil(bytes / CHUNK_BYTES))
  if (!gzipped) return yield* chunks
  // An error of either stream ends the loop below; without a callback it would count as unhandled.
  yield* pipeline(Readable.from(chunks), createGunzip({ chunkSize: CHUNK_BYTES }), () => {})
}

async function* chunksOf(database: Database, id: string, count: number): AsyncGenerator<Buffer> {
  for (let number = 0; number < count; number++) yield await readChunk(database, id, number)
}
