/** What is stored under the keys by which an import recognizes its objects (import.first-given-key-decides). */
import { DomainError } from '../../domain/input/errors.ts'
import type { Model } from './columns.ts'
import { findAtMostTwo } from './table.ts'
import type { Transaction } from './transaction.ts'

/** By its id, else its external_ref, else the natural key of its type. */
export interface RecordKey {
  readonly by: 'id' | 'external_ref' | 'natural'
  readonly value: string
}

/** Where the records of one type are. */
export interface KeyedTable {
  readonly model: Model
  /** The member of the natural key. */
  readonly natural?: 'name' | 'sku'
  /** Hierarchies and nodes share a table. */
  readonly only?: 'roots' | 'nodes'
}

/** Where keys count: all of them in a book, natural ones beside a node's siblings. */
export interface KeyScope {
  readonly priceBookId?: string
  /** Null: the object names no parent, so its name is no key. */
  readonly parentId?: string | null
}

export interface StoredVersion {
  readonly id: string
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

/** The record that the key names, null when there is none. Several are refused (import.first-given-key-decides). */
export async function findByKey(
  tx: Transaction,
  { model, natural = 'name', only }: KeyedTable,
  { by, value }: RecordKey,
  { priceBookId, parentId }: KeyScope,
): Promise<StoredVersion | null> {
  if (by === 'natural' && parentId === null) return null
  const member = { id: 'id', external_ref: 'externalRef', natural }[by]
  const place = only && (by === 'natural' && parentId ? parentId : only === 'roots' ? null : { not: null })
  // A member that is undefined is no condition.
  const rows = await findAtMostTwo<{ id: string; updatedAt: Date }>(tx, model, { [member]: value, parentId: place, priceBookId }, [
    'id',
    'updatedAt',
  ])
  if (rows.length > 1) {
    const path = ['attributes', by === 'natural' ? natural : by]
    throw new DomainError('validation', [{ code: 'INVALID_VALUE', path, message: 'means more than one stored record' }])
  }
  return rows[0] ? { id: rows[0].id, updatedAt: rows[0].updatedAt.getTime() } : null
}
