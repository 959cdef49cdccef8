/**
 * Record types: for each type of import objects its table, keys, and the operations that create and update it, which take the fields of the
 * type (input.fields-by-type).
 */
import { catalogDocument, catalogRuleDocument, hierarchyDocument, nodeDocument } from '../domain/catalog/documents.ts'
import { assertValid, type Violation } from '../domain/input/errors.ts'
import type { JsonObject } from '../domain/input/input-reader.ts'
import type { Schema } from '../domain/input/json-schema.ts'
import { documentInput } from '../domain/input/unknown-members.ts'
import { modifierDocument, priceBookDocument } from '../domain/pricing/documents.ts'
import { productDocument } from '../domain/products/documents.ts'
import { offeringDocument, planDocument, subscriptionProductDocument } from '../domain/subscriptions/documents.ts'
import { createCatalog, updateCatalog } from '../operations/catalog/catalog.ts'
import { createCatalogRule, updateCatalogRule } from '../operations/catalog/catalog-rule.ts'
import { createHierarchy, updateHierarchy } from '../operations/catalog/hierarchy.ts'
import { createNode, resolveParentId, updateNode } from '../operations/catalog/hierarchy-node.ts'
import { createPriceBook, updatePriceBook } from '../operations/pricing/price-book.ts'
import { createPriceModifier, updatePriceModifier } from '../operations/pricing/price-modifier.ts'
import { createProduct, updateProduct } from '../operations/products/product.ts'
import { resolveId } from '../operations/references.ts'
import { createOffering, updateOffering } from '../operations/subscriptions/offering.ts'
import { createPlan, updatePlan } from '../operations/subscriptions/plan.ts'
import { createSubscriptionProduct, updateSubscriptionProduct } from '../operations/subscriptions/subscription-product.ts'
import type { KeyedTable, KeyScope } from '../persistence/database/find-by-key.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import type { Context } from '../request/context.ts'
import { readBook, readParent } from './keys.ts'
import { withoutShownParts } from './shown-parts.ts'

interface Updated {
  readonly updatedAt: number
}

/** An object and the transaction that it is written in. */
export interface ImportWrite {
  readonly ctx: Context
  readonly tx: Transaction
  /** The object's `data` as it was given. */
  readonly given: JsonObject
  /** Its unknown members, which operations report with what else is wrong. */
  readonly unknown: readonly Violation[]
  /** Both, as operations take them. */
  readonly data: unknown
}

/** One type of records. */
export interface RecordType extends KeyedTable {
  /** The members that its objects may have in `data`. */
  readonly document: Schema
  /** The scope of its keys; absent: the whole table. */
  readonly scope?: (write: ImportWrite) => Promise<KeyScope>
  readonly create: (write: ImportWrite, scope: KeyScope) => Promise<Updated>
  readonly update: (write: ImportWrite, id: string) => Promise<Updated>
}

/** The types by the name in an object's `type`; prices and releases are written apart. */
export const recordTypes: Readonly<Record<string, RecordType>> = {
  pricebook: {
    document: priceBookDocument,
    model: 'priceBook',
    natural: 'name',
    create: ({ ctx, tx, data }) => createPriceBook(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updatePriceBook(ctx, { id, data }, {}, tx),
  },
  'price-modifier': {
    document: modifierDocument,
    model: 'priceModifier',
    natural: 'name',
    scope: async ({ tx, given }) => ({ priceBookId: await resolveBook(tx, given) }),
    create: ({ ctx, tx, data }, { priceBookId = '' }) => createPriceModifier(ctx, { priceBookId, data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updatePriceModifier(ctx, { id, data }, {}, tx),
  },
  subscription_product: {
    document: subscriptionProductDocument,
    model: 'subscriptionProduct',
    create: ({ ctx, tx, data }) => createSubscriptionProduct(ctx, { data }, {}, tx),
    // The input of this update contains the id as well.
    update: ({ ctx, tx, given, unknown }, id) =>
      updateSubscriptionProduct(ctx, { productId: id, data: documentInput({ ...given, id }, unknown) }, {}, tx),
  },
  subscription_plan: {
    document: planDocument,
    model: 'plan',
    create: ({ ctx, tx, data }) => createPlan(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updatePlan(ctx, { planId: id, data }, {}, tx),
  },
  subscription_offering: {
    document: offeringDocument,
    model: 'offering',
    create: ({ ctx, tx, data }) => createOffering(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateOffering(ctx, { offeringId: id, data }, {}, tx),
  },
  product: {
    document: productDocument,
    model: 'product',
    natural: 'sku',
    create: ({ ctx, tx, data }) => createProduct(ctx, { data }, {}, tx),
    update: ({ ctx, tx, given, unknown }, id) => updateProduct(ctx, { id, data: documentInput(withoutShownParts(given), unknown) }, {}, tx),
  },
  hierarchy: {
    document: hierarchyDocument,
    model: 'catalogNode',
    only: 'roots',
    create: ({ ctx, tx, data }) => createHierarchy(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateHierarchy(ctx, { hierarchyId: id, data }, {}, tx),
  },
  node: {
    document: nodeDocument,
    model: 'catalogNode',
    // A name is unique only among siblings (node.sibling-names-differ), so it is a key only with a parent.
    natural: 'name',
    only: 'nodes',
    scope: async ({ tx, given }) => {
      const parent = readParent(given)
      return { parentId: parent && (await resolveParentId(tx, parent)) }
    },
    create: ({ ctx, tx, data }) => createNode(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateNode(ctx, { nodeId: id, data }, {}, tx),
  },
  catalog: {
    document: catalogDocument,
    model: 'catalog',
    create: ({ ctx, tx, data }) => createCatalog(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateCatalog(ctx, { catalogId: id, data }, {}, tx),
  },
  catalog_rule: {
    document: catalogRuleDocument,
    model: 'catalogRule',
    create: ({ ctx, tx, data }) => createCatalogRule(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateCatalogRule(ctx, { ruleId: id, data }, {}, tx),
  },
}

/** The id of the book that an object names, locked until the transaction ends; throws `validation` when there is none. */
async function resolveBook(tx: Transaction, data: object): Promise<string> {
  const { book, path, violations } = readBook(data)
  assertValid(violations)
  return (await resolveId(tx, 'price book', book, [path])) ?? ''
}
