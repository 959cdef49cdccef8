/** Catalog warnings: what is maybe not meant of a confidential catalog (catalog.confidential-warned). */
import type { CatalogRule } from './catalog-rule.ts'

/** What was found. */
export type CatalogWarning = 'GIVEN_TO_NOBODY' | 'RULE_PROVES_NOTHING'

/** The rules of a catalog: whether one gives it to some shopper, and whether one has no criteria. */
export interface RulesOfCatalog {
  readonly isGiven: boolean
  readonly hasEmpty: boolean
}

/** The warnings of a catalog. */
export function warningsOfCatalog(confidential: boolean, { isGiven, hasEmpty }: RulesOfCatalog): CatalogWarning[] {
  if (!confidential) return []
  return [...(isGiven ? [] : (['GIVEN_TO_NOBODY'] as const)), ...(hasEmpty ? (['RULE_PROVES_NOTHING'] as const) : [])]
}

/** The warnings of one rule: those of its catalog, without what is about other rules. */
export function warningsOfRule(
  { accountIds, channels, tags }: Pick<CatalogRule, 'accountIds' | 'channels' | 'tags'>,
  confidential: boolean,
  rules: RulesOfCatalog,
): CatalogWarning[] {
  const hasEmpty = accountIds.length + channels.length + tags.length === 0
  return warningsOfCatalog(confidential, { ...rules, hasEmpty })
}
