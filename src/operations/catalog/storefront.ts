/**
 * Storefront: the catalog that the rules choose for the viewer (catalog-rule.most-matches-win), and why they choose it
 * for somebody (catalog-rule.choice-explained).
 */
import { shopperOf } from '../../auth/viewer.ts'
import type { ShopperContext } from '../../domain/catalog/rule-choice.ts'
import { explainRules } from '../../domain/catalog/rule-explanation.ts'
import { rulesOldestFirst } from '../../persistence/catalog/storefront.ts'
import { query } from '../operation.ts'

interface Choice {
  /** By default the channel of the request's headers; null for none. */
  readonly channel?: string | null
  /** By default those of the request's headers. */
  readonly tags?: readonly string[]
}

/** The raw id of the chosen catalog; null when no rule matches and nothing is published. */
export const storefrontCatalogId = query({
  right: 'anyone',
  reads: 'releases',
  run: async ({ viewer, shopperHeaders, loaders, now }, given: Choice): Promise<string | null> => {
    const { channel = shopperHeaders.channel, tags = shopperHeaders.tags } = given
    return (await loaders.storefrontByShopper.load({ ...shopperOf(viewer, { channel, tags }), now })).catalogId
  },
})

interface SomebodysContext extends ShopperContext {
  /** Whether the token proves channel and tags too; the account is always its own. */
  readonly proved: boolean
}

/** The catalog that the rules choose for somebody, and what became of each rule. Reads all rules. */
export const explainStorefront = query({
  right: 'admin',
  run: async ({ database, loaders, now }, { proved, ...context }: SomebodysContext) => {
    const shopper = { context, proved: proved ? context : { ...context, channel: null, tags: [] } }
    const { catalogId } = await loaders.storefrontByShopper.load({ ...shopper, now })
    return { catalogId, rules: explainRules(await rulesOldestFirst(database), shopper, now) }
  },
})
