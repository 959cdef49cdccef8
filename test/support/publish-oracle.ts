/**
 * Publish oracle: the expected content of a release, computed naively from the store's data, product by product.
 * Publishing does the same with sets; they share no code.
 */
import type { ReleaseProduct } from '../../src/domain/catalog/released-product.ts'
import type { ReleasePricing } from '../../src/domain/pricing/price-record.ts'
import { sortOrders } from './sort-orders.ts'
import type { Store, StoreCatalog, StoreNode, StorePrice, StoreProduct } from './store.ts'

interface ExpectedBody {
  readonly product: ReleaseProduct
  readonly price: ReleasePricing
}

/** The expected content. */
export interface ExpectedRelease {
  /** Last updated first. */
  readonly nodeIds: string[]
  /** Product ids by scope: `all`, a hierarchy, a node that has products. */
  readonly listings: Map<string, string[]>
  readonly curated: Map<string, number>
  readonly bodies: Map<string, ExpectedBody>
  /** Product ids by `field value`. */
  readonly facets: Map<string, Set<string>>
}

/** Computes the expected release of a catalog. */
export function expectedRelease(store: Store, catalog: StoreCatalog): ExpectedRelease {
  const nodes = store.nodes.filter((node) => catalog.hierarchy_ids.includes(node.hierarchy_id))
  const held = new Map<StoreProduct, StoreNode[]>()
  for (const product of store.products) {
    if (product.status !== 'live') continue
    const own = attachedNodes(store, nodes, product.id)
    const found = own.length > 0 || product.parent_id == null ? own : attachedNodes(store, nodes, product.parent_id)
    if (found.length > 0) held.set(product, found)
  }
  const byUpdate = [...held.keys()].sort((a, b) => b.updated_at - a.updated_at || (a.id < b.id ? -1 : 1))
  const listings = new Map([['all', byUpdate.map(({ id }) => id)]])
  const curated = new Map<string, number>()
  for (const hierarchy of catalog.hierarchy_ids) {
    const found = byUpdate.filter((product) => held.get(product)?.some((node) => node.hierarchy_id === hierarchy))
    if (found.length > 0)
      listings.set(
        hierarchy,
        found.map(({ id }) => id),
      )
  }
  for (const node of nodes) {
    const here = byUpdate.filter((product) => held.get(product)?.includes(node)).map(({ id }) => id)
    if (here.length === 0) continue
    const first = [...new Set(node.curated_product_ids ?? [])].filter((id) => here.includes(id))
    listings.set(node.id, [...first, ...here.filter((id) => !first.includes(id))])
    curated.set(node.id, first.length)
  }
  const facets = new Map<string, Set<string>>()
  const add = (key: string, id: string) => facets.set(key, (facets.get(key) ?? new Set()).add(id))
  for (const product of held.keys()) {
    for (const tag of product.tags ?? []) add(`tags ${tag}`, product.id)
    for (const type of typesOf(store, product)) add(`product_types ${type}`, product.id)
    for (const id of optionIds(product)) add(`options ${id}`, product.id)
    const parent = store.products.find(({ id }) => id === product.parent_id)
    for (const { name, options } of parent?.variations ?? []) {
      for (const option of options.filter(({ id }) => product.option_ids?.includes(id))) {
        add(`["variation", ${JSON.stringify(name)}] ${option.name}`, product.id)
      }
    }
    for (const [template, fields] of Object.entries(product.extensions ?? {})) {
      for (const [field, value] of Object.entries(fields)) {
        const isShort = ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= 100
        if (isShort) add(`["extension", ${JSON.stringify(template)}, ${JSON.stringify(field)}] ${value}`, product.id)
      }
    }
    if (parent && held.has(parent)) for (const { id } of [product, parent]) add('families ', id)
  }
  for (const key of childlessOptions(store, [...held.keys()])) facets.set(key, new Set())
  const parents = [...held.keys()].filter((product) => typesOf(store, product).includes('parent'))
  for (const key of sortOrders(parents)) facets.set(`sort_orders ${key}`, new Set())
  return {
    nodeIds: nodes
      .toSorted((a, b) => b.updated_at - a.updated_at || store.nodes.indexOf(b) - store.nodes.indexOf(a))
      .map(({ id }) => id),
    listings,
    curated,
    bodies: new Map(
      [...held].map(([product, at]) => [
        product.id,
        bodyOf(
          store,
          catalog,
          product,
          at.map(({ id }) => id),
        ),
      ]),
    ),
    facets,
  }
}

/** Each option that no child of the release has, of the parents in it and of those of its children. */
function childlessOptions(store: Store, products: readonly StoreProduct[]): string[] {
  const isOf = (parent: StoreProduct) => (one: StoreProduct) => one === parent || one.parent_id === parent.id
  const taken = products.filter(({ parent_id }) => parent_id != null).flatMap(({ option_ids }) => option_ids ?? [])
  return store.products
    .filter((parent) => products.some(isOf(parent)))
    .flatMap(({ variations }) => variations ?? [])
    .flatMap((variation) =>
      variation.options
        .filter(({ id }) => !taken.includes(id))
        .map(({ id, name }) => `childless ${id} ${JSON.stringify([variation.name, name]).replace(',', ', ')}`),
    )
}

/** Latest attachment first. */
function attachedNodes(store: Store, nodes: readonly StoreNode[], productId: string): StoreNode[] {
  return store.attachments
    .filter((attachment) => attachment.product_id === productId)
    .reverse()
    .flatMap(({ node_id }) => nodes.filter((node) => node.id === node_id && node.parent_id !== null))
}

function childrenOf(store: Store, product: StoreProduct): StoreProduct[] {
  return store.products
    .filter(({ parent_id }) => parent_id === product.id)
    .sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
}

function typesOf(store: Store, product: StoreProduct): string[] {
  const types = [
    ...(childrenOf(store, product).length > 0 ? ['parent'] : []),
    ...(product.parent_id != null ? ['child'] : []),
    ...(Object.keys(product.components ?? {}).length > 0 ? ['bundle'] : []),
  ]
  return types.length > 0 ? types : ['standard']
}

function optionIds(product: StoreProduct): string[] {
  return Object.values(product.components ?? {}).flatMap(({ options }) => options.map(({ id }) => id))
}

function bodyOf(store: Store, catalog: StoreCatalog, product: StoreProduct, nodeIds: string[]): ExpectedBody {
  const children = childrenOf(store, product)
  const { status: _, ...given } = product
  const body = {
    description: null,
    sku: null,
    commodity_type: null,
    upc_ean: null,
    manufacturer_part_num: null,
    tags: [],
    external_ref: null,
    components: null,
    custom_inputs: null,
    extensions: null,
    locales: null,
    variations: null,
    build_rules: null,
    parent_id: null,
    option_ids: [],
    files: null,
    main_image_id: null,
    seo_title: null,
    seo_description: null,
    ...(given as object),
    children:
      children.length === 0 ? null : children.map(({ id, option_ids }) => ({ id, option_ids: option_ids ?? [] })),
    node_ids: nodeIds,
  } as unknown as ReleaseProduct
  return { product: body, price: unitOf(store, catalog, product, 2) }
}

/** `depth` is the number of levels of options. */
function unitOf(store: Store, catalog: StoreCatalog, product: StoreProduct, depth: number): ReleasePricing {
  const own = rowOf(store, catalog, product.sku)
  const parent = store.products.find(({ id }) => id === product.parent_id)
  const base = own === undefined && parent !== undefined ? rowOf(store, catalog, parent.sku) : undefined
  const names = (product.option_ids ?? []).flatMap((optionId) =>
    (parent?.variations ?? []).flatMap(({ options }) =>
      options.filter(({ id }) => id === optionId).flatMap(({ price_modifiers }) => price_modifiers ?? []),
    ),
  )
  const modifiers = store.modifiers.filter(
    (one) => one.price_book_id === base?.price_book_id && names.includes(one.name),
  )
  const options = optionIds(product).flatMap((id) =>
    store.products.filter((one) => one.id === id && one.status === 'live'),
  )
  const unit = {
    id: product.id,
    own: frozenRow(own),
    base: frozenRow(base),
    modifier_names: names,
    modifiers: modifiers.map(({ name, modifier_type, currencies }) => ({ name, type: modifier_type, currencies })),
    components: product.components ?? null,
    options:
      depth === 0
        ? {}
        : Object.fromEntries(options.map((option) => [option.id, unitOf(store, catalog, option, depth - 1)])),
  }
  return unit as unknown as ReleasePricing
}

function rowOf(store: Store, catalog: StoreCatalog, sku: string | null | undefined): StorePrice | undefined {
  return rowsOf(store, catalog, sku)[0]
}

/** The price of a SKU in each book of the catalog, the highest first. */
function rowsOf(store: Store, catalog: StoreCatalog, sku: string | null | undefined): StorePrice[] {
  return catalog.books
    .toSorted((a, b) => b.priority - a.priority)
    .flatMap((book) => store.prices.filter((price) => price.price_book_id === book.id && price.sku === sku))
}

/** What a publish warns of hidden currencies: `book currency` with the ids of products, in the order of the listing. */
export function hiddenCurrencies(store: Store, catalog: StoreCatalog): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const id of expectedRelease(store, catalog).listings.get('all') ?? []) {
    const product = store.products.find((one) => one.id === id)
    const parent = store.products.find((one) => one.id === product?.parent_id)
    const own = rowsOf(store, catalog, product?.sku)
    const [first, ...lower] = own.length > 0 ? own : rowsOf(store, catalog, parent?.sku)
    for (const currency of ['EUR', 'GBP', 'USD']) {
      const isPriced = (price?: StorePrice): boolean => (price?.currencies[currency]?.amount ?? null) !== null
      if (!first || isPriced(first) || !lower.some(isPriced)) continue
      const key = `${first.price_book_id} ${currency}`
      found[key] = [...(found[key] ?? []), id]
    }
  }
  return found
}

function frozenRow(price: StorePrice | undefined) {
  if (price === undefined) return null
  const { id, price_book_id, currencies, sales, shopper_attributes } = price
  return { id, book: price_book_id, currencies, sales, shopper_attributes: shopper_attributes ?? null }
}
