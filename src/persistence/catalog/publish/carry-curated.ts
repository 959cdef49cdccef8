/** Curated products of a carried release: lists that a publish changed, merged into those of a scheduled release. */
import type { CarriedProduct, CarryConflict, ChangedProduct, LatestChange } from '../../../domain/catalog/carry.ts'
import type { MergedTree } from '../../../domain/catalog/carry-tree.ts'
import type { Release } from '../../../domain/catalog/release.ts'
import { ThreeWayMerge } from '../../../domain/catalog/three-way-merge.ts'
import type { Queryable } from '../../database/query.ts'
import { numbersOf, productsOf } from './carry-documents.ts'

/** The curated documents of the nodes that curate others now. */
interface MergedCurated {
  readonly documents: ReadonlyMap<string, readonly number[]>
  readonly conflicts: readonly CarryConflict[]
  /** The nodes at which the publish curates what the schedule does. */
  readonly shownEarly: readonly string[]
}

/** Merges the curated lists. No statement when the publish curates nothing anew, else two. */
export async function mergeCurated(
  on: Queryable,
  change: LatestChange,
  scheduled: Release,
  tree: MergedTree,
  products: readonly CarriedProduct[],
): Promise<MergedCurated> {
  const changedBy = new Map(change.changed.map((one) => [one.former, one]))
  const others = [...change.latest.nodes.keys()].filter((id) => tree.nodes.has(id) && isCurated(change, changedBy, id))
  if (others.length === 0) return { documents: new Map(), conflicts: [], shownEarly: [] }
  const lists = others.map((id) => ({
    id,
    former: curatedIn(change.former, id),
    latest: curatedIn(change.latest, id),
    scheduled: curatedIn(scheduled, id),
  }))
  const named = await productsOf(on, [
    ...new Set(lists.flatMap((list) => [...list.former, ...list.latest, ...list.scheduled])),
  ])
  const conflicts: CarryConflict[] = []
  const shownEarly: string[] = []
  const merged = new Map<string, readonly string[]>()
  for (const { id, ...list } of lists) {
    const gone = new Set(goneFrom(change, changedBy, id).map(({ productId }) => productId))
    const idsOf = (numbers: readonly number[]) =>
      numbers.map((number) => named.get(number) as string).filter((productId) => !gone.has(productId))
    const own = idsOf(list.scheduled)
    const merge = new ThreeWayMerge()
    const value = merge.value('products', { former: idsOf(list.former), latest: idsOf(list.latest), scheduled: own })
    conflicts.push(...merge.conflicts.map((conflict) => ({ nodeId: id, ...conflict })))
    if (merge.showsEarly) shownEarly.push(id)
    if (value !== own) merged.set(id, value)
  }
  const numbers = await numbersOf(on, [...new Set([...merged.values()].flat())], scheduled.allProducts)
  for (const { productId, after } of products) {
    if (after) numbers.set(productId, after.number)
    else numbers.delete(productId)
  }
  const documents = [...merged].map(
    ([id, ids]) => [id, ids.flatMap((productId) => numbers.get(productId) ?? [])] as const,
  )
  return { documents: new Map(documents), conflicts, shownEarly }
}

function curatedIn(release: Release, nodeId: string): readonly number[] {
  const { documents, curated } = release.productOrder(nodeId)
  return [...documents.subarray(0, curated)]
}

/** Changed products by the numbers of their former documents. */
type ChangedBy = ReadonlyMap<number, ChangedProduct>

/** The products that the publish took off the node. */
function goneFrom({ former, latest }: LatestChange, changedBy: ChangedBy, nodeId: string): ChangedProduct[] {
  const here = new Set(latest.productOrder(nodeId).documents)
  return [...former.productOrder(nodeId).documents].flatMap((number) => {
    const one = changedBy.get(number)
    return one && !here.has(one.latest) ? [one] : []
  })
}

/** Whether the node curates other products in the latest release, apart from those that were taken off it. */
function isCurated(change: LatestChange, changedBy: ChangedBy, nodeId: string): boolean {
  const [before, after] = [curatedIn(change.former, nodeId), curatedIn(change.latest, nodeId)]
  if (before.length === 0 && after.length === 0) return false
  const gone = new Set(goneFrom(change, changedBy, nodeId).map(({ former }) => former))
  const stayed = before.filter((number) => !gone.has(number)).map((number) => changedBy.get(number)?.latest ?? number)
  return stayed.join() !== after.join()
}
