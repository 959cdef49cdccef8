/** Catalog warnings of stored catalogs and rules (catalog.confidential-warned). */
import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { CatalogRule } from '../../domain/catalog/catalog-rule.ts'
import { type CatalogWarning, warningsOfCatalog, warningsOfRule } from '../../domain/catalog/catalog-warning.ts'
import type { Context } from '../../request/context.ts'

/** The warnings of a catalog by its present rules. One statement, none for a catalog that is not confidential. */
export async function catalogWarnings({ id, confidential }: Catalog, { loaders }: Context): Promise<CatalogWarning[]> {
  return confidential ? warningsOfCatalog(confidential, await loaders.rulesOfCatalogById.load(id)) : []
}

/** The warnings of a rule. As many statements, after those that read the catalog. */
export async function ruleWarnings(rule: CatalogRule, { loaders }: Context): Promise<CatalogWarning[]> {
  const catalog = await loaders.catalogById.load(rule.catalogId)
  return catalog?.confidential ? warningsOfRule(rule, true, await loaders.rulesOfCatalogById.load(catalog.id)) : []
}
