/** Suggestions in a release while a text is typed (search.suggests-while-typing). */
import { wholeScope } from '../../domain/catalog/listing-query.ts'
import { NameIndex, type Orders, type Typed } from '../../domain/catalog/name-index.ts'
import type { Release, ReleaseNode } from '../../domain/catalog/release.ts'
import type { ReleaseDocument } from '../../domain/catalog/release-document.ts'
import { completions, NAMES_COMPLETED, typedWords } from '../../domain/catalog/suggestion.ts'
import { textsByLanguage } from '../../domain/language/language.ts'
import { keyOfText } from '../../domain/language/words.ts'
import type { Effort } from '../../lib/effort.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'
import { effortOf, listingOf } from './listing.ts'
import { findDocuments } from './page.ts'

/** Nodes whose names are analysed between two turns of other requests. */
const NODES_AT_ONCE = 250

/** The places of the products of releases that were asked for suggestions, in an index. */
const ordersOfProducts = new WeakMap<Release, { readonly index: NameIndex; readonly orders: Orders }>()
/** The names of the nodes of releases that were asked for suggestions, by their place among the nodes. */
const namesOfNodes = new WeakMap<Release, Promise<NodeNames>>()

/** The names of nodes by their place in the release, and their orders: those nearer to the top first. */
interface NodeNames {
  readonly names: NameIndex
  readonly orders: Orders
}

interface SuggestInput {
  readonly release: Release
  readonly text: string
  /** The maximum number of each kind. */
  readonly first: number
}

export interface Suggestions {
  /** A parent stands for its children. */
  readonly products: readonly ReleaseDocument[]
  readonly nodes: readonly ReleaseNode[]
  /** The text with its last word completed. */
  readonly texts: readonly string[]
}

/**
 * What a text may become. One statement for documents that are not cached; those of a search where fewer names and SKUs
 * than `first` have the text.
 */
export const suggest = query({
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { release, text, first }: SuggestInput): Promise<Suggestions> => {
    const words = typedWords(text)
    if (!words) return { products: [], nodes: [], texts: [] }
    const { acceptLanguage } = ctx.shopperHeaders
    const { storeLanguage } = ctx.config
    const code = keyOfText(text, 'code')
    // A character and signs, such as C++, begin no SKU.
    const typed: Typed = { words, code: code.length > 1 ? code : '', acceptLanguage, storeLanguage }
    const named = await productsNamed(ctx, release, typed)
    const found = named.length < first ? await productsFound(ctx, release, text) : []
    const wanted = new Set([...named, ...found.slice(0, first + named.length)])
    const loaded = await findDocuments(ctx, [...wanted].slice(0, first))
    const index = await ctx.releases.names.of(release, effortOf(ctx))
    const names = Array.from(named, (document) => index?.shownWords(document, typed) ?? [])
    return {
      products: loaded.flatMap((document) => document ?? []),
      nodes: await nodesNamed(ctx, release, typed, first),
      texts: completions(words, text, names, first),
    }
  },
})

/** The first products whose names or SKUs go on from what is typed, a parent in place of its children. */
async function productsNamed(ctx: Context, release: Release, typed: Typed): Promise<Int32Array> {
  const { names, facets, listings } = ctx.releases
  const { documents } = release.allProducts
  const words = typed.words.map(({ kind, plain }) => `${kind} ${plain}`)
  const key = JSON.stringify([release.id, 'typed', typed.acceptLanguage, typed.code, ...words])
  const always = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }
  const found = await listings.lists.findOr(key, ctx.now, async () => {
    const effort = effortOf(ctx)
    const [index, { leaders }] = await Promise.all([names.of(release, effort), facets.find(release)])
    const leaderOf = (document: number): number => leaders[release.allProducts.positionOf(document)] ?? -1
    if (!index) return { documents: new Int32Array(), from: ctx.now, until: ctx.now }
    const known = ordersOfProducts.get(release)
    const { orders } = known?.index === index ? known : { orders: index.ordersBy(leaderOf) }
    ordersOfProducts.set(release, { index, orders })
    const places = await index.find(typed, orders, effort)
    return { documents: Int32Array.from(places.slice(0, NAMES_COMPLETED), (at) => documents[at] as number), ...always }
  })
  return found.documents
}

/** What a search finds first, a parent in place of its children. */
async function productsFound(ctx: Context, release: Release, text: string): Promise<Int32Array> {
  const { acceptLanguage } = ctx.shopperHeaders
  const order = { field: 'RELEVANCE', direction: 'ASC', currency: '' } as const
  const found = { ...wholeScope(null), search: text, acceptLanguage, order, groupVariants: true }
  const { documents } = await listingOf(ctx, { release, query: found, instant: ctx.now })
  return documents
}

/** The nodes whose names go on from what is typed: of those that fit equally well, those nearer to the top first. */
async function nodesNamed(ctx: Context, release: Release, typed: Typed, first: number): Promise<ReleaseNode[]> {
  const nodes = [...release.nodes.values()]
  const effort = effortOf(ctx)
  const index = namesOfNodes.get(release) ?? indexOf(release, nodes, effort)
  namesOfNodes.set(release, index)
  const { names, orders } = await index
  const places = await names.find(typed, orders, effort)
  return places.slice(0, first).flatMap((place) => nodes[place % nodes.length] ?? [])
}

async function indexOf(release: Release, nodes: readonly ReleaseNode[], { pause }: Effort): Promise<NodeNames> {
  const names = new NameIndex()
  for (let from = 0; from < nodes.length; from += NODES_AT_ONCE) {
    const some = nodes.slice(from, from + NODES_AT_ONCE)
    names.add(some.map((node, at) => ({ id: from + at, names: namesOf(node), code: '' })))
    await pause()
  }
  const levelOf = (node: ReleaseNode | undefined): number => (node ? release.ancestorIds(node.id).length : 0)
  return { names, orders: names.ordersBy((id) => levelOf(nodes[id]) * nodes.length + id) }
}

function namesOf(node: ReleaseNode): [language: string, name: string][] {
  return textsByLanguage(node).map(([language, { name }]) => [language, name])
}
