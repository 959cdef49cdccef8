/**
 * Carrying: merges what a publish changes in the latest release into a scheduled release
 * (release.corrections-carried), and writes the release that takes its place.
 *
 * It runs in the transaction of the publish, under the publish lock.
 */
import { isDeepStrictEqual } from 'node:util'
import type {
  CarriedProduct,
  CarryConflict,
  ChangedProduct,
  LatestChange,
  ShownEarly,
} from '../../../domain/catalog/carry.ts'
import {
  type CarriedContent,
  carryProduct,
  leaveNodes,
  mergeTexts,
  onNodes,
  type ProductContent,
} from '../../../domain/catalog/carry-product.ts'
import { type MergedTree, mergeTree } from '../../../domain/catalog/carry-tree.ts'
import { documentDifference } from '../../../domain/catalog/document-difference.ts'
import { mergeLabels } from '../../../domain/catalog/label.ts'
import type { CatalogTexts, Release } from '../../../domain/catalog/release.ts'
import { part, ThreeWayMerge } from '../../../domain/catalog/three-way-merge.ts'
import type { Queryable } from '../../database/query.ts'
import { writeCarriedRelease } from './carried-release.ts'
import { mergeCurated } from './carry-curated.ts'
import {
  insertDocuments,
  isAlike,
  numbersOf,
  placed,
  productsOf,
  readChanged,
  readContents,
} from './carry-documents.ts'
import type { ReleaseBuild } from './selection.ts'

/** Products that are merged at a time. */
const BATCH = 250

/** The outcome for one scheduled release. */
export interface CarryOutcome {
  readonly productCount: number
  readonly nodeCount: number
  readonly conflicts: readonly CarryConflict[]
  /** Whether another release takes its place, or would. */
  readonly isCarried: boolean
  readonly shownEarly: ShownEarly
}

/** A release to write; without one nothing is written. */
export type CarriedBuild = ReleaseBuild & { readonly publishedAt: number }

/** Finds what changes between two releases. One statement. */
export async function readLatestChange(on: Queryable, former: Release, latest: Release): Promise<LatestChange> {
  const { gone, come } = documentDifference(former.allProducts.rising, latest.allProducts.rising)
  return { former, latest, changed: await readChanged(on, gone, come) }
}

/**
 * Carries a change into a scheduled release. `build` is the release to write, where something changes or `isWanted`
 * anyway. Three statements for each BATCH of changed products, and those of `writeCarriedRelease`.
 */
export async function carryInto(
  on: Queryable,
  change: LatestChange,
  scheduled: Release,
  build: CarriedBuild | null,
  isWanted = false,
): Promise<CarryOutcome> {
  const sides = { former: change.former, latest: change.latest, scheduled }
  const tree = mergeTree(sides)
  const texts = new ThreeWayMerge()
  const catalog: CatalogTexts = mergeTexts(texts, {
    former: change.former.catalog,
    latest: change.latest.catalog,
    scheduled: scheduled.catalog,
  })
  const labels = mergeLabels(
    texts,
    part(sides, (release) => release.labels),
  )
  const conflicts: CarryConflict[] = [
    ...texts.conflicts,
    ...tree.conflicts.map(({ nodeId, ...conflict }) => {
      const node = scheduled.nodes.get(nodeId) ?? change.latest.nodes.get(nodeId)
      return node?.parentId === null ? { hierarchyId: nodeId, ...conflict } : { nodeId, ...conflict }
    }),
  ]
  const products: CarriedProduct[] = []
  const early: string[] = []
  const wanted = await scheduledProducts(on, change, scheduled, tree)
  for (let at = 0; at < wanted.length; at += BATCH) {
    const batch = await carryBatch(on, wanted.slice(at, at + BATCH), tree, build)
    products.push(...batch.products)
    early.push(...batch.early)
    conflicts.push(...batch.conflicts)
  }
  const curated = await mergeCurated(on, change, scheduled, tree, products)
  conflicts.push(...curated.conflicts)
  const hasOtherTree = tree.changed.size > 0 || tree.hierarchyIds.join() !== scheduled.hierarchyIds.join()
  const isCarried =
    products.length > 0 ||
    hasOtherTree ||
    curated.documents.size > 0 ||
    !isDeepStrictEqual(plain(catalog), plain(scheduled.catalog)) ||
    !isDeepStrictEqual(labels, scheduled.labels)
  if (build && (isCarried || isWanted))
    await writeCarriedRelease(on, build, {
      base: scheduled,
      former: change.former.id,
      latest: change.latest.id,
      catalog,
      labels,
      tree,
      hasOtherTree,
      products,
      curated: curated.documents,
    })
  return {
    productCount: products.length,
    nodeCount: new Set([...tree.changed, ...curated.documents.keys()]).size,
    conflicts,
    isCarried,
    shownEarly: {
      productIds: early,
      nodeCount: new Set([...tree.shownEarly, ...curated.shownEarly]).size,
      texts: texts.showsEarly,
    },
  }
}

const plain = ({ name, description, locales }: CatalogTexts) => ({ name, description, locales })

/** A product with the numbers of its documents, 0 in a release that lacks it. */
interface WantedProduct extends ChangedProduct {
  readonly scheduled: number
}

/** The products that the publish changed, and those on nodes that are gone. At most two statements. */
async function scheduledProducts(
  on: Queryable,
  { changed }: LatestChange,
  scheduled: Release,
  tree: MergedTree,
): Promise<WantedProduct[]> {
  const has = (document: number): boolean => scheduled.allProducts.positionOf(document) >= 0
  const moved = changed.filter(({ former }) => !has(former)).map(({ productId }) => productId)
  const numbers = await numbersOf(on, moved, scheduled.allProducts)
  const found = changed.map((one) => ({
    ...one,
    scheduled: has(one.former) ? one.former : (numbers.get(one.productId) ?? 0),
  }))
  const known = new Set(found.map((one) => one.scheduled))
  const left = new Set<number>()
  for (const id of scheduled.nodes.keys()) {
    if (tree.nodes.has(id)) continue
    for (const number of scheduled.productOrder(id).documents) if (!known.has(number)) left.add(number)
  }
  if (left.size === 0) return found
  const onGoneNodes = await productsOf(on, [...left])
  for (const [number, productId] of onGoneNodes)
    found.push({ productId, former: number, latest: number, scheduled: number })
  return found
}

/** What becomes of some products. */
interface CarriedBatch {
  readonly products: readonly CarriedProduct[]
  readonly conflicts: readonly CarryConflict[]
  /** Raw ids of the products at which the publish shows what the schedule holds. */
  readonly early: readonly string[]
}

/** Carries some products. New documents are written with `build`, else they count as number 0. */
async function carryBatch(
  on: Queryable,
  wanted: readonly WantedProduct[],
  tree: MergedTree,
  build: CarriedBuild | null,
): Promise<CarriedBatch> {
  const contents = await readContents(on, wanted.flatMap(neededDocuments))
  const conflicts: CarryConflict[] = []
  const products: CarriedProduct[] = []
  const early: string[] = []
  const merged: { readonly productId: string; readonly before: number; readonly content: ProductContent }[] = []
  for (const one of wanted) {
    const { productId, scheduled: before } = one
    const outcome = outcomeOf(one, contents, (id) => tree.nodes.has(id))
    conflicts.push(...outcome.conflicts.map((conflict) => ({ productId, ...conflict })))
    if (outcome.showsEarly) early.push(productId)
    const { content } = outcome
    if (content === null) {
      if (before !== 0) products.push({ productId, before, after: null })
      continue
    }
    const same = [before, one.latest, one.former].find((number) => {
      const stored = contents.get(number)
      return stored && isAlike(content, stored)
    })
    if (same === undefined) merged.push({ productId, before, content })
    else if (same !== before) products.push({ productId, before, after: placed(same, content) })
  }
  const contentsToWrite = merged.map(({ content }) => content)
  const written = build ? await insertDocuments(on, contentsToWrite) : []
  for (const [at, { productId, before, content }] of merged.entries())
    products.push({ productId, before, after: placed(written[at] ?? 0, content) })
  return { products, conflicts, early }
}

/** The documents to read: of a product that the schedule did not change only the latest one. */
function neededDocuments({ former, latest, scheduled }: WantedProduct): number[] {
  if (scheduled === former || scheduled === latest) return latest === 0 ? [] : [latest]
  return [former, latest, scheduled].filter((number) => number !== 0)
}

function outcomeOf(
  { former, latest, scheduled }: WantedProduct,
  contents: ReadonlyMap<number, ProductContent>,
  hasNode: (id: string) => boolean,
): CarriedContent {
  const [before, after, own] = [former, latest, scheduled].map((number) => contents.get(number))
  if (latest === scheduled && own) return { ...leaveNodes(own, hasNode), showsEarly: former !== latest }
  if (former !== scheduled) return carryProduct({ former: before, latest: after, scheduled: own }, hasNode)
  const content = after ? onNodes(after, hasNode) : null
  if (content?.product.node_ids.length === 0)
    return { content: null, conflicts: [{ field: 'nodes', key: null }], showsEarly: false }
  return { content, conflicts: [], showsEarly: false }
}
