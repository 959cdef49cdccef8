/** Catalogs: use cases of a catalog's settings (catalog.highest-book-prices).
 *
 *  What is published stays as it is until the next publish (release.is-a-snapshot). */
import { type Catalog, catalogRecord } from '../../domain/catalog/catalog.ts'
import { catalogTable } from '../../persistence/catalog/catalog.ts'
import { removeUnlisted } from '../../persistence/catalog/publish/retention.ts'
import type { Context } from '../../request/context.ts'
import type { CommandOptions } from '../operation.ts'
import { recordCommands } from '../record-commands.ts'
import { recordById } from '../record-reads.ts'
import { resolveIds } from '../references.ts'
import { publishLocked } from './publish-lock.ts'
import { writesKnowledge } from './writes-knowledge.ts'

/** The settings of a catalog by its raw id, null when there is none. */
export const catalogSettings = recordById('admin', ({ catalogById }) => catalogById)

const commands = recordCommands('Catalog', {
  record: catalogRecord,
  table: catalogTable,
  noun: 'catalog',
  inUseAs: 'catalog',
  // A weaker lock, so that a running publish can still refer to the catalog.
  updateLock: 'NO KEY UPDATE',
  complete: async (tx, { priceBooks: given }) => {
    const books = given?.map(({ book }) => book)
    const ids = await resolveIds(tx, 'price book', books, ['attributes', 'pricebook_ids'])
    return { priceBooks: ids?.map((id, index) => ({ id, priority: given?.[index]?.priority ?? 0 })) }
  },
})

/** Creates a catalog. */
export const createCatalog = writesKnowledge(commands.create)

/** Changes a catalog. Whether it is confidential is in effect at once, on other servers within a second. */
export const updateCatalog = writesKnowledge(commands.update)

/**
 * Deletes a catalog with its draft and its failed or deleted releases; IN_USE while a rule or a release for shoppers
 * refers to it. Waits for running publishes, which may share documents with those releases. When the documents can't be
 * removed now, the next deletion removes them.
 */
export async function deleteCatalog(
  ctx: Context,
  input: { id: string },
  options: CommandOptions = {},
): Promise<Catalog> {
  const deleted = await commands.remove(ctx, input, options)
  await publishLocked(ctx, removeUnlisted).catch((error) =>
    ctx.log.warn(
      { err: error, requestId: ctx.requestId, catalog: deleted.id },
      'documents of a deleted catalog were not removed',
    ),
  )
  return deleted
}
