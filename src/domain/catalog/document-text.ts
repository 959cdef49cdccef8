/**
 * Document text: the JSON of a document exactly as a publish writes it (persistence/catalog/publish/documents.ts), so
 * that a merged document of equal content has equal text.
 */
import { compareCodePoints } from '../../lib/code-point.ts'
import { isObject } from '../../lib/json-object.ts'
import type { ReleaseModifier, ReleasePriceRecord, ReleasePricing } from '../pricing/price-record.ts'
import type { ReleaseProduct } from './released-product.ts'

/** The text of a document, whose elements are in the order of the codec (document-codec.ts). */
export function documentText(product: ReleaseProduct, price: ReleasePricing): string {
  return built([productText(product), pricingText(price, false)])
}

function productText(product: ReleaseProduct): string {
  const { children } = product
  return built([
    ...[product.id, product.name, product.description, product.sku, product.slug, product.commodity_type].map(plain),
    ...[product.upc_ean, product.manufacturer_part_num].map(plain),
    array(product.tags),
    plain(product.external_ref),
    ...[product.components, product.custom_inputs, product.extensions, product.locales].map(stored),
    ...[product.variations, product.build_rules].map(stored),
    plain(product.parent_id),
    array(product.option_ids),
    stored(product.files),
    plain(product.main_image_id),
    children === null ? 'null' : built(children.map(({ id, option_ids }) => built([plain(id), array(option_ids)]))),
    array(product.node_ids),
    ...[product.created_at, product.updated_at, product.seo_title, product.seo_description].map(plain),
  ])
}

/** An option that has options itself is stored as jsonb. */
function pricingText(pricing: ReleasePricing, isOption: boolean): string {
  const { components = null, modifier_names = [], modifiers = [] } = pricing
  const options = Object.entries(pricing.options ?? {}).sort(([one], [other]) => compareCodePoints(one, other))
  const inner = options.map(([id, option]) => [id, pricingText(option, true)] as const)
  const text = built([
    plain(pricing.id),
    recordText(pricing.own),
    recordText(pricing.base),
    modifier_names.length === 0 ? 'null' : array(modifier_names),
    modifiers.length === 0 ? 'null' : built(modifiers.map(modifierText)),
    stored(components),
    inner.length === 0 ? 'null' : `{ ${inner.map(([id, option]) => `${plain(id)} : ${option}`).join(', ')} }`,
  ])
  return isOption && inner.length > 0 ? stored(JSON.parse(text)) : text
}

function recordText(record: ReleasePriceRecord | null): string {
  if (record === null) return 'null'
  const sales = record.sales.map(({ name, from, to, bundles, currencies }) =>
    built([plain(name), plain(from), plain(to), array(bundles), stored(currencies)]),
  )
  return built([
    plain(record.id),
    plain(record.book),
    stored(record.currencies),
    built(sales),
    stored(record.shopper_attributes),
  ])
}

function modifierText({ name, type, currencies }: ReleaseModifier): string {
  return built([plain(name), plain(type), stored(currencies)])
}

const plain = (value: string | number | null): string => JSON.stringify(value)

/** What json_build_array and json_agg write. */
const built = (elements: readonly string[]): string => `[${elements.join(', ')}]`

/** What an array of the database becomes. */
const array = (values: readonly string[]): string => JSON.stringify(values)

/** A jsonb value: PostgreSQL orders its members by the length of the name in bytes, then by its bytes. */
function stored(value: unknown): string {
  if (Array.isArray(value)) return built(value.map(stored))
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).map((name) => [Buffer.from(name), name] as const)
  members.sort(([one], [other]) => one.length - other.length || Buffer.compare(one, other))
  return `{${members.map(([, name]) => `${JSON.stringify(name)}: ${stored(value[name])}`).join(', ')}}`
}
