/** Keys of products: which of many a stored product has. SQL, since three kinds of them are one statement. */
import type { Transaction } from '../database/transaction.ts'

/** Keys by which products may be named. */
interface ProductKeys {
  readonly ids: readonly string[]
  readonly skus: readonly string[]
  readonly externalRefs: readonly string[]
}

/** The keys that stored products have, as `id ...`, `sku ...` and `ref ...`. One statement. */
export async function storedProductKeys(
  tx: Transaction,
  { ids, skus, externalRefs }: ProductKeys,
): Promise<ReadonlySet<string>> {
  const rows = await tx.$queryRaw<{ key: string }[]>`
    SELECT 'id ' || id AS key FROM product WHERE id = ANY (${ids}::uuid[])
    UNION ALL SELECT 'sku ' || sku FROM product WHERE sku = ANY (${skus}::text[])
    UNION ALL SELECT 'ref ' || external_ref FROM product WHERE external_ref = ANY (${externalRefs}::text[])`
  return new Set(rows.map(({ key }) => key))
}
