/**
 * What lists of Elastic Path's API say of each other: which product is whose child, which products a node has, and what
 * the lists of variations add to products. Memory holds ids of children and of the products of nodes.
 */
import { isObject, type JsonObject } from '../../lib/json-object.ts'
import type { Listed, Resource } from './elastic-path-lists.ts'

/** A child's parent, and its options in the order of the parent's variations. */
interface Child {
  readonly parent: string
  readonly optionIds: readonly string[]
}

interface Option {
  readonly id: unknown
  readonly name: unknown
  readonly description: unknown
  readonly sort_order: unknown
  readonly price_modifiers: readonly string[]
}

interface Variation {
  readonly id: unknown
  readonly name: unknown
  readonly sort_order: unknown
  readonly options: readonly Option[]
}

/** The index of one import. */
export class ElasticPathIndex {
  private readonly children = new Map<string, Child>()
  private readonly ofNode = new Map<string, Set<string>>()
  /** Orders of variations and options by id. */
  private readonly orders = new Map<unknown, unknown>()
  /** Names of price modifiers by option id. */
  private readonly modifiers = new Map<unknown, string[]>()
  /** Lists by key: resources that there should be, those that there are, and where. */
  private readonly lists = new Map<string, { total: number; found: number; at: string; line: number }>()

  /** Notes a page, or a resource. */
  add(listed: Listed): void {
    const { key, path, total } = listed.list
    const node = nodeOf(path)
    if (!('members' in listed)) {
      if (node !== undefined) this.ofNode.set(node, this.ofNode.get(node) ?? new Set())
      if (key !== '' && total !== undefined) {
        const known = this.lists.get(key) ?? { total, found: 0, at: listed.at, line: listed.line }
        this.lists.set(key, { ...known, total: Math.max(total, known.total) })
      }
      return
    }
    const list = this.lists.get(key)
    if (list) list.found++
    if (listed.type === 'product' && node !== undefined)
      this.ofNode.set(node, (this.ofNode.get(node) ?? new Set()).add(listed.id))
    if (listed.type === 'product') this.addFamily(listed)
    else if (listed.type === 'node') this.addProducts(listed)
    else this.addVariation(listed)
  }

  /** The lists of which pages are missing, with where they begin. */
  *incomplete(): Generator<{ readonly at: string; readonly line: number; readonly problem: string }> {
    for (const [key, { total, found, at, line }] of this.lists)
      if (found < total)
        yield { at, line, problem: `has ${found} of the ${total} objects of ${key}: further pages must be given too` }
  }

  /** The parent and options of a child, undefined of another product. */
  childOf(id: string, { relationships, meta }: JsonObject): Child | undefined {
    const base =
      isObject(relationships) && isObject(relationships.base_product) ? relationships.base_product.data : null
    const known = this.children.get(id)
    const parent = isObject(base) && typeof base.id === 'string' ? base.id : known?.parent
    if (parent === undefined) return undefined
    const own = isObject(meta) && Array.isArray(meta.child_variations) ? meta.child_variations : []
    const ownOptions = own.flatMap((variation) => idOf(isObject(variation) ? variation.option : undefined) ?? [])
    return { parent, optionIds: known?.optionIds ?? ownOptions }
  }

  /** The variations of a parent with what their own lists add; null for none. */
  variationsOf(given: unknown): Variation[] | null {
    if (!Array.isArray(given) || given.length === 0) return null
    return given.filter(isObject).map(({ id, name, sort_order = this.orders.get(id) ?? null, options }) => ({
      id,
      name,
      sort_order,
      options: (Array.isArray(options) ? options : []).filter(isObject).map((option) => ({
        id: option.id,
        name: option.name,
        description: option.description ?? null,
        sort_order: option.sort_order ?? this.orders.get(option.id) ?? null,
        price_modifiers: this.modifiers.get(option.id) ?? [],
      })),
    }))
  }

  /** The ids of a node's products; undefined where no list tells them. */
  productsOf(node: string): string[] | undefined {
    const found = this.ofNode.get(node)
    return found && [...found]
  }

  /** The id of a node's parent, itself a node or a hierarchy; undefined where nothing tells it. */
  parentOf({ members, list }: Resource): string | undefined {
    const { relationships } = members
    const { parent, children, products } = (isObject(relationships) ? relationships : {}) as JsonObject
    const own = idOf(isObject(parent) ? parent.data : undefined)
    const [, ofPath] = /(?:nodes|hierarchies)\/([^/]+)\/children$/.exec(list.path) ?? []
    const [, hierarchy] = /^hierarchies\/([^/]+)\/nodes$/.exec(list.path) ?? []
    return own ?? ofPath ?? hierarchy ?? hierarchyOf(children) ?? hierarchyOf(products)
  }

  private addFamily({ id, members: { meta } }: Resource): void {
    const walk = (matrix: unknown, optionIds: readonly string[]): void => {
      if (typeof matrix === 'string') this.children.set(matrix, { parent: id, optionIds })
      else if (isObject(matrix)) for (const [option, rest] of Object.entries(matrix)) walk(rest, [...optionIds, option])
    }
    if (isObject(meta)) walk(meta.variation_matrix, [])
  }

  private addProducts({ id, members: { relationships } }: Resource): void {
    const products = isObject(relationships) && isObject(relationships.products) ? relationships.products.data : null
    if (!Array.isArray(products) || products.length === 0) return
    const known = this.ofNode.get(id) ?? new Set()
    this.ofNode.set(id, new Set([...known, ...products.flatMap((product) => idOf(product) ?? [])]))
  }

  private addVariation({ type, id, members: { attributes, meta }, list }: Resource): void {
    if (!isObject(attributes)) return
    if (type === 'product-variation' || type === 'product-variation-option')
      this.orders.set(id, attributes.sort_order ?? null)
    if (type === 'product-variation' && isObject(meta) && Array.isArray(meta.options))
      for (const option of meta.options.filter(isObject)) this.orders.set(option.id, option.sort_order ?? null)
    const [, option] = /^variations\/[^/]+\/options\/([^/]+)\/modifiers$/.exec(list.path) ?? []
    if (isPriceModifier(type, attributes) && option !== undefined)
      this.modifiers.set(option, [...(this.modifiers.get(option) ?? []), String(attributes.reference_name)])
  }
}

/** Whether a resource says which price modifier an option has. */
export function isPriceModifier(type: string, attributes: unknown): boolean {
  return type === 'product-variation-modifier' && isObject(attributes) && attributes.type === 'price'
}

function nodeOf(path: string): string | undefined {
  return /(?:^|\/)nodes\/([^/]+)\/products$/.exec(path)?.[1]
}

function hierarchyOf(relationship: unknown): string | undefined {
  const links = isObject(relationship) && isObject(relationship.links) ? Object.values(relationship.links) : []
  return links.flatMap((link) => /\/hierarchies\/([^/]+)\/nodes\//.exec(String(link))?.[1] ?? [])[0]
}

function idOf(given: unknown): string | undefined {
  return isObject(given) && typeof given.id === 'string' ? given.id : undefined
}
