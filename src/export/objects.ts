/**
 * Export objects: a stored record as an object of the import's format (src/import/README.md).
 *
 * Every member is given, null where the record has no value. So an import over an older state of the record sets it
 * completely.
 */
import { catalogRecord } from '../domain/catalog/catalog.ts'
import { catalogRuleRecord } from '../domain/catalog/catalog-rule.ts'
import { hierarchyRecord, nodeRecord } from '../domain/catalog/hierarchy-node.ts'
import { labelRecord } from '../domain/catalog/label.ts'
import { recordParts } from '../domain/input/record-object.ts'
import { priceBookRecord } from '../domain/pricing/price-book.ts'
import { priceModifierRecord } from '../domain/pricing/price-modifier.ts'
import { productPriceRecord } from '../domain/pricing/product-price.ts'
import { productRecord } from '../domain/products/product.ts'
import { offeringRecord } from '../domain/subscriptions/offering.ts'
import { planRecord } from '../domain/subscriptions/plan.ts'
import { subscriptionProductRecord } from '../domain/subscriptions/subscription-product.ts'
import type { AuthoredRecord } from '../persistence/authored-records.ts'

type Data = { readonly type: string; readonly id: string; readonly [member: string]: unknown }

/** The object of a record: `{ data: { type, id, attributes, ... } }`. */
export function exportObject(found: AuthoredRecord): { readonly data: Data } {
  return { data: dataOf(found) }
}

function dataOf(found: AuthoredRecord): Data {
  const { type } = found
  const { id } = found.record
  const head = { type, id }
  switch (type) {
    case 'pricebook':
      return { ...head, ...recordParts(priceBookRecord, found.record) }
    case 'price-modifier':
      return { ...head, pricebook_id: found.record.priceBookId, ...recordParts(priceModifierRecord, found.record) }
    case 'product-price':
      return { ...head, pricebook_id: found.record.priceBookId, ...recordParts(productPriceRecord, found.record) }
    case 'subscription_product':
      return { ...head, ...recordParts(subscriptionProductRecord, found.record) }
    case 'subscription_plan':
      return { ...head, ...recordParts(planRecord, found.record) }
    case 'subscription_offering':
      return { ...head, ...recordParts(offeringRecord, found.record) }
    case 'product':
      return { ...head, ...recordParts(productRecord, found.record) }
    case 'hierarchy':
      return { ...head, ...recordParts(hierarchyRecord, found.record) }
    case 'node':
      return { ...head, ...recordParts(nodeRecord, found.record) }
    case 'catalog':
      return { ...head, ...recordParts(catalogRecord, found.record) }
    case 'catalog_rule':
      return { ...head, ...recordParts(catalogRuleRecord, found.record) }
    case 'label':
      return { ...head, ...recordParts(labelRecord, found.record) }
    case 'catalog-release':
      return { ...head, attributes: { catalog_id: found.record.catalogId } }
  }
}
