/** What is stored under the keys by which an import recognizes its objects (IMP-1). */
import { DomainError } from '../domain/errors.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { Transaction } from './transaction.ts'

/** By its id, else its external_ref, else the natural key of its type. */
export interface RecordKey {
  readonly by: 'id' | 'external_ref' | 'natural'
  readonly value: string
}

/** Where the records of one type are. Names are this program's own, never a client's. */
export interface KeyedTable {
  readonly name: string
  /** The column of the natural key. */
  readonly natural?: string
  /** Hierarchies and nodes share a table. */
  readonly only?: 'roots' | 'nodes'
}

/** Where keys count: all of them in a book, natural ones beside a node's siblings. */
export interface KeyScope {
  readonly priceBookId?: string
  /** Null: the object names no parent, so its name is no key. */
  readonly parentId?: string | null
}

export interface Existing {
  readonly id: string
  /** Epoch milliseconds. */
  readonly updatedAt: number
}

/** The record that the key names, null when there is none. Several are refused (IMP-1). */
export async function findExisting(tx: Transaction, table: KeyedTable, key: RecordKey, scope: KeyScope): Promise<Existing | null> {
  if (key.by === 'natural' && scope.parentId === null) return null
  const column = key.by === 'natural' ? (table.natural ?? '') : key.by
  const conditions = [
    key.by === 'id' ? Prisma.sql`id = ${key.value}::uuid` : Prisma.sql`${Prisma.raw(column)} = ${key.value}`,
    ...(table.only ? [table.only === 'roots' ? Prisma.sql`parent_id IS NULL` : Prisma.sql`parent_id IS NOT NULL`] : []),
    ...(scope.priceBookId === undefined ? [] : [Prisma.sql`price_book_id = ${scope.priceBookId}::uuid`]),
    ...(key.by === 'natural' && scope.parentId ? [Prisma.sql`parent_id = ${scope.parentId}::uuid`] : []),
  ]
  const rows = await tx.$queryRaw<Existing[]>`
    SELECT id, (extract(epoch FROM updated_at) * 1000)::float8 AS "updatedAt" FROM ${Prisma.raw(table.name)}
    WHERE ${Prisma.join(conditions, ' AND ')} LIMIT 2`
  if (rows.length > 1) {
    throw new DomainError('validation', [
      { code: 'INVALID_VALUE', path: ['attributes', column], message: 'means more than one stored record' },
    ])
  }
  return rows[0] ?? null
}
