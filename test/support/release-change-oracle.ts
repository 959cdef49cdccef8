/**
 * Release change oracle: what differs between two releases, found by comparing all that readers and the naive publish
 * know of them.
 */
import type { ReleasePricing } from '../../src/domain/pricing/price-record.ts'
import { chosenOptions } from './price-oracle.ts'
import { type ExpectedRelease, expectedRelease } from './publish-oracle.ts'
import type { TestServer } from './server.ts'
import type { Store, StoreCatalog, StoreNode } from './store.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Any = any

/** A release as it is remembered when it is published. */
export interface Remembered {
  readonly id: string
  /** By product id, what the graph's fields show. */
  readonly products: ReadonlyMap<string, Record<string, Any>>
  readonly expected: ExpectedRelease
  readonly nodes: ReadonlyMap<string, StoreNode>
  readonly catalog: StoreCatalog
}

const languages = ['de', 'fr', 'de-CH']
const texts = ['name', 'description', 'language', 'slug', 'seoTitle', 'seoDescription'].flatMap((field) => [
  field,
  ...languages.map((tag) => `${field}_${tag.replace('-', '_')}: ${field}(locale: "${tag}")`),
])
const tier = 'tiers { name minimumQuantity price { amount } }'
/** What clients can read of a product, without the ids of its release. */
export const productFields = `${texts.join(' ')} sku commodityType upcEan manufacturerPartNum externalRef tags productTypes
  customInputs { key name } extensions { template fields { key value } } variations { key name options { key name sortOrder priceModifierNames } }
  variationMatrix { optionKeys productKey } parentKey childKeys nodes { nodes { key } } files { key } mainImage { key } priceBookKey priceModifierNames
  priceModifiers { name type prices { amount { amount currency } includesTax } } shopperAttributes { key value } createdAt updatedAt
  now: prices { amount { amount currency } includesTax sale { name } ${tier} }`

/** Reads and remembers a release that was just published from the store. */
export async function remember(
  server: TestServer,
  store: Store,
  catalog: StoreCatalog,
  id: string,
): Promise<Remembered> {
  const { data, errors } = await server.gql(
    `{ release(id: "${id}") { products(first: 100) { nodes { key ${productFields} } } } }`,
  )
  if (errors) throw new Error(JSON.stringify(errors))
  const { nodes, ...copy } = structuredClone(store)
  return {
    id,
    products: new Map(data.release.products.nodes.map(({ key, ...one }: Any) => [key, one])),
    expected: expectedRelease({ ...copy, nodes }, structuredClone(catalog)),
    nodes: new Map(nodes.filter((one) => catalog.hierarchy_ids.includes(one.hierarchy_id)).map((one) => [one.id, one])),
    catalog: structuredClone(catalog),
  }
}

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The names of the fields of a product that differ, sorted. */
export function differingFields(before: Remembered, after: Remembered, productId: string): string[] {
  const [old, now] = [before, after].map(({ products }) => products.get(productId) ?? {}) as [
    Record<string, Any>,
    Record<string, Any>,
  ]
  const shown = (one: Record<string, Any>, name: string) => (name === 'tags' ? [...one.tags].sort() : one[name])
  const found = new Set<string>()
  for (const name of Object.keys(old)) {
    if (!isEqual(shown(old, name), shown(now, name)))
      found.add(name === 'now' ? 'prices' : (name.split('_')[0] as string))
  }
  const [oldBody, nowBody] = [before, after].map(({ expected }) => expected.bodies.get(productId))
  if (!isEqual(oldBody?.product.option_ids, nowBody?.product.option_ids)) found.add('selectedOptions')
  if (!isEqual(oldBody && pricing(oldBody.price), nowBody && pricing(nowBody.price))) found.add('prices')
  if (!isEqual(oldBody && components(oldBody.price), nowBody && components(nowBody.price))) found.add('components')
  return [...found].sort()
}

const isBundle = ({ components: all }: ReleasePricing): boolean => Object.keys(all ?? {}).length > 0
const sorted = (map: object): unknown => Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1))

function pricing(unit: ReleasePricing): unknown {
  const record = unit.own ?? (isBundle(unit) ? null : unit.base)
  if (record === null)
    return isBundle(unit) ? [chosenOptions(unit).sort(([one], [other]) => (one < other ? -1 : 1)), options(unit)] : null
  const sales = record.sales.filter(({ currencies }) => Object.keys(currencies).length > 0)
  const names = (unit.modifier_names ?? []).filter((name, at, all) => all.lastIndexOf(name) === at)
  const modifiers = unit.own
    ? []
    : names.flatMap((name) => (unit.modifiers ?? []).find((one) => one.name === name) ?? [])
  return [
    record.id,
    sorted(record.currencies),
    sales.map(({ name, from, to, bundles, currencies }) => [name, from, to, bundles, sorted(currencies)]).sort(),
    modifiers.map(({ name, type, currencies }) => [name, type, sorted(currencies)]),
  ]
}

function options({ options: all }: ReleasePricing): unknown {
  return Object.entries(all ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, option]) => [id, pricing(option), isBundle(option) && options(option)])
}

const components = (unit: ReleasePricing): unknown => (isBundle(unit) ? [unit.components, options(unit)] : null)

/** The prices of one unit of a product in two releases, by currency. */
function pricesIn(releases: readonly Remembered[], productId: string): Map<string, number>[] {
  return releases.map(
    ({ products }) =>
      new Map(
        ((products.get(productId)?.now ?? []) as Any[]).map(({ amount }) => [
          amount.currency as string,
          amount.amount as number,
        ]),
      ),
  )
}

/** The prices of one unit that differ, as `CUR before after`, with `-` for none. */
export function differingPrices(before: Remembered, after: Remembered, productId: string): string[] {
  const amounts = pricesIn([before, after], productId)
  const currencies = [...new Set(amounts.flatMap((one) => [...one.keys()]))].sort()
  return currencies.flatMap((currency) => {
    const [old, now] = amounts.map((one) => one.get(currency) ?? '-')
    return old === now ? [] : [`${currency} ${old} ${now}`]
  })
}

/**
 * Products by the size of the change of their price in a currency, in money or as a part of the older price: each is
 * compared with each, in whole numbers. Ties are as they are given; those that lack a price in a release are last.
 */
export function bySizeOfChange(
  ids: readonly string[],
  before: Remembered,
  after: Remembered,
  order: SizeOrder,
): string[] {
  const priced = ids.flatMap((id) => {
    const [old, now] = pricesIn([before, after], id).map((one) => one.get(order.currency))
    if (old === undefined || now === undefined) return []
    const difference = BigInt(now > old ? now - old : old - now)
    if (!order.isRelative) return [{ id, size: difference, of: 1n }]
    // A change from 0 is by a part whose denominator is 0.
    return [{ id, size: difference, of: difference === 0n ? 1n : BigInt(old) }]
  })
  const isLess = (one: (typeof priced)[number], other: (typeof priced)[number]): boolean =>
    one.of === 0n || other.of === 0n ? one.of > other.of && other.of === 0n : one.size * other.of < other.size * one.of
  const sorted = priced.toSorted((one, other) => (isLess(one, other) ? -1 : isLess(other, one) ? 1 : 0) * order.sign)
  return [...sorted.map(({ id }) => id), ...ids.filter((id) => !priced.some((one) => one.id === id))]
}

const slugsOf = ({ slug, locales }: StoreNode) => [null, 'de', 'fr'].map((tag) => (tag && locales?.[tag]?.slug) ?? slug)

interface SizeOrder {
  readonly currency: string
  readonly isRelative: boolean
  readonly sign: 1 | -1
}

/** By id, the hierarchies and nodes that differ: `ADDED`, `REMOVED`, or the names of the fields that differ, sorted. */
export function differingNodes(before: Remembered, after: Remembered): Map<string, string> {
  const found = new Map<string, string>()
  for (const id of new Set([...before.nodes.keys(), ...after.nodes.keys()])) {
    const [old, now] = [before, after].map(({ nodes }) => nodes.get(id))
    if (!old || !now) found.set(id, old ? 'REMOVED' : 'ADDED')
    else {
      const curated = [before, after].map(
        ({ expected }) => expected.listings.get(id)?.slice(0, expected.curated.get(id) ?? 0) ?? [],
      )
      const differing = [
        ...(old.name === now.name ? [] : ['name']),
        ...(old.parent_id === now.parent_id ? [] : ['parent']),
        ...(isEqual(curated[0], curated[1]) ? [] : ['products']),
        ...(isEqual(old.seo_description, now.seo_description) ? [] : ['seoDescription']),
        ...(isEqual(slugsOf(old), slugsOf(now)) ? [] : ['slug']),
        ...(old.updated_at === now.updated_at ? [] : ['updatedAt']),
      ]
      if (differing.length > 0) found.set(id, differing.join())
    }
  }
  return found
}
