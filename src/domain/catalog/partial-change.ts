/** Partial changes: what a publish of a few products and nodes alone changes (release.published-in-part). */
import type { LatestChange } from './carry.ts'
import { Release, type ReleaseNode } from './release.ts'

/** The records that are published. Ids are raw; hierarchies count as nodes. */
export interface PublishedPart {
  readonly products: readonly string[]
  readonly nodes: readonly string[]
}

/** Of a change between two releases that of `part` alone: all else is as in the former one. */
export function partOfChange({ former, latest, changed }: LatestChange, part: PublishedPart): LatestChange {
  const [products, chosen] = [new Set(part.products), new Set(part.nodes)]
  const nodes: ReleaseNode[] = []
  for (const node of former.nodes.values()) {
    const own = chosen.has(node.id) ? latest.nodes.get(node.id) : node
    if (own) nodes.push(own)
  }
  for (const node of latest.nodes.values()) if (chosen.has(node.id) && !former.nodes.has(node.id)) nodes.push(node)
  const orders = nodes.map(({ id }) => [id, (chosen.has(id) ? latest : former).productOrder(id)] as const)
  const known = new Set(nodes.map(({ id }) => id))
  return {
    former,
    latest: new Release(
      latest.id,
      latest.catalogId,
      latest.sequence,
      latest.publishedAt,
      former.catalog,
      [...new Set([...former.hierarchyIds, ...latest.hierarchyIds])].filter((id) => known.has(id)),
      nodes,
      new Map([...orders, [latest.id, latest.allProducts]]),
      latest.status,
      latest.startedAt,
      former.labels,
    ),
    changed: changed.filter(({ productId }) => products.has(productId)),
  }
}
