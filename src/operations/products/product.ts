/**
 * Products: use cases, with the rules of bundles and of children (bundle.one-level-of-nesting,
 * product.one-level-of-children).
 */
import { typesOf } from '../../domain/catalog/release-document.ts'
import { assertValid, conflict, DomainError, prefixPaths, type Violation } from '../../domain/input/errors.ts'
import { readNew, readUpdate } from '../../domain/input/record-reader.ts'
import { type ChildChoice, readChildChoices } from '../../domain/products/child-input.ts'
import { type Product, productRecord, productViolations } from '../../domain/products/product.ts'
import { type BuiltChild, buildChildren, takenSkuViolations } from '../../domain/products/product-build.ts'
import { applyProductPatch, newProduct, type ProductPatch } from '../../domain/products/product-patch.ts'
import { translateFailure } from '../../persistence/database/failures.ts'
import { newId } from '../../persistence/database/id.ts'
import type { LockStrength } from '../../persistence/database/row-lock.ts'
import { insertRecord, insertRecords, updateRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { findChildren, productTable, skuOwners } from '../../persistence/products/product.ts'
import type { Context } from '../../request/context.ts'
import { command, query } from '../operation.ts'
import { lockOrThrow, recordDelete } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'
import { makeSlug, makeSlugs } from '../slug.ts'
import { nestingViolationsIn, parentViolationsIn, resolveParent, siblingViolationsIn } from './product-structure.ts'

/** The products whose slugs a made one differs from. */
const allProducts = { of: 'products' } as const

/** A product by its raw id, null when there is none. */
export const product = recordById('admin', ({ productById }) => productById)

/** The types of a product (product.types-that-hold). Products of one request share a statement. */
export const productTypesOf = query({
  right: 'admin',
  run: async (ctx, { id, parentId, components }: Product) => {
    const children = (await ctx.loaders.productListByParentId.totals([]).load(id)) > 0 ? [] : null
    return typesOf({ children, parent_id: parentId, components })
  },
})

/** All products, in pages. */
export const products = recordReads('admin', productTable)

/** Creates a product, with `data.id` if given; SKU_TAKEN when another has the SKU. */
export const createProduct = command({
  name: 'createProduct',
  right: 'admin',
  read: ({ data }: { data: unknown }) => readNew(productRecord, data),
  run: async (tx, { id, patch: given }, _, ctx) => {
    const parentId = await resolveParent(tx, given.parentId)
    const slug = given.slug ?? (await makeSlug(tx, { scope: allProducts, name: given.name }, ctx))
    const created = newProduct({ ...given, slug }, parentId, id ?? newId(ctx.now), ctx.now, newId)
    assertValid(await structureViolations(tx, created, null))
    await insertRecord(tx, productTable, created)
    return created
  },
})

/** Changes the given attributes of a product (see ProductPatch); equal values write nothing. */
export const updateProduct = command<{ id: string; data: unknown }, ProductPatch, Product, Product>({
  name: 'updateProduct',
  right: 'admin',
  read: ({ id, data }, _, stored) => readUpdate(productRecord, data, id, stored),
  load: (tx, { id }) => lockProduct(tx, id),
  run: async (tx, patch, stored, ctx) => {
    const parentId = await resolveParent(tx, patch.parentId)
    const { name = stored.name } = patch
    const slug = patch.slug === null ? await makeSlug(tx, { scope: allProducts, name, id: stored.id }, ctx) : patch.slug
    const updated = applyProductPatch(stored, { ...patch, slug }, parentId, ctx.now, newId)
    if (updated === stored) return stored
    assertValid(await structureViolations(tx, updated, stored))
    await updateRecord(tx, productTable, stored, updated)
    return updated
  },
})

/**
 * Deletes a product with its attachments to nodes and returns it; IN_USE while it has children or is an option of
 * bundles. Prices belong to SKUs and stay; releases keep their copies (release.is-a-snapshot).
 */
export const deleteProduct = recordDelete<{ id: string }, Product>({
  name: 'deleteProduct',
  table: productTable,
  inUseAs: 'product',
  load: (tx, { id }) => lockProduct(tx, id, 'UPDATE'),
})

/** A parent and the children that a build added. */
export interface BuiltChildren {
  readonly product: Product
  /** The new children, by descending sort_order. */
  readonly children: readonly Product[]
}

/**
 * Builds the children that a parent's build rules choose and that it lacks (product.children-from-build-rules), all or
 * none, with the SKUs and slugs that `data.children` gives some of them. They are live when the parent is. Throws the
 * conflict SKU_TAKEN when another product has one of their SKUs. One statement more than a create of several products,
 * and two or a few more where slugs are made.
 */
export const buildChildProducts = command<{ id: string; data?: unknown }, ChildChoice[], Product, BuiltChildren>({
  name: 'buildChildProducts',
  right: 'admin',
  read: ({ data = {} }) => readChildChoices(data),
  load: (tx, { id }) => lockProduct(tx, id),
  run: async (tx, choices, stored, ctx) => {
    const siblings = await findChildren(tx, stored.id)
    const { value: built, violations } = buildChildren(stored, siblings, choices, ctx.now, () => newId(ctx.now))
    assertValid(violations)
    const owners = await skuOwners(
      tx,
      built.map(({ product }) => product),
    )
    const taken = takenSkuViolations(built, owners)
    if (taken.length > 0) throw new DomainError('conflict', taken)
    const children = await withSlugs(tx, built, ctx)
    await insertChildren(tx, children)
    return { product: stored, children }
  },
})

/** New children with their slugs; made ones differ from those that others of them are given. */
async function withSlugs(tx: Transaction, built: readonly BuiltChild[], ctx: Context): Promise<Product[]> {
  const names = built.flatMap(({ product, slug }) => (slug === undefined ? [product.name] : []))
  const given = built.flatMap(({ slug }) => slug ?? [])
  const made = await makeSlugs(tx, { scope: allProducts, names, given }, ctx)
  return built.map(({ product, slug }) => ({ ...product, slug: slug ?? (made.shift() as string) }))
}

/**
 * Inserts new children. Another transaction may take one of their SKUs after the lookup, and the database does not say
 * which one.
 */
async function insertChildren(tx: Transaction, children: readonly Product[]): Promise<void> {
  try {
    await insertRecords(tx, productTable, children)
  } catch (error) {
    const failure = translateFailure(error)
    if (!(failure instanceof DomainError) || failure.violations[0]?.code !== 'SKU_TAKEN') throw error
    throw conflict('SKU_TAKEN', ['children'], 'another product got the SKU of a new child just now, try again')
  }
}

/**
 * Locks a product and reads it; `UPDATE` before a deletion, since the default lets other transactions insert references
 * to it.
 */
function lockProduct(tx: Transaction, id: string, strength: LockStrength = 'NO KEY UPDATE'): Promise<Product> {
  return lockOrThrow(tx, productTable, id, 'product', strength)
}

/**
 * All violations of a product, its own and those with related products, in the order of the fields. Only changed
 * relations are read.
 */
async function structureViolations(tx: Transaction, product: Product, stored: Product | null): Promise<Violation[]> {
  return [
    ...(await nestingViolationsIn(tx, product, stored)),
    ...(await parentViolationsIn(tx, product, stored)),
    ...prefixPaths(['attributes'], productViolations(product)),
    ...(await siblingViolationsIn(tx, product, stored)),
  ]
}
