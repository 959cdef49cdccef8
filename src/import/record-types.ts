/**
 * Record types: for each type of import objects its table, its keys, and the operations that create and update it. They
 * take the fields of the type (input.fields-by-type).
 */
import { catalogRecord } from '../domain/catalog/catalog.ts'
import { catalogRuleRecord } from '../domain/catalog/catalog-rule.ts'
import { hierarchyRecord, nodeRecord } from '../domain/catalog/hierarchy-node.ts'
import { labelRecord } from '../domain/catalog/label.ts'
import { assertValid, type Violation } from '../domain/input/errors.ts'
import type { Schema } from '../domain/input/json-schema.ts'
import { recordSchema } from '../domain/input/record-schema.ts'
import { documentInput } from '../domain/input/unknown-members.ts'
import { priceBookRecord } from '../domain/pricing/price-book.ts'
import { priceModifierRecord } from '../domain/pricing/price-modifier.ts'
import { productDocument } from '../domain/products/documents.ts'
import { subscriptionLineDocument } from '../domain/subscriptions/documents.ts'
import { offeringRecord } from '../domain/subscriptions/offering.ts'
import { planRecord } from '../domain/subscriptions/plan.ts'
import { subscriptionProductRecord } from '../domain/subscriptions/subscription-product.ts'
import type { JsonObject } from '../lib/json-object.ts'
import { createCatalog, updateCatalog } from '../operations/catalog/catalog.ts'
import { createCatalogRule, updateCatalogRule } from '../operations/catalog/catalog-rule.ts'
import { createHierarchy, updateHierarchy } from '../operations/catalog/hierarchy.ts'
import { createNode, resolveParentId, updateNode } from '../operations/catalog/hierarchy-node.ts'
import { createLabel, updateLabel } from '../operations/catalog/label.ts'
import { createPriceBook, updatePriceBook } from '../operations/pricing/price-book.ts'
import { createPriceModifier, updatePriceModifier } from '../operations/pricing/price-modifier.ts'
import { createProduct, updateProduct } from '../operations/products/product.ts'
import { resolveId } from '../operations/references.ts'
import { importSubscription, updateImportedSubscription } from '../operations/subscriptions/import-subscription.ts'
import { createOffering, updateOffering } from '../operations/subscriptions/offering.ts'
import { createPlan, updatePlan } from '../operations/subscriptions/plan.ts'
import {
  createSubscriptionProduct,
  updateSubscriptionProduct,
} from '../operations/subscriptions/subscription-product.ts'
import { nodeTable } from '../persistence/catalog/hierarchy-node.ts'
import type { KeyedTable, KeyScope } from '../persistence/database/find-by-key.ts'
import type { WholeSource } from '../persistence/database/table.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import { productTable } from '../persistence/products/product.ts'
import { planTable } from '../persistence/subscriptions/plan.ts'
import { subscriptionProductTable } from '../persistence/subscriptions/subscription-product.ts'
import type { Context } from '../request/context.ts'
import { type ImportKey, inBook, readBook, readKind, readParent } from './keys.ts'
import { type SettledRow, settleNode } from './node-row.ts'
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
  /** Its unknown members, which operations report with the other violations. */
  readonly unknown: readonly Violation[]
  /** Both, as operations take them. */
  readonly data: unknown
}

/** Rows of sheets as a source of records. */
interface RowSource {
  readonly table: WholeSource<never, object>
  /** The member that is the natural key of a row. */
  readonly natural?: 'sku'
  /** Finds what a row names by other texts than objects do. */
  readonly settle?: (tx: Transaction, data: JsonObject) => Promise<SettledRow>
}

/** One type of records. */
export interface RecordType extends KeyedTable {
  /** The members that its objects may have in `data`. */
  readonly document: Schema
  /** How rows of sheets give its records; absent: it has no sheets. */
  readonly rows?: RowSource
  /** The scope of its keys, or of the given one; absent: the whole table. */
  readonly scope?: (write: ImportWrite, key: ImportKey) => Promise<KeyScope>
  readonly create: (write: ImportWrite, scope: KeyScope) => Promise<Updated>
  readonly update: (write: ImportWrite, id: string) => Promise<Updated>
}

/** The types by the name in an object's `type`; prices and releases are written separately. */
export const recordTypes: Readonly<Record<string, RecordType>> = {
  pricebook: {
    document: recordSchema(priceBookRecord),
    model: 'priceBook',
    natural: 'name',
    create: ({ ctx, tx, data }) => createPriceBook(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updatePriceBook(ctx, { id, data }, {}, tx),
  },
  'price-modifier': {
    document: recordSchema(priceModifierRecord, { own: inBook }),
    model: 'priceModifier',
    natural: 'name',
    scope: async ({ tx, given }) => ({ priceBookId: await resolveBook(tx, given) }),
    create: ({ ctx, tx, data }, { priceBookId = '' }) => createPriceModifier(ctx, { priceBookId, data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updatePriceModifier(ctx, { id, data }, {}, tx),
  },
  subscription_product: {
    document: recordSchema(subscriptionProductRecord),
    model: 'subscriptionProduct',
    rows: { table: subscriptionProductTable },
    create: ({ ctx, tx, data }) => createSubscriptionProduct(ctx, { data }, {}, tx),
    // The input of this update contains the id as well.
    update: ({ ctx, tx, given, unknown }, id) =>
      updateSubscriptionProduct(ctx, { id, data: documentInput({ ...given, id }, unknown) }, {}, tx),
  },
  subscription_plan: {
    document: recordSchema(planRecord),
    model: 'plan',
    rows: { table: planTable },
    create: ({ ctx, tx, data }) => createPlan(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updatePlan(ctx, { id, data }, {}, tx),
  },
  subscription_offering: {
    // Its copy in a subscription has relationships among its attributes.
    document: recordSchema(offeringRecord, { shown: ['relationships'] }),
    model: 'offering',
    create: ({ ctx, tx, data }) => createOffering(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateOffering(ctx, { id, data }, {}, tx),
  },
  subscription: {
    document: subscriptionLineDocument,
    model: 'subscription',
    create: ({ ctx, tx, data }) => importSubscription(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateImportedSubscription(ctx, { subscriptionId: id, data }, {}, tx),
  },
  product: {
    document: productDocument,
    model: 'product',
    natural: 'sku',
    rows: { table: productTable, natural: 'sku' },
    create: ({ ctx, tx, data }) => createProduct(ctx, { data }, {}, tx),
    update: ({ ctx, tx, given, unknown }, id) =>
      updateProduct(ctx, { id, data: documentInput(withoutShownParts(given), unknown) }, {}, tx),
  },
  hierarchy: {
    document: recordSchema(hierarchyRecord),
    model: 'catalogNode',
    only: 'roots',
    create: ({ ctx, tx, data }) => createHierarchy(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateHierarchy(ctx, { id, data }, {}, tx),
  },
  node: {
    document: recordSchema(nodeRecord),
    model: 'catalogNode',
    // A name is unique only among siblings (node.sibling-names-differ), so it is a key only with a parent.
    natural: 'name',
    only: 'nodes',
    rows: { table: nodeTable, settle: settleNode },
    scope: async ({ tx, given }, key) => {
      if (key?.by !== 'natural') return {}
      const parent = readParent(given)
      return { parentId: parent && (await resolveParentId(tx, parent)) }
    },
    create: ({ ctx, tx, data }) => createNode(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateNode(ctx, { id, data }, {}, tx),
  },
  catalog: {
    document: recordSchema(catalogRecord),
    model: 'catalog',
    create: ({ ctx, tx, data }) => createCatalog(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateCatalog(ctx, { id, data }, {}, tx),
  },
  catalog_rule: {
    document: recordSchema(catalogRuleRecord),
    model: 'catalogRule',
    create: ({ ctx, tx, data }) => createCatalogRule(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateCatalogRule(ctx, { id, data }, {}, tx),
  },
  label: {
    document: recordSchema(labelRecord),
    model: 'label',
    natural: 'key',
    scope: async ({ given }) => ({ kind: readKind(given) }),
    create: ({ ctx, tx, data }) => createLabel(ctx, { data }, {}, tx),
    update: ({ ctx, tx, data }, id) => updateLabel(ctx, { id, data }, {}, tx),
  },
}

/**
 * The id of the book that an object names, locked until the transaction ends; throws `validation` when there is none.
 */
async function resolveBook(tx: Transaction, data: object): Promise<string> {
  const { book, path, violations } = readBook(data)
  assertValid(violations)
  return (await resolveId(tx, 'price book', book, [path])) ?? ''
}
