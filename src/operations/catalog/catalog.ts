/** Catalogs: use cases of a catalog's settings (catalog.highest-book-prices).
 *
 *  What is published stays as it is until the next publish (release.is-a-snapshot). */
import {
  applyCatalogPatch,
  type Catalog,
  type CatalogLinks,
  type CatalogPatch,
  duplicateViolations,
  newCatalog,
  readCatalog,
  readCatalogUpdate,
} from '../../domain/catalog/catalog.ts'
import { assertValid, notFound } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import type { NewRecord } from '../../domain/input/record.ts'
import { catalogTable, insertCatalog, lockCatalog, replaceCatalog } from '../../persistence/catalog/catalog.ts'
import { removeUnlisted } from '../../persistence/catalog/publish/retention.ts'
import { newId } from '../../persistence/database/id.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import type { Context } from '../../request/context.ts'
import { type CommandOptions, command } from '../operation.ts'
import { recordDelete } from '../record-commands.ts'
import { recordById } from '../record-reads.ts'
import { resolveIds } from '../references.ts'
import { publishLocked } from './publish-lock.ts'

/** The settings of a catalog by its raw id, null when there is none. */
export const catalogSettings = recordById('catalogSettings', 'admin', ({ catalogById }) => catalogById)

/** Creates a catalog, with `data.id` if given. */
export const createCatalog = command<{ data: unknown }, NewRecord<CatalogPatch>, undefined, Catalog>({
  name: 'createCatalog',
  right: 'admin',
  read: ({ data }) => readCatalog(data),
  run: async (tx, { id = newId(), patch }, _, ctx) => {
    const created = newCatalog(patch, await resolveLinks(tx, patch), id, ctx.now)
    await insertCatalog(tx, created)
    return created
  },
})

/** Changes the given attributes of a catalog; equal values write nothing. */
export const updateCatalog = command<{ catalogId: string; data: unknown }, CatalogPatch, Catalog, Catalog>({
  name: 'updateCatalog',
  right: 'admin',
  read: ({ catalogId, data }, _, stored) => readCatalogUpdate(data, catalogId, stored),
  load: (tx, { catalogId }) => lockExisting(tx, catalogId, 'NO KEY UPDATE'),
  run: async (tx, patch, stored, ctx) => {
    const updated = applyCatalogPatch(stored, patch, await resolveLinks(tx, patch), ctx.now)
    if (updated !== stored) await replaceCatalog(tx, stored, updated)
    return updated
  },
})

/**
 * Deletes a catalog that no rule and no release of shoppers refers to, with its draft and its releases that failed or were deleted. Waits
 * for publishes that run, which may share documents with those. When their documents can't be removed now, the next deletion does it.
 */
export async function deleteCatalog(ctx: Context, input: { catalogId: string }, options: CommandOptions = {}): Promise<Catalog> {
  const deleted = await deleteSettings(ctx, input, options)
  await publishLocked(ctx, removeUnlisted).catch((error) =>
    ctx.log.warn({ err: error, requestId: ctx.requestId, catalog: deleted.id }, 'documents of a deleted catalog were not removed'),
  )
  return deleted
}

const deleteSettings = recordDelete<{ catalogId: string }, Catalog>({
  name: 'deleteCatalog',
  table: catalogTable,
  inUseAs: 'catalog',
  load: (tx, { catalogId }) => lockExisting(tx, catalogId, 'UPDATE'),
})

async function lockExisting(tx: Transaction, id: string, strength: 'NO KEY UPDATE' | 'UPDATE'): Promise<Catalog> {
  const stored = isUuid(id) ? await lockCatalog(tx, id, strength) : null
  if (!stored) throw notFound(['id'], 'No such catalog')
  return stored
}

async function resolveLinks(tx: Transaction, { hierarchies, priceBooks }: CatalogPatch): Promise<CatalogLinks> {
  const hierarchyIds = await resolveIds(tx, 'hierarchy', hierarchies, ['attributes', 'hierarchy_ids'])
  const books = priceBooks?.map(({ book }) => book)
  const bookIds = await resolveIds(tx, 'price book', books, ['attributes', 'pricebook_ids'])
  const links = { hierarchyIds, priceBooks: bookIds?.map((id, index) => ({ id, priority: priceBooks?.[index]?.priority ?? 0 })) }
  assertValid(duplicateViolations(links))
  return links
}
