/** Storefront: the catalog that the rules choose for the viewer (catalog-rule.most-matches-win). */
import { query } from '../operation.ts'

interface Choice {
  /** By default the channel of the request's headers; null for none. */
  readonly channel?: string | null
  /** By default those of the request's headers. */
  readonly tags?: readonly string[]
}

/** The raw id of the chosen catalog; null when no rule matches and nothing is published. */
export const storefrontCatalogId = query({
  name: 'storefrontCatalogId',
  right: 'anyone',
  reads: 'releases',
  run: async ({ viewer, shopperHeaders, loaders, now }, given: Choice): Promise<string | null> => {
    const { channel = shopperHeaders.channel, tags = shopperHeaders.tags } = given
    return (await loaders.storefrontByShopper.load({ accountId: viewer.accountId, channel, tags, now })).catalogId
  },
})
