/**
 * Use cases of catalogs' settings (catalog.highest-book-prices). What was published stays as it is until the next publish
 * (release.is-a-snapshot).
 */
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
import type { NewRecord } from '../../domain/catalog/catalog-node.ts'
import { assertValid, notFound } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { insertCatalog, lockCatalog, releasesOfCatalog, replaceCatalog, rulesOfCatalog } from '../../persistence/catalog/catalog.ts'
import { newId } from '../../persistence/database/id.ts'
import { deleteRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { command, query } from '../operation.ts'
import { resolveIds } from '../references.ts'
import { assertNotReferenced } from '../referencing-records.ts'

/** The settings of one catalog by its raw id, null when there is none. */
export const catalogSettings = query({
  name: 'catalogSettings',
  right: 'admin',
  run: async (ctx, { id }: { id: string }): Promise<Catalog | null> => (isUuid(id) ? ctx.loaders.catalogById.load(id) : null),
})

/** A new catalog of `data`, with `data.id` when that is given. */
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

/** Changes what is given, and nothing when it equals what is stored. */
export const updateCatalog = command<{ catalogId: string; data: unknown }, CatalogPatch, Catalog, Catalog>({
  name: 'updateCatalog',
  right: 'admin',
  read: ({ catalogId, data }) => readCatalogUpdate(data, catalogId),
  load: (tx, { catalogId }) => lockExisting(tx, catalogId, 'NO KEY UPDATE'),
  run: async (tx, patch, stored, ctx) => {
    const updated = applyCatalogPatch(stored, patch, await resolveLinks(tx, patch), ctx.now)
    if (updated !== stored) await replaceCatalog(tx, updated)
    return updated
  },
})

/** Deletes a catalog that no rule chooses and that has no release (delete those first); IN_USE otherwise. */
export const deleteCatalog = command<{ catalogId: string }, true, Catalog, Catalog>({
  name: 'deleteCatalog',
  right: 'admin',
  read: () => ({ value: true, violations: [] }),
  load: (tx, { catalogId }) => lockExisting(tx, catalogId, 'UPDATE'),
  run: async (tx, _, stored) => {
    assertNotReferenced([
      { noun: 'catalog rule', ...(await rulesOfCatalog(tx, stored.id)) },
      { noun: 'release', ...(await releasesOfCatalog(tx, stored.id)) },
    ])
    await deleteRecord(tx, 'catalog', stored.id)
    return stored
  },
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
