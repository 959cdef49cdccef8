/** Suggestions in a release while a text is typed (search.suggests-while-typing). */
import { wholeScope } from '../../domain/catalog/listing-query.ts'
import type { Release, ReleaseNode } from '../../domain/catalog/release.ts'
import type { ReleaseDocument } from '../../domain/catalog/release-document.ts'
import {
  completions,
  isOfAnotherLanguage,
  NAMES_COMPLETED,
  nodeFit,
  typedWords,
} from '../../domain/catalog/suggestion.ts'
import { localize } from '../../domain/language/language.ts'
import type { Atom } from '../../domain/language/words.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'
import { listingOf } from './listing.ts'
import { findDocuments } from './page.ts'

/** Nodes whose names are compared between two turns of other requests, and per point of work. */
const [NODES_AT_ONCE, NODES_PER_POINT] = [500, 2]

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

/** What a text may become. One search, and one statement for documents that are not cached. */
export const suggest = query({
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { release, text, first }: SuggestInput): Promise<Suggestions> => {
    const typed = typedWords(text)
    if (!typed) return { products: [], nodes: [], texts: [] }
    const { acceptLanguage } = ctx.shopperHeaders
    const order = { field: 'RELEVANCE', direction: 'ASC', currency: '' } as const
    const found = { ...wholeScope(null), search: text, acceptLanguage, order, groupVariants: true }
    const { documents } = await listingOf(ctx, { release, query: found, instant: ctx.now })
    const loaded = await findDocuments(ctx, documents.slice(0, NAMES_COMPLETED))
    const named = loaded.flatMap((document) => {
      if (!document) return []
      const { product } = document
      const { name } = localize({ ...product, locales: product.locales ?? null }, acceptLanguage)
      return [{ document, name, isOther: isOfAnotherLanguage(typed, product, name) }]
    })
    const products = [...named.filter(({ isOther }) => !isOther), ...named.filter(({ isOther }) => isOther)]
    const names = products.map(({ name }) => name)
    return {
      products: products.slice(0, first).map(({ document }) => document),
      nodes: await nodesOf(ctx, release, typed, first),
      texts: completions(typed, text, names, first),
    }
  },
})

/**
 * The nodes whose names go on from what is typed: those in the shopper's language first, of these those that begin with
 * it, then those nearer to the top.
 */
async function nodesOf(ctx: Context, release: Release, typed: readonly Atom[], first: number): Promise<ReleaseNode[]> {
  const { acceptLanguage } = ctx.shopperHeaders
  const found: { readonly node: ReleaseNode; readonly place: readonly number[] }[] = []
  const nodes = [...release.nodes.values()]
  for (let from = 0; from < nodes.length; from += NODES_AT_ONCE) {
    for (const node of nodes.slice(from, from + NODES_AT_ONCE)) {
      const fit = nodeFit(typed, node, acceptLanguage)
      if (fit !== null) found.push({ node, place: [fit, release.ancestorIds(node.id).length] })
    }
    ctx.work.spend(Math.min(NODES_AT_ONCE, nodes.length - from) / NODES_PER_POINT)
    await ctx.work.yieldPoint()
  }
  const rank = ({ place: [fit = 0, level = 0] }: (typeof found)[number]) => fit * 1_000 + level
  return found
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, first)
    .map(({ node }) => node)
}
