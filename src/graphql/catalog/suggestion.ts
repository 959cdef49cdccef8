/** Suggestions of a release while a text is typed (search.suggests-while-typing). */
import type { ReleaseView } from '../../domain/catalog/release-view.ts'
import { searchViolations } from '../../domain/catalog/search-question.ts'
import { SUGGESTIONS_MAX } from '../../domain/catalog/suggestion.ts'
import { badRequest, DomainError } from '../../domain/input/errors.ts'
import { type Suggestions, suggest } from '../../operations/catalog/suggest.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { assertText } from '../schema/text-filter.ts'
import { CatalogProductRef, CatalogTreeNodeRef, PublishedProduct, ReleaseRef } from './catalog-refs.ts'
import { contentOf } from './release-content.ts'
import { treeNodeOf } from './release-tree.ts'

/** Suggestions of each kind by default. */
const SUGGESTIONS = 8

const SuggestionsRef = builder.objectRef<Suggestions & { readonly view: ReleaseView }>('Suggestions').implement({
  description: 'What a text that is being typed may become, the best first.',
  right: 'anyone',
  fields: (t) => ({
    products: t.field({
      type: [CatalogProductRef],
      description: `Products whose names have the words, the last one as a beginning, or whose SKUs begin with the text, a parent in place of its children, at most ${SUGGESTIONS_MAX}: equal names and SKUs first, then names that begin with the words. As far as there are fewer, what \`products(filter: { search })\` finds follows.`,
      resolve: ({ products, view }) => products.map((document) => new PublishedProduct(view, document)),
    }),
    nodes: t.field({
      type: [CatalogTreeNodeRef],
      description: `Hierarchies and nodes whose names have the words, at most ${SUGGESTIONS_MAX}: equal names first, then those that begin with them, then those nearer to the top.`,
      resolve: ({ nodes, view }) => nodes.map((node) => treeNodeOf(view, node)),
    }),
    texts: t.exposeStringList('texts', {
      description: `The text with its last word completed, as names of found products have it, in small letters, at most ${SUGGESTIONS_MAX}.`,
    }),
  }),
})

builder.objectField(ReleaseRef, 'suggest', (t) =>
  t.field({
    type: SuggestionsRef,
    description:
      'What a text that is being typed may become, from its second character on, in scripts without spaces from its first.',
    args: {
      text: t.arg.string({
        required: true,
        description:
          'What is typed so far, such as `coffee ket`, at most 200 characters; its last word may be unfinished.',
        ...withReader(readText),
      }),
      first: t.arg.int({
        defaultValue: SUGGESTIONS,
        description: `The maximum number of each kind, such as 5, 1 to ${SUGGESTIONS_MAX}.`,
        ...withReader(readFirst),
      }),
    },
    resolve: async (one, args, ctx) => {
      const view = await contentOf(one, ctx)
      const { release } = view
      return { view, ...(await suggest(ctx, { release, text: readText(args), first: readFirst(args) })) }
    },
  }),
)

function readText({ text }: { readonly text: string }): string {
  assertText(text, ['text'])
  const violations = searchViolations(text, ['text'])
  if (violations.length > 0) throw new DomainError('badRequest', violations)
  return text
}

function readFirst({ first }: { readonly first?: number | null | undefined }): number {
  const count = first ?? SUGGESTIONS
  if (count >= 1 && count <= SUGGESTIONS_MAX) return count
  throw badRequest('OUT_OF_RANGE', ['first'], `must be from 1 to ${SUGGESTIONS_MAX}`)
}
