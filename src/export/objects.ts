/** Export objects: a stored record as an object of the import's format (src/import/README.md).
 *
 *  Every member is given, null where the record has no value, so that an import over an older state of the record sets it whole. */
import { formatInstant } from '../domain/input/instant.ts'
import type { CurrencyPriceRecords } from '../domain/pricing/price-record.ts'
import type { Sale } from '../domain/pricing/product-price.ts'
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
    case 'pricebook': {
      const { name, description, externalRef: external_ref } = found.record
      return { ...head, attributes: { name, description, external_ref } }
    }
    case 'price-modifier': {
      const { priceBookId: pricebook_id, name, externalRef: external_ref, modifierType: modifier_type } = found.record
      const currencies = currenciesOf(found.record.currencies)
      return { ...head, pricebook_id, attributes: { name, external_ref, modifier_type, currencies } }
    }
    case 'product-price': {
      const { priceBookId: pricebook_id, sku, externalRef: external_ref, sales, adminAttributes, shopperAttributes } = found.record
      const currencies = currenciesOf(found.record.currencies)
      const named = Object.fromEntries(sales.map((sale) => [sale.name, saleOf(sale)]))
      const free = { admin_attributes: adminAttributes, shopper_attributes: shopperAttributes }
      return { ...head, pricebook_id, attributes: { sku, external_ref, currencies, sales: named, ...free } }
    }
    case 'subscription_product': {
      const { externalRef: external_ref, name, description, sku, mainImage: main_image, price, priceUnits: price_units } = found.record
      return { ...head, attributes: { external_ref, name, description, sku, main_image, price, price_units } }
    }
    case 'subscription_plan': {
      const { name, description, externalRef: external_ref, fixedPrice: fixed_price, ...plan } = found.record
      const billing = {
        billing_interval_type: plan.billingIntervalType,
        billing_frequency: plan.billingFrequency,
        trial_period: plan.trialPeriod,
        plan_length: plan.planLength,
        end_behavior: plan.endBehavior,
      }
      const actions = { can_pause: plan.canPause, can_resume: plan.canResume, can_cancel: plan.canCancel }
      const prices = { base_price_percentage: plan.basePricePercentage, fixed_price }
      return { ...head, attributes: { name, description, external_ref, ...billing, ...actions, ...prices } }
    }
    case 'subscription_offering': {
      const { name, description, externalRef: external_ref, productIds, planIds } = found.record
      const relationships = { products: { data: productIds }, plans: { data: planIds } }
      return { ...head, attributes: { name, description, external_ref }, relationships }
    }
    case 'product':
      return { ...head, ...productParts(found.record) }
    case 'hierarchy': {
      const { name, slug, description, externalRef: external_ref, locales } = found.record
      return { ...head, attributes: { name, slug, description, external_ref, locales } }
    }
    case 'node': {
      const { name, slug, description, externalRef: external_ref, locales, label, sortOrder: sort_order, ...node } = found.record
      const texts = { name, slug, description, external_ref, locales, label, sort_order }
      const relationships = { parent: { data: node.parentId }, products: { data: node.productIds } }
      return { ...head, attributes: { ...texts, curated_products: node.curatedProductIds }, relationships }
    }
    case 'catalog': {
      const { name, description, externalRef: external_ref, locales, hierarchyIds, priceBooks: pricebook_ids } = found.record
      return { ...head, attributes: { name, description, external_ref, locales, hierarchy_ids: hierarchyIds, pricebook_ids } }
    }
    case 'catalog_rule': {
      const { name, catalogId: catalog_id, externalRef: external_ref, accountIds: account_ids, channels, tags } = found.record
      const schedules = found.record.schedules.map(({ valid_from, valid_to }) => scheduleOf(valid_from, valid_to))
      return { ...head, attributes: { name, catalog_id, external_ref, account_ids, channels, tags, schedules } }
    }
    case 'catalog-release':
      return { ...head, attributes: { catalog_id: found.record.catalogId } }
  }
}

function productParts(product: Extract<AuthoredRecord, { type: 'product' }>['record']) {
  const { name, description, sku, slug, status, tags, components, extensions, locales, variations, files } = product
  return {
    attributes: {
      ...{ name, description, sku, slug, status, commodity_type: product.commodityType, upc_ean: product.upcEan },
      ...{ manufacturer_part_num: product.manufacturerPartNum, tags, external_ref: product.externalRef, components },
      ...{ custom_inputs: product.customInputs, extensions, locales, variations, build_rules: product.buildRules },
      option_ids: product.optionIds,
    },
    relationships: {
      parent: { data: product.parentId },
      files: { data: files ?? [] },
      main_image: { data: product.mainImageId },
    },
  }
}

/** Currency prices with null for no tiers, since an import keeps tiers that are not given. */
function currenciesOf(currencies: CurrencyPriceRecords): object {
  return Object.fromEntries(Object.entries(currencies).map(([code, price]) => [code, { ...price, tiers: price.tiers ?? null }]))
}

function saleOf({ bundleIds, validFrom, validTo, currencies }: Sale) {
  return { bundle_ids: bundleIds, schedule: validFrom === null && validTo === null ? null : scheduleOf(validFrom, validTo), currencies }
}

function scheduleOf(from: number | null, to: number | null) {
  return { valid_from: from === null ? null : formatInstant(from), valid_to: to === null ? null : formatInstant(to) }
}
