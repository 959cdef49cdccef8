/**
 * Carry oracle: what a publish carries into a scheduled release, found by merging the contents of three releases
 * naively. It shares no code with the merge.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ReleaseProduct } from '../../src/domain/catalog/released-product.ts'
import type { ReleasePricing } from '../../src/domain/pricing/price-record.ts'
import type { Content, Product } from './carry-content.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of every shape
type Any = any

/** The merged content, and what stays as scheduled: `id field key`, with null for no key. */
export function merge(former: Content, latest: Content, scheduled: Content) {
  const conflicts: string[] = []
  const at = (id: string) => (field: string, key: string | null) => void conflicts.push(`${id} ${field} ${key}`)
  const nodes = mergeNodes(former, latest, scheduled, at)
  const products = new Map<string, Product>()
  for (const id of new Set([...latest.products.keys(), ...scheduled.products.keys()])) {
    const [f, l, s] = [former, latest, scheduled].map((content) => content.products.get(id))
    const conflict = at(id)
    let merged: Product | undefined
    if (isDeepStrictEqual(f, l)) {
      merged = s
      for (const node of s?.product.node_ids ?? []) if (!nodes.has(node)) conflict('nodes', node)
    } else if (isDeepStrictEqual(f, s)) merged = l
    else if (!l || !s) conflict('product', null)
    else {
      merged = mergeProduct(f, l, s, conflict)
      for (const node of s.product.node_ids)
        if (!nodes.has(node) && !f?.product.node_ids.includes(node)) conflict('nodes', node)
    }
    if (!merged) continue
    const node_ids = merged.product.node_ids.filter((node) => nodes.has(node))
    if (node_ids.length > 0) products.set(id, { ...merged, product: { ...merged.product, node_ids } })
    else if (!isDeepStrictEqual(f, l)) conflict('nodes', null)
  }
  const curated = new Map<string, readonly string[]>()
  for (const id of nodes.keys()) {
    const here = (content: Content) =>
      new Set([...content.products].filter(([, { product }]) => product.node_ids.includes(id)).map(([one]) => one))
    const gone = new Set([...here(former)].filter((one) => !here(latest).has(one)))
    const [f, l, s] = [former, latest, scheduled].map((content) =>
      (content.curated.get(id) ?? []).filter((one) => !gone.has(one)),
    ) as [string[], string[], string[]]
    const wanted = latest.nodes.has(id) ? whole(f, l, s, () => at(id)('products', null)) : s
    const kept = wanted.filter((one) => products.get(one)?.product.node_ids.includes(id))
    curated.set(id, kept)
  }
  const roots = members(former.hierarchyIds, latest.hierarchyIds, scheduled.hierarchyIds)
  const hierarchyIds = [...new Set([...roots, ...scheduled.hierarchyIds])].filter((id) => nodes.has(id))
  return { content: { products, nodes, hierarchyIds, curated } satisfies Content, conflicts: conflicts.sort() }
}

type Conflict = (field: string, key: string | null) => void

function whole<T>(f: T, l: T, s: T, conflict: () => void): T {
  if (isDeepStrictEqual(f, l) || isDeepStrictEqual(l, s)) return s
  if (isDeepStrictEqual(f, s)) return l
  conflict()
  return s
}

function members(f: readonly string[], l: readonly string[], s: readonly string[]): string[] {
  if (isDeepStrictEqual(f, s)) return [...l]
  const added = l.filter((one) => !f.includes(one) && !s.includes(one))
  return [...added, ...s.filter((one) => l.includes(one) || !f.includes(one))]
}

const later = (f: Any, l: Any, s: Any): Any => (f === l ? s : f === s ? l : Math.max(l, s))

function mergeProduct(f: Product | undefined, l: Product, s: Product, conflict: Conflict): Product {
  const fields: Record<string, Any> = { ...s.product }
  const of = (name: string) => [f?.product, l.product, s.product].map((one) => (one as Any)?.[name]) as [Any, Any, Any]
  const names: Record<string, string> = {
    sku: 'sku',
    slug: 'slug',
    tags: 'tags',
    parent_id: 'parentKey',
    option_ids: 'selectedOptions',
  }
  for (const [name, field] of Object.entries(names)) fields[name] = whole(...of(name), () => conflict(field, null))
  Object.assign(fields, texts(of, conflict))
  fields.extensions = deep(...of('extensions'), 2, (key) => conflict('extensions', key))
  fields.variations = deep(...of('variations'), 9, (key) => conflict('variations', key))
  fields.components = deep(...of('components'), 9, (key) => conflict('components', key))
  fields.children = deep(...of('children'), 9, (key) => conflict('childKeys', key))
  fields.node_ids = members(f?.product.node_ids ?? [], l.product.node_ids, s.product.node_ids)
  fields.updated_at = later(...of('updated_at'))
  const price = mergePrice(f?.price, l.price, s.price, fields.components, conflict)
  const options = Object.fromEntries(
    [...new Set([...Object.keys(s.options), ...Object.keys(l.options)])].flatMap((id) => {
      if (!fields.option_ids.includes(id)) return []
      const one = (content: Product | undefined) => content?.options[id]
      const [a, b, c] = [one(f), one(l), one(s)]
      if (isDeepStrictEqual(a, b) || isDeepStrictEqual(b, c)) return c ? [[id, c]] : []
      if (isDeepStrictEqual(a, c)) return b ? [[id, b]] : []
      if (!b || !c) {
        conflict('selectedOptions', id)
        return c ? [[id, c]] : []
      }
      const part = (name: 'variation' | 'name'): Any =>
        whole(a?.[name], b[name], c[name], () => conflict('selectedOptions', `${id}.${name}`))
      return [[id, { variation: part('variation'), name: part('name') }]]
    }),
  )
  return { product: fields as ReleaseProduct, price, options }
}

function texts(of: (name: string) => [Any, Any, Any], conflict: Conflict) {
  const [f, l, s] = of('locales')
  const locales: Record<string, Record<string, string>> = {}
  const merged: Record<string, Any> = {}
  for (const name of ['name', 'description', 'slug', 'seo_title', 'seo_description']) {
    const field = name.replace(/_./, (start) => start.slice(1).toUpperCase())
    if (name !== 'slug') merged[name] = whole(...of(name), () => conflict(field, null))
    for (const tag of new Set([...Object.keys(l ?? {}), ...Object.keys(s ?? {})])) {
      const text = whole(f?.[tag]?.[name], l?.[tag]?.[name], s?.[tag]?.[name], () => conflict(field, tag))
      if (text !== undefined) locales[tag] = { ...locales[tag], [name]: text }
    }
  }
  return { ...merged, locales: Object.keys(locales).length > 0 ? locales : null }
}

/** JSON by members, and lists of records by id. */
function deep(f: Any, l: Any, s: Any, levels: number, conflict: (key: string | null) => void, path = ''): Any {
  if (isDeepStrictEqual(f, l) || isDeepStrictEqual(l, s)) return s
  if (isDeepStrictEqual(f, s)) return l
  const isTop = path === ''
  const kinds = [f, l, s].filter((one) => one != null).map((one) => kindOf(one))
  const isMissing = l == null || s == null
  const kind = kinds[0]
  if (levels === 0 || kind === null || kinds.some((one) => one !== kind) || (isMissing && !isTop)) {
    conflict(isTop ? null : path)
    return s
  }
  const record = (one: Any) =>
    kind === 'list' ? Object.fromEntries((one ?? []).map((entry: Any) => [entry.id, entry])) : (one ?? {})
  const [a, b, c] = [record(f), record(l), record(s)]
  const order = isDeepStrictEqual(Object.keys(a), Object.keys(c))
    ? [...new Set([...Object.keys(b), ...Object.keys(c)])]
    : [...new Set([...Object.keys(c), ...Object.keys(b)])]
  const entries = order.flatMap((key) => {
    const value = deep(a[key], b[key], c[key], levels - 1, conflict, isTop ? key : `${path}.${key}`)
    return value === undefined ? [] : [[key, value] as const]
  })
  if (entries.length === 0 && isMissing) return null
  return kind === 'list' ? entries.map(([, value]) => value) : Object.fromEntries(entries)
}

function kindOf(value: Any): 'list' | 'record' | null {
  if (Array.isArray(value)) return value.every((entry) => typeof entry?.id === 'string') ? 'list' : null
  return typeof value === 'object' ? 'record' : null
}

const partsOf = (price: ReleasePricing | undefined): Any =>
  price && {
    own: price.own,
    base: price.base,
    modifier_names: price.modifier_names ?? [],
    modifiers: price.modifiers ?? [],
  }

function mergePrice(f: Any, l: Any, s: Any, components: Any, conflict: Conflict): ReleasePricing {
  const parts = mergeParts(partsOf(f), partsOf(l), partsOf(s), conflict)
  if (components == null) return { id: s.id, ...parts }
  const ids = (from: Any): string[] =>
    Object.values<Any>(from ?? {}).flatMap((one) => one.options.map(({ id }: Any) => id))
  const options: Record<string, ReleasePricing> = {}
  for (const id of ids(components)) {
    const [a, b, c] = [f?.options?.[id], l.options?.[id], s.options?.[id]]
    if (a && !b && ids(l.components).includes(id)) {
      if (c && !isDeepStrictEqual(a, c) && !options[id]) conflict('components', id)
    } else if (!c) {
      if (!a && b) options[id] = b
    } else if (!b) options[id] = c
    else if (!options[id]) {
      const inner = deep(a?.components, b.components, c.components, 9, (key) => conflict('components', key))
      options[id] = mergePrice(a, b, c, inner, conflict)
    }
  }
  return { id: s.id, ...parts, components, options }
}

function mergeParts(f: Any, l: Any, s: Any, conflict: Conflict): Any {
  if (isDeepStrictEqual(f, l) || isDeepStrictEqual(l, s)) return s
  if (isDeepStrictEqual(f, s)) return l
  const kept = () => {
    conflict('prices', null)
    return s
  }
  const kind = f?.own && l.own && s.own ? 'own' : f?.base && l.base && s.base ? 'base' : null
  if (!kind || new Set([f, l, s].map((one) => one[kind].id)).size > 1) return kept()
  const [a, b, c] = [f[kind], l[kind], s[kind]]
  const told: [string, string | null][] = []
  const byKey = (field: string, x: Any, y: Any, z: Any): Any =>
    Object.fromEntries(
      [...new Set([...Object.keys(z), ...Object.keys(y)])].sort().flatMap((key) => {
        const value = whole(x[key], y[key], z[key], () => told.push([field, key]))
        return value === undefined ? [] : [[key, value]]
      }),
    )
  const named = (list: readonly Any[]) => Object.fromEntries(list.map((one) => [one.name, one]))
  const sales: Any[] = Object.values(byKey('sales', named(a.sales), named(b.sales), named(c.sales)))
  const periods = sales.map(({ from, to }) => `${from} ${to}`)
  const breaksRule = new Set(periods).size < periods.length || (sales.length > 1 && periods.includes('null null'))
  if (breaksRule) return kept()
  const attributes = deep(a.shopper_attributes, b.shopper_attributes, c.shopper_attributes, 9, (key) =>
    told.push(['shopperAttributes', key]),
  )
  const record = {
    ...c,
    currencies: byKey('prices', a.currencies, b.currencies, c.currencies),
    sales,
    shopper_attributes: attributes,
  }
  const merged = {
    ...s,
    [kind]: record,
    modifier_names: whole(f.modifier_names, l.modifier_names, s.modifier_names, () =>
      told.push(['priceModifierNames', null]),
    ),
    modifiers: Object.values(byKey('priceModifiers', named(f.modifiers), named(l.modifiers), named(s.modifiers))),
  }
  for (const one of told) conflict(...one)
  return merged
}

const slugs = (node: Any): string[] => [
  node?.slug,
  ...Object.values<Any>(node?.locales ?? {}).flatMap(({ slug }) => slug ?? []),
]

function mergeNodes(former: Content, latest: Content, scheduled: Content, at: (id: string) => Conflict) {
  const nodes = new Map<string, Any>()
  const told = new Map<string, [string, string | null][]>()
  for (const id of new Set([...latest.nodes.keys(), ...scheduled.nodes.keys()])) {
    const [f, l, s] = [former, latest, scheduled].map((content) => content.nodes.get(id))
    const list: [string, string | null][] = []
    const conflict: Conflict = (field, key) => void list.push([field, key])
    if (l && s) {
      const of = (name: string): [Any, Any, Any] => [f?.[name], l[name], s[name]]
      const field = (name: string, called: string) => whole(...of(name), () => conflict(called, null))
      nodes.set(id, {
        ...s,
        ...texts(of, conflict),
        slug: field('slug', 'slug'),
        label: field('label', 'label'),
        sort_order: field('sort_order', 'sortOrder'),
        parent_id: field('parent_id', 'parent'),
        updated_at: later(...of('updated_at')),
      })
    } else if (!f) nodes.set(id, l ?? s)
    else if (s && !isDeepStrictEqual(f, s)) conflict('node', null)
    told.set(id, list)
  }
  // Everything that breaks the tree goes back to its place of the schedule, until the tree holds.
  for (let again = true; again; ) {
    again = false
    const broken = new Set<string>()
    const own = (id: string) => scheduled.nodes.get(id)
    for (const [id, node] of nodes) {
      if (node.parent_id !== null && !nodes.has(node.parent_id))
        broken.add(own(id) && own(node.parent_id) ? node.parent_id : id)
      const seen = new Set<string>()
      for (let up = node.parent_id; up && !seen.has(up); up = nodes.get(up)?.parent_id) {
        seen.add(up)
        if (up === id && node.parent_id !== own(id)?.parent_id) broken.add(id)
      }
      for (const [other, sibling] of nodes)
        for (const names of [(one: Any) => [one?.name], slugs])
          if (
            id !== other &&
            node.parent_id !== null &&
            node.parent_id === sibling.parent_id &&
            names(node).some(
              (name) =>
                names(sibling).includes(name) &&
                (own(id)?.parent_id !== node.parent_id || !names(own(id)).includes(name)),
            )
          )
            broken.add(id)
    }
    for (const id of broken) {
      again = true
      const [now, mine] = [nodes.get(id), own(id)]
      if (!mine) nodes.delete(id)
      else if (!now) nodes.set(id, mine)
      else {
        const locales: Any = {}
        for (const tag of new Set([...Object.keys(now.locales ?? {}), ...Object.keys(mine.locales ?? {})])) {
          const texts = { ...now.locales?.[tag], slug: mine.locales?.[tag]?.slug }
          if (texts.slug === undefined) delete texts.slug
          if (Object.keys(texts).length > 0) locales[tag] = texts
        }
        const place = { parent_id: mine.parent_id, name: mine.name, slug: mine.slug }
        nodes.set(id, { ...now, ...place, locales: Object.keys(locales).length > 0 ? locales : null })
      }
      told.set(id, [['parent', null]])
    }
  }
  for (const [id, list] of told) for (const one of list) at(id)(...one)
  for (const node of nodes.values()) {
    let root = node
    while (root.parent_id !== null) root = nodes.get(root.parent_id)
    nodes.set(node.id, { ...node, hierarchy_id: root.id })
  }
  return nodes
}
