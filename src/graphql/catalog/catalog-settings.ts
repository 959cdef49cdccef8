/**
 * Catalog settings: the hierarchies and price books that the next release is made of (catalog.highest-book-prices). For
 * administrators only.
 */
import type { Catalog, CatalogPriceBook } from '../../domain/catalog/catalog.ts'
import { CATALOG_PRICE_BOOKS_MAX } from '../../domain/input/limits.ts'
import { catalogSettings } from '../../operations/catalog/catalog.ts'
import { catalogWarnings } from '../../operations/catalog/catalog-warning.ts'
import { PriceBookRef } from '../pricing/price-book.ts'
import { builder } from '../schema/builder.ts'
import { LocaleRef, localeList } from '../schema/locale.ts'
import { namedListArgs } from '../schema/named-list.ts'
import { childRecordConnection } from '../schema/record-connection.ts'
import { namedClauses } from '../schema/record-filter.ts'
import { CatalogConnection, CatalogRef } from './catalog-refs.ts'
import { CatalogWarningEnum } from './catalog-warning.ts'
import { HierarchyRef } from './hierarchy-refs.ts'

const CatalogPriceBookRef = builder.objectRef<CatalogPriceBook>('CatalogPriceBook').implement({
  description: 'A price book of a catalog. Of several books that have a SKU the one of the highest priority prices it.',
  right: 'admin',
  fields: (t) => ({
    priority: t.expose('priority', {
      type: 'Long',
      description: 'The highest wins; of equal ones the book listed first.',
    }),
    priceBook: t.field({
      type: PriceBookRef,
      nullable: true,
      description: 'The book; null only when it was deleted meanwhile.',
      resolve: ({ id }, _, { loaders }) => loaders.priceBookById.load(id),
    }),
  }),
})

export const CatalogSettingsRef = builder.objectRef<Catalog>('CatalogSettings').implement({
  description: 'What the next release of a catalog will hold, as it is set now.',
  right: 'admin',
  fields: (t) => ({
    catalog: t.field({ type: CatalogRef, description: 'The catalog.', resolve: (settings) => settings }),
    externalRef: t.exposeString('externalRef', { nullable: true, description: 'A free reference to another system.' }),
    name: t.exposeString('name', { description: 'The name.' }),
    description: t.exposeString('description', { nullable: true, description: 'The description.' }),
    locales: t.field({
      type: [LocaleRef],
      description: 'Texts in other languages, at most 200.',
      resolve: ({ locales }) => localeList(locales),
    }),
    hierarchies: t.field({
      type: [HierarchyRef],
      description: 'The hierarchies, at most 1000, in their order.',
      resolve: async ({ hierarchyIds }, _, { loaders }) => {
        const found = await Promise.all(hierarchyIds.map((id) => loaders.hierarchyNodeById.load(id)))
        return found.filter((hierarchy) => hierarchy !== null)
      },
    }),
    priceBooks: t.expose('priceBooks', {
      type: [CatalogPriceBookRef],
      description: `The price books, at most ${CATALOG_PRICE_BOOKS_MAX}, in the order given.`,
    }),
    confidential: t.exposeBoolean('confidential', {
      description:
        'Whether the catalog exists for those shoppers alone to whom a rule gives it by what their token proves: account, channel or tags. In effect at once.',
    }),
    warnings: t.field({
      type: [CatalogWarningEnum],
      description: 'What is maybe not meant of a confidential catalog.',
      resolve: (settings, _, ctx) => catalogWarnings(settings, ctx),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the catalog was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When its settings were last changed.' }),
  }),
})

builder.objectField(CatalogRef, 'settings', (t) =>
  t.field({
    type: CatalogSettingsRef,
    nullable: true,
    description: 'What the next release will hold; null only when the catalog was deleted meanwhile.',
    resolve: ({ id }, _, ctx) => catalogSettings(ctx, { id }),
  }),
)

builder.objectField(PriceBookRef, 'catalogs', (t) =>
  t.field({
    type: CatalogConnection,
    description: 'The catalogs that take prices from the book, oldest first.',
    args: namedListArgs,
    resolve: ({ id }, { filter, ...args }, { loaders }) =>
      childRecordConnection(args, id, namedClauses(filter), loaders.catalogListByPriceBookId),
  }),
)
