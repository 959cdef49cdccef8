/**
 * Catalogs: published ones for shoppers (right.shoppers-see-published-and-own), and the storefront, which the catalog
 * rules choose (catalog-rule.most-matches-win).
 */
import type { PublicCatalog } from '../../domain/catalog/release.ts'
import { releaseNotFound } from '../../operations/catalog/page.ts'
import { catalog, catalogs, publicCatalog, type VisibleCatalog } from '../../operations/catalog/published-catalog.ts'
import { publishProgress } from '../../operations/catalog/release.ts'
import { storefrontCatalogId } from '../../operations/catalog/storefront.ts'
import type { Context } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { localeArgs, textsOf } from '../schema/locale.ts'
import { defineNamedList } from '../schema/named-list.ts'
import { implementNode } from '../schema/node.ts'
import { CatalogConnection, CatalogRef } from './catalog-refs.ts'
import { readShopper, shopperArgs } from './storefront-arguments.ts'

const PublishProgressRef = builder
  .objectRef<{ readonly step: string; readonly done: number; readonly totalSteps: number }>('PublishProgress')
  .implement({
    description: 'What a publish does at this moment.',
    right: 'admin',
    fields: (t) => ({
      step: t.exposeString('step', { description: 'The current step.' }),
      done: t.exposeInt('done', { description: 'How many steps are done.' }),
      totalSteps: t.exposeInt('totalSteps', { description: 'How many steps there are.' }),
    }),
  })

implementNode(CatalogRef, {
  description: 'Hierarchies of products with their prices, published release by release.',
  right: 'anyone',
  load: (id, ctx) => catalog(ctx, { id }),
  rootField: {
    name: 'catalog',
    noun: 'catalog',
    example: 'c0ffee00-0009-4000-8000-000000000001',
    description:
      'One catalog; null when there is none, or for a shopper none that is published, or a confidential one that no rule gives by the token.',
  },
  fields: (t) => ({
    name: t.string({
      description: 'The name in the requested language, for a shopper as it was published last.',
      args: localeArgs,
      resolve: async (one, args, ctx) => textsOf(await publicationOf(one, ctx), args, ctx).name,
    }),
    description: t.string({
      nullable: true,
      description: 'The description in the requested language, for a shopper as it was published last.',
      args: localeArgs,
      resolve: async (one, args, ctx) => textsOf(await publicationOf(one, ctx), args, ctx).description,
    }),
    firstPublishedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was published for the first time; null when it never was.',
      resolve: async (one, _, ctx) => (await publicationOf(one, ctx)).firstPublishedAt,
    }),
    publishing: t.field({
      type: PublishProgressRef,
      nullable: true,
      description: 'What its publish on this server does; null when none runs here.',
      resolve: ({ id }, _, { cachePolicy }) => {
        cachePolicy.doNotStore()
        return publishProgress(id)
      },
    }),
  }),
})

/**
 * Loads the catalog's texts when one of them is selected; a page of products selects none. Throws when the catalog is
 * gone.
 */
async function publicationOf(one: VisibleCatalog, ctx: Context): Promise<PublicCatalog> {
  const found = await publicCatalog(ctx, one)
  if (!found) throw releaseNotFound()
  return found
}

defineNamedList('catalogs', CatalogConnection, {
  right: 'anyone',
  description:
    'The catalogs, oldest first; for a shopper those that are published, as they were published last, which can be filtered by their name alone and not ordered by change.',
  reads: catalogs,
})

builder.queryFields((t) => ({
  storefront: t.field({
    type: CatalogRef,
    nullable: true,
    right: 'anyone',
    description:
      "The catalog that the catalog rules choose for the viewer's account, a channel and tags; null when it is not published. Rules of confidential catalogs count by the token alone.",
    args: shopperArgs(t, {
      channel: "The channel, such as `web`; by default the request's, else the token's.",
      tags: 'Tags such as `["gold"]`; by default the request\'s, else the token\'s.',
    }),
    resolve: async (_, args, ctx) => {
      const id = await storefrontCatalogId(ctx, readShopper(args))
      return id === null ? null : catalog(ctx, { id })
    },
  }),
}))
