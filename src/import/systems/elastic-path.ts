/**
 * Elastic Path's lists as objects of the import, each behind what it names: price books, modifiers, prices, products,
 * their children, hierarchies, nodes, catalogs, rules (import.systems-in-any-order).
 *
 * The lists are read two or three times. Memory holds ids of products, and all of books, nodes, catalogs and rules.
 */
import { isObject } from '../../lib/json-object.ts'
import type { ParsedObject } from '../parsed-object.ts'
import { unreadable } from './converted.ts'
import { ElasticPathIndex, isPriceModifier } from './elastic-path-index.ts'
import type { Listed, Lists, Resource } from './elastic-path-lists.ts'
import { isMapped, objectOf } from './elastic-path-objects.ts'
import type { LeftOut } from './left-out.ts'

/** Types of which there are so many that they are read again instead of being kept. */
const readAgain: ReadonlySet<string> = new Set(['product', 'product-price'])
/** Types that add to products and are no objects of their own. */
const added: ReadonlySet<string> = new Set(['product-variation', 'product-variation-option'])

/** The objects of the lists; what can't be read comes first, before anything is written. */
export async function* elasticPathObjects(
  lists: Lists,
  leftOut: LeftOut,
  onRead: (bytes: number) => void,
): AsyncGenerator<ParsedObject> {
  const index = new ElasticPathIndex()
  /** Resources by type and id. */
  const kept = new Map<string, Map<string, Resource>>()
  const problems: ParsedObject[] = []
  for await (const found of lists.read(onRead)) {
    if (!('list' in found)) {
      problems.push(found)
      continue
    }
    index.add(found)
    if (!('members' in found) || readAgain.has(found.type)) continue
    const { type, id, members } = found
    if (!isMapped(type)) {
      if (!added.has(type) && !isPriceModifier(type, members.attributes)) leftOut.add(type)
      continue
    }
    const ofType = kept.get(type) ?? new Map<string, Resource>()
    kept.set(type, ofType)
    const before = ofType.get(id)
    // A node's list may say more of it than the list of all nodes.
    if (before === undefined || index.parentOf(before) === undefined) ofType.set(id, found)
  }
  yield* problems
  for (const { problem, ...place } of index.incomplete()) yield unreadable(place, problem)

  const converting = { index, leftOut }
  const objectsOf = function* (resources: Iterable<Resource>): Generator<ParsedObject> {
    for (const resource of resources) {
      const object = isMapped(resource.type) ? objectOf(resource, resource.type, converting) : undefined
      if (object) yield object
    }
  }
  const all = (type: string): Iterable<Resource> => kept.get(type)?.values() ?? []
  yield* objectsOf(all('pricebook'))
  yield* objectsOf(all('price-modifier'))
  const seen = new Set<string>()
  let hasChildren = false
  for await (const resource of again(lists)) {
    if (resource.type === 'product' && index.childOf(resource.id, resource.members)) hasChildren = true
    else if (isFirst(resource, seen)) yield* objectsOf([resource])
  }
  if (hasChildren)
    for await (const resource of again(lists))
      if (resource.type === 'product' && isFirst(resource, seen)) yield* objectsOf([resource])
  yield* objectsOf(all('hierarchy'))
  yield* objectsOf(parentsFirst([...all('node')], index))
  yield* objectsOf(all('catalog'))
  yield* objectsOf(all('catalog_rule'))
}

/** The products and prices; a product of which there is only the id, in a node's list, is none. */
async function* again(lists: Lists): AsyncGenerator<Resource> {
  for await (const found of lists.read(() => {}))
    if (isResource(found) && readAgain.has(found.type) && isObject(found.members.attributes)) yield found
}

function isResource(found: Listed | ParsedObject): found is Resource {
  return 'members' in found
}

/** Whether a product has not come before, as it does where it stands in lists of nodes as well. */
function isFirst({ type, id }: Resource, seen: Set<string>): boolean {
  if (type !== 'product') return true
  const isNew = !seen.has(id)
  seen.add(id)
  return isNew
}

/** Nodes in an order in which each comes behind its parent. */
function parentsFirst(nodes: readonly Resource[], index: ElasticPathIndex): Resource[] {
  const waiting = new Map(nodes.map((node) => [node.id, node]))
  const ordered: Resource[] = []
  for (const node of nodes) {
    const chain: Resource[] = []
    for (let next: Resource | undefined = node; next && waiting.has(next.id); ) {
      waiting.delete(next.id)
      chain.push(next)
      next = waiting.get(index.parentOf(next) ?? '')
    }
    ordered.push(...chain.reverse())
  }
  return ordered
}
