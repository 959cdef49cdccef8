/** The subscription saleTurned: sales of a catalog as they begin and end (live.turns-at-their-instant). */
import { anyRelease } from '../../domain/catalog/release-view.ts'
import type { SaleTurn } from '../../domain/catalog/sale-turn.ts'
import { badRequest } from '../../domain/input/errors.ts'
import { pageOf } from '../../operations/catalog/page.ts'
import { watchSaleTurns } from '../../operations/changes/live.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { readId, requiredId } from '../schema/ids.ts'
import { CatalogProductRef, PublishedProduct, ReleaseRef } from './catalog-refs.ts'

/** The maximum number of products that one event shows. */
const TURNED_MAX = 100

function readFirst({ first }: { readonly first: number }): number {
  if (first >= 1 && first <= TURNED_MAX) return first
  throw badRequest('OUT_OF_RANGE', ['first'], `must be from 1 to ${TURNED_MAX}`)
}

const SaleTurnedRef = builder.objectRef<SaleTurn>('SaleTurned').implement({
  description: 'Sales of a catalog began or ended: prices changed by their schedules, all at one instant.',
  right: 'anyone',
  fields: (t) => ({
    at: t.expose('at', {
      type: 'DateTime',
      description: 'The instant. The prices of the event are those from here on.',
    }),
    release: t.field({
      type: ReleaseRef,
      description: "The catalog's latest release.",
      resolve: ({ release }) => anyRelease({ release, isLatest: true }),
    }),
    productCount: t.int({
      description: 'How many products changed their price of one unit, in any currency.',
      resolve: ({ documents }) => documents.length,
    }),
    onSaleCount: t.exposeInt('onSaleCount', {
      description: 'How many of them are on sale from here on, in any currency.',
    }),
    products: t.field({
      type: [CatalogProductRef],
      description: `The products whose price changed, at most ${TURNED_MAX}: the first ones in the order of the release.`,
      args: {
        first: t.arg.int({
          required: true,
          defaultValue: 20,
          description: `How many, 1 to ${TURNED_MAX}, such as 10.`,
          ...withReader(readFirst),
        }),
      },
      resolve: async ({ release, documents }, args, ctx) => {
        const list = { release, documents }
        const window = { after: null, before: null, limit: readFirst(args), reverse: false }
        return (await pageOf(ctx, { list, window })).map(
          ({ document }) => new PublishedProduct({ release, isLatest: true }, document),
        )
      },
    }),
  }),
})

builder.subscriptionField('saleTurned', (t) =>
  t.field({
    type: SaleTurnedRef,
    right: 'anyone',
    description:
      "Sales of a catalog's latest release as they begin and end, at the instant by this server's clock. A stream that begins later does not report what was before: read the catalog then. Shoppers may listen to catalogs that have a release.",
    args: { catalogId: t.arg.id(requiredId('catalog', 'c0ffee00-0009-4000-8000-000000000001')) },
    subscribe: (_, { catalogId }, ctx) => watchSaleTurns(ctx, { id: readId('Catalog', catalogId, ['catalogId']) }),
    resolve: (turn) => turn,
  }),
)
