/** The types of records that have sheets, each by its definition. */
import { nodeRecord } from '../../domain/catalog/hierarchy-node.ts'
import { productRecord } from '../../domain/products/product.ts'
import { planRecord } from '../../domain/subscriptions/plan.ts'
import { subscriptionProductRecord } from '../../domain/subscriptions/subscription-product.ts'
import { listColumn, ownPrices, partColumns, textColumn } from './member-columns.ts'
import { type RecordSheet, recordSheet } from './record-sheet.ts'

/** The sheets by the name of their type in the import. */
export const recordSheets = {
  product: recordSheet(productRecord, { natural: 'sku', columns: { tags: listColumn } }),
  // The path says parent and slug; products are given by SKU (import/node-row.ts).
  node: recordSheet(nodeRecord, {
    natural: 'parentId',
    columns: { parentId: textColumn('path'), slug: null, curatedProductIds: listColumn, productIds: listColumn },
  }),
  subscription_product: recordSheet(subscriptionProductRecord, {
    columns: { price: ownPrices, priceUnits: partColumns({ unit: 'word', amount: 'integer' }) },
  }),
  subscription_plan: recordSheet(planRecord),
} as const satisfies Readonly<Record<string, RecordSheet>>

/** A type that has sheets of records. */
export type RecordSheetType = keyof typeof recordSheets

/** Whether a type has sheets of records. */
export function isRecordSheetType(type: unknown): type is RecordSheetType {
  return typeof type === 'string' && Object.hasOwn(recordSheets, type)
}
