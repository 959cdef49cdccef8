/**
 * Look-up by natural key: the stored record that an object of an import stands for (import.first-given-key-decides).
 */
import { DomainError } from '../../domain/input/errors.ts'
import type { Model } from './columns.ts'
import { findAtMostTwo } from './table.ts'
import type { Transaction } from './transaction.ts'

/** A key of a record: its id, its external_ref, or the natural key of its type (a name or SKU). */
export interface RecordKey {
  readonly by: 'id' | 'external_ref' | 'natural'
  readonly value: string
}

/** The table of one type of records. */
export interface KeyedTable {
  readonly model: Model
  /** The member that is the natural key. */
  readonly natural?: 'name' | 'sku' | 'key'
  /** Restricts the table that hierarchies (`roots`) and nodes share. */
  readonly only?: 'roots' | 'nodes'
}

/** The scope of keys: any key within a price book, the natural key among the children of a parent or of a kind. */
export interface KeyScope {
  readonly priceBookId?: string
  /** Null: the object has no parent, so its name is no key. */
  readonly parentId?: string | null
  readonly kind?: string
}

/** The id of a stored record, and when it was changed last. */
export interface StoredVersion {
  readonly id: string
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

/** The record with a key, null when there is none. Throws `validation` when several have it. One statement. */
export async function findByKey(
  tx: Transaction,
  { model, natural = 'name', only }: KeyedTable,
  { by, value }: RecordKey,
  { priceBookId, parentId, kind }: KeyScope,
): Promise<StoredVersion | null> {
  if (by === 'natural' && parentId === null) return null
  const member = { id: 'id', external_ref: 'externalRef', natural }[by]
  const parent = only && (by === 'natural' && parentId ? parentId : only === 'roots' ? null : { not: null })
  // Prisma ignores members that are undefined.
  const rows = await findAtMostTwo<{ id: string; updatedAt: Date }>(
    tx,
    model,
    { [member]: value, parentId: parent, priceBookId, ...(by === 'natural' && { kind }) },
    ['id', 'updatedAt'],
  )
  if (rows.length > 1) {
    const path = ['attributes', by === 'natural' ? natural : by]
    throw new DomainError('validation', [{ code: 'INVALID_VALUE', path, message: 'means more than one stored record' }])
  }
  return rows[0] ? { id: rows[0].id, updatedAt: rows[0].updatedAt.getTime() } : null
}
