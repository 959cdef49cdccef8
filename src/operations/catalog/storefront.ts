/** Storefront: the catalog that the rules choose for the viewer (catalog-rule.most-matches-win). */
import { chooseRule } from '../../domain/catalog/rule-choice.ts'
import { query } from '../operation.ts'

interface Choice {
  /** By default the channel of the request's headers; null for none. */
  readonly channel?: string | null
  /** By default those of the request's headers. */
  readonly tags?: readonly string[]
}

/** The raw id of the chosen catalog; null when no rule matches and nothing is published. One statement, once per request. */
export const storefrontCatalogId = query({
  name: 'storefrontCatalogId',
  right: 'anyone',
  run: async ({ viewer, shopperHeaders, loaders, releaseReader, now }, given: Choice): Promise<string | null> => {
    const { channel = shopperHeaders.channel, tags = shopperHeaders.tags } = given
    const shopper = { accountId: viewer.accountId, channel, tags }
    const { rules, firstCatalogId } = await loaders.storefrontCandidates.load({ ...shopper, now: releaseReader.now })
    return chooseRule(rules, shopper, now)?.catalogId ?? firstCatalogId
  },
})
