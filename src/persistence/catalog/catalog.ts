/** Catalogs in the database: the settings of a catalog with its lists of hierarchies and price books. */
import { isDeepStrictEqual } from 'node:util'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { Locales } from '../../domain/language/locale.ts'
import type { CatalogHierarchy, CatalogPriceBook, Prisma, Catalog as Row } from '../../generated/prisma/client.ts'
import { jsonOrNull } from '../database/json.ts'
import { type LockStrength, lockRows, withIds } from '../database/row-lock.ts'
import { insertRecord, updateRecord, type WrittenTable } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

/** The table of catalogs; the change log has their lists too. */
export const catalogTable: WrittenTable<Catalog> = { model: 'catalog', toRow }

/** The relations that a catalog is read with: its hierarchies and price books in their order. */
export const catalogInclude = { hierarchies: { orderBy: { position: 'asc' } }, priceBooks: { orderBy: { position: 'asc' } } } as const

/** The settings of a row with its relations, without the columns that publishing maintains. */
export function catalogFromRow(row: Row & { hierarchies: CatalogHierarchy[]; priceBooks: CatalogPriceBook[] }): Catalog {
  return {
    id: row.id,
    externalRef: row.externalRef,
    name: row.name,
    description: row.description,
    locales: row.locales as Locales | null,
    hierarchyIds: row.hierarchies.map(({ hierarchyId }) => hierarchyId),
    priceBooks: row.priceBooks.map(({ priceBookId, priority }) => ({ id: priceBookId, priority: Number(priority) })),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}

function toRow({ id, externalRef, name, description, locales, createdAt, updatedAt }: Catalog): Prisma.CatalogUncheckedCreateInput {
  return {
    id,
    externalRef,
    name,
    description,
    locales: jsonOrNull(locales),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  }
}

/** Locks a catalog against other writers and the end of a publish, and reads it; null when there is none. `UPDATE` before a deletion. */
export async function lockCatalog(tx: Transaction, id: string, strength: LockStrength): Promise<Catalog | null> {
  await lockRows(tx, 'catalog', withIds([id]), strength)
  const row = await tx.catalog.findUnique({ where: { id }, include: catalogInclude })
  return row && catalogFromRow(row)
}

/** Inserts a new catalog and its lists. */
export async function insertCatalog(tx: Transaction, catalog: Catalog): Promise<void> {
  await insertRecord(tx, catalogTable, catalog)
  await insertHierarchies(tx, catalog)
  await insertPriceBooks(tx, catalog)
}

/** Writes a catalog, which is stored as `stored`, and replaces those of its lists that differ. */
export async function replaceCatalog(tx: Transaction, stored: Catalog, catalog: Catalog): Promise<void> {
  const catalogId = catalog.id
  await updateRecord(tx, catalogTable, stored, catalog)
  if (!isDeepStrictEqual(catalog.hierarchyIds, stored.hierarchyIds)) {
    await tx.catalogHierarchy.deleteMany({ where: { catalogId } })
    await insertHierarchies(tx, catalog)
  }
  if (!isDeepStrictEqual(catalog.priceBooks, stored.priceBooks)) {
    await tx.catalogPriceBook.deleteMany({ where: { catalogId } })
    await insertPriceBooks(tx, catalog)
  }
}

async function insertHierarchies(tx: Transaction, { id: catalogId, hierarchyIds }: Catalog): Promise<void> {
  const data = hierarchyIds.map((hierarchyId, position) => ({ catalogId, hierarchyId, position }))
  if (data.length > 0) await tx.catalogHierarchy.createMany({ data })
}

async function insertPriceBooks(tx: Transaction, { id: catalogId, priceBooks }: Catalog): Promise<void> {
  const data = priceBooks.map(({ id, priority }, position) => ({ catalogId, priceBookId: id, priority: BigInt(priority), position }))
  if (data.length > 0) await tx.catalogPriceBook.createMany({ data })
}
