/**
 * Product structure: the rules between a product and the bundles above and below it, its parent and its children.
 *
 * Each check locks what must not change before the transaction ends.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Path, prefixPaths, type Violation } from '../../domain/input/errors.ts'
import type { Reference } from '../../domain/input/record.ts'
import { nestingViolations } from '../../domain/products/component.ts'
import { optionProductIds } from '../../domain/products/component-input.ts'
import type { Product } from '../../domain/products/product.ts'
import { childViolations, parentViolations } from '../../domain/products/product-family.ts'
import { lockRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { bundlesAround, findChildren, productTable } from '../../persistence/products/product.ts'
import { resolveId } from '../references.ts'

const PARENT: Path = ['relationships', 'parent', 'data']

/**
 * The id of the parent that a reference names; undefined and null are returned as they are. Throws `validation` for an
 * unknown parent.
 */
export async function resolveParent(
  tx: Transaction,
  parent: Reference | null | undefined,
): Promise<string | null | undefined> {
  return parent === null ? null : resolveId(tx, 'product', parent, PARENT)
}

/** The violations of bundle.one-level-of-nesting, checked when the components change. */
export async function nestingViolationsIn(
  tx: Transaction,
  { id, components }: Product,
  stored: Product | null,
): Promise<Violation[]> {
  if (components === null || isDeepStrictEqual(components, stored?.components)) return []
  const around = await bundlesAround(tx, id, optionProductIds(components))
  return prefixPaths(['attributes', 'components'], nestingViolations(id, components, around))
}

/** The children that don't match a stored product's changed variations. Its row lock excludes new children. */
export async function parentViolationsIn(
  tx: Transaction,
  { id, variations }: Product,
  stored: Product | null,
): Promise<Violation[]> {
  if (stored === null || stored.variations === null || isDeepStrictEqual(variations, stored.variations)) return []
  return parentViolations(variations, await findChildren(tx, id))
}

/**
 * The violations of a new parent or new options. The parent is locked, so its children are written one after another.
 */
export async function siblingViolationsIn(
  tx: Transaction,
  product: Product,
  stored: Product | null,
): Promise<Violation[]> {
  const { id, parentId, optionIds } = product
  if (parentId === null || (parentId === stored?.parentId && isDeepStrictEqual(optionIds, stored.optionIds))) return []
  const parent = parentId === id ? product : await lockRecord(tx, productTable, parentId, 'NO KEY UPDATE')
  if (!parent) return [{ code: 'NOT_FOUND', path: PARENT, message: 'no such product' }]
  const isParent = stored !== null && (await findChildren(tx, id)).length > 0
  return childViolations(product, parent, await findChildren(tx, parentId), isParent)
}
