/** Storefront: the catalog that the rules choose for the viewer (catalog-rule.most-matches-win). */
import { chooseRule } from '../../domain/catalog/rule-choice.ts'
import { storefrontCandidates } from '../../persistence/catalog/storefront.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'

/** The raw id of the chosen catalog; null when no rule matches and nothing is published. One statement, once per request. */
export const storefrontCatalogId = query({
  name: 'storefrontCatalogId',
  right: 'anyone',
  run: (ctx, _: object): Promise<string | null> => {
    const choice = choices.get(ctx) ?? choose(ctx)
    choices.set(ctx, choice)
    return choice
  },
})

/** The choice of each request. */
const choices = new WeakMap<Context, Promise<string | null>>()

async function choose({ database, viewer, shopperHeaders, now }: Context): Promise<string | null> {
  const shopper = { accountId: viewer.accountId, channel: shopperHeaders.channel, tag: shopperHeaders.tag }
  const { rules, firstCatalogId } = await storefrontCandidates(database, shopper)
  return chooseRule(rules, shopper, now)?.catalogId ?? firstCatalogId
}
