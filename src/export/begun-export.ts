/** Exports of a running server, for administrators (export.by-http). */
import { conflict, notFound } from '../domain/input/errors.ts'
import { query } from '../operations/operation.ts'
import type { Database } from '../persistence/database/database.ts'
import { NoSuchBook } from '../persistence/pricing/book-prices.ts'
import { SheetTooWide } from './sheet-text.ts'
import { type ExportOptions, type Piece, type StoreExport, storeExport } from './store-export.ts'

/**
 * Begins an export: its first piece is read, so that what is wrong is known before anything is sent. It has the place
 * of the one export that runs on this server until its pieces end or are returned. Throws notFound when there is no
 * such book, conflict when a sheet would have too many columns, and Overloaded when it can't start in time.
 */
export const beginExport = query<ExportOptions, StoreExport>({
  right: 'admin',
  run: async ({ database, deadline, viewer }, options) => {
    const { pieces, told } = await exportOf(database, options)
    const leave = await database.bulkheads.exports.enter(viewer.subject)
    // Rows are sorted and columns gathered before the first piece: that may take longer than a response may.
    if (deadline) deadline.exempt = true
    const all = untilEnd(pieces, leave)
    const first = await all.next().catch((error: unknown) => {
      throw error instanceof SheetTooWide ? conflict('TOO_MANY', ['type'], error.message) : error
    })
    if (deadline?.abortReason) {
      await all.return(undefined)
      throw deadline.abortReason
    }
    return { pieces: first.done ? all : withFirst(first.value, all), told }
  },
})

async function exportOf(database: Database, options: ExportOptions): ReturnType<typeof storeExport> {
  try {
    return await storeExport(database, options)
  } catch (error) {
    throw error instanceof NoSuchBook ? notFound(['book'], 'No such price book') : error
  }
}

async function* untilEnd(pieces: AsyncGenerator<Piece>, leave: () => void): AsyncGenerator<Piece> {
  try {
    yield* pieces
  } finally {
    leave()
  }
}

/** The pieces with the first, which was read already. Returned before that is taken, it returns `rest` all the same. */
function withFirst(first: Piece, rest: AsyncGenerator<Piece>): AsyncIterableIterator<Piece> {
  let isTaken = false
  return {
    next: async () => {
      if (isTaken) return rest.next()
      isTaken = true
      return { done: false, value: first }
    },
    return: () => rest.return(undefined),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
