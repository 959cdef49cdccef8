/** The data of another system as one stream of objects, whatever system it is. */
import { isUuid } from '../../domain/input/formats.ts'
import type { Database } from '../../persistence/database/database.ts'
import { bookNamed, NoSuchBook } from '../../persistence/pricing/book-prices.ts'
import type { ParsedObject } from '../parsed-object.ts'
import { elasticPathObjects } from './elastic-path.ts'
import { Lists } from './elastic-path-lists.ts'
import { newBookId, type ShopifyReading, type ShopifySource, shopifyObjects } from './shopify.ts'
import type { SystemArguments } from './system-arguments.ts'

/** What the objects of a system's files depend on. */
export type SystemSource = Extract<SystemArguments, { system: 'elasticpath-pcm' }> | ShopifySource

/** The arguments with what the store has for them. Throws NoSuchBook for the id of a price book that is not there. */
export async function sourceOf(database: Database, from: SystemArguments): Promise<SystemSource> {
  if (from.system === 'elasticpath-pcm') return from
  const bookId = await bookNamed(database, from.book).catch((error: unknown) => {
    if (error instanceof NoSuchBook && !isUuid(from.book)) return newBookId(from.book)
    throw error
  })
  return { ...from, bookId }
}

/** The objects that are made of a system's files. Throws errors of the file system. */
export async function* systemObjects(
  source: SystemSource,
  files: readonly string[],
  reading: ShopifyReading,
): AsyncGenerator<ParsedObject> {
  if (source.system === 'shopify-csv') return yield* shopifyObjects(files, source, reading)
  const lists = await Lists.open(files[0] ?? '', reading.leftOut)
  try {
    yield* elasticPathObjects(lists, reading.leftOut, reading.onRead)
  } finally {
    await lists.close()
  }
}
