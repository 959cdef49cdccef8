/**
 * Checks of import jobs: the objects that a check has taken, by the keys by which later ones may name them, and the
 * changes of prices that it found (job.check-equals-import, job.check-tells-prices).
 *
 * SQL, since Prisma can't upsert many rows in one statement.
 */
import { createHash } from 'node:crypto'
import type { SkuPriceChange } from '../../domain/imports/price-change.ts'
import type { Database } from '../database/database.ts'
import type { Transaction } from '../database/transaction.ts'

/** An object that a check has taken. */
export interface EarlierObject {
  /** Its place in the file, from 1 on. */
  readonly number: number
  /** The line or row at which it begins. */
  readonly line: number
  readonly object: string
  readonly keys: readonly string[]
}

/** A change of a price in the book with a name. */
export interface BookPriceChange extends SkuPriceChange {
  readonly book: string
}

/** A number that stands for a key of a job: two keys with one number only cost time. */
function hashOf(key: string): string {
  return createHash('sha1').update(key).digest().readBigInt64BE().toString()
}

/** Stores objects by their keys. Two statements. */
export async function storeEarlier(tx: Transaction, jobId: string, objects: readonly EarlierObject[]): Promise<void> {
  if (objects.length === 0) return
  await tx.$executeRawUnsafe(
    `INSERT INTO import_job_earlier (job_id, number, line, object)
     SELECT $1::uuid, * FROM unnest($2::int[], $3::int[], $4::text[])`,
    jobId,
    objects.map(({ number }) => number),
    objects.map(({ line }) => line),
    objects.map(({ object }) => object),
  )
  const keys = objects.flatMap(({ number, keys }) => [...new Set(keys.map(hashOf))].map((key) => ({ number, key })))
  await tx.$executeRawUnsafe(
    'INSERT INTO import_job_key (job_id, key, number) SELECT $1::uuid, * FROM unnest($2::text[]::bigint[], $3::int[])',
    jobId,
    keys.map(({ key }) => key),
    keys.map(({ number }) => number),
  )
}

/** The objects with one of the keys but those that are `known` by their numbers, at most `max`. One statement. */
export async function findEarlier(
  tx: Transaction,
  jobId: string,
  { keys, known, max }: { readonly keys: readonly string[]; readonly known: readonly number[]; readonly max: number },
): Promise<Omit<EarlierObject, 'keys'>[]> {
  return tx.$queryRawUnsafe(
    `SELECT number, line, object FROM import_job_earlier WHERE job_id = $1::uuid AND number = ANY (ARRAY(
       SELECT DISTINCT number FROM import_job_key
       WHERE job_id = $1::uuid AND key = ANY ($2::text[]::bigint[]) AND number <> ALL ($3::int[]) LIMIT $4))`,
    jobId,
    [...new Set(keys.map(hashOf))],
    known,
    max,
  )
}

/** Those of the keys by which objects are stored. One statement. */
export async function findEarlierKeys(tx: Transaction, jobId: string, keys: readonly string[]): Promise<string[]> {
  const byHash = new Map(keys.map((key) => [hashOf(key), key]))
  const rows = await tx.$queryRawUnsafe<{ key: string }[]>(
    'SELECT DISTINCT key::text FROM import_job_key WHERE job_id = $1::uuid AND key = ANY ($2::text[]::bigint[])',
    jobId,
    [...byHash.keys()],
  )
  return rows.map(({ key }) => byHash.get(key) ?? '')
}

/** Adds changes of prices: of what changed before, the price without the import stays. One statement. */
export async function storePriceChanges(
  tx: Transaction,
  jobId: string,
  changes: readonly BookPriceChange[],
): Promise<void> {
  if (changes.length === 0) return
  const byKey = new Map<string, BookPriceChange>()
  for (const change of changes) {
    const { book, sku, currency } = change
    const key = createHash('md5')
      .update(JSON.stringify([book, sku, currency]))
      .digest('hex')
    byKey.set(key, { ...change, before: (byKey.get(key) ?? change).before })
  }
  await tx.$executeRawUnsafe(
    `INSERT INTO import_job_price AS p (job_id, key, book, sku, currency, before, after)
     SELECT $1::uuid, * FROM unnest($2::text[]::uuid[], $3::text[], $4::text[], $5::text[], $6::text[]::bigint[], $7::text[]::bigint[])
     ON CONFLICT (job_id, key) DO UPDATE SET after = EXCLUDED.after`,
    jobId,
    [...byKey.keys()],
    ...(['book', 'sku', 'currency'] as const).map((name) => [...byKey.values()].map((change) => change[name])),
    ...(['before', 'after'] as const).map((name) =>
      [...byKey.values()].map((change) => change[name]?.toString() ?? null),
    ),
  )
}

/** The names of price books by id. One statement. */
export async function bookNames(tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.priceBook.findMany({ where: { id: { in: [...ids] } }, select: { id: true, name: true } })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const changed = 'job_id = $1 AND before IS DISTINCT FROM after'

/** The changes of prices that the check of a job found, by book, SKU and currency. One statement. */
export async function priceChangesOf(
  database: Database,
  jobId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<BookPriceChange[]> {
  const text = `SELECT book, sku, currency, before::float8, after::float8 FROM import_job_price WHERE ${changed}
    ORDER BY book, sku, currency LIMIT $2 OFFSET $3`
  return database.query<BookPriceChange>('import-check-prices', text, [jobId, limit, offset])
}

/** How many prices the check of a job found to change. One statement. */
export async function countPriceChanges(database: Database, jobId: string): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM import_job_price WHERE ${changed}`
  const [row] = await database.query<{ count: number }>('import-check-price-count', text, [jobId])
  return row?.count ?? 0
}
