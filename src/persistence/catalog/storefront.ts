/** Storefront candidates: the rules and the default from which a shopper's catalog is chosen (catalog-rule.most-matches-win). */
import type { CandidateRule, ShopperContext } from '../../domain/catalog/rule-choice.ts'
import type { Database } from '../database/database.ts'

interface Candidates {
  /** Rules without criteria and rules of which a criterion has a value of the context, oldest first; schedules are not checked. */
  readonly rules: readonly CandidateRule[]
  /** The catalog with a release that was first published longest ago; null when nothing is published. */
  readonly firstCatalogId: string | null
}

// Of rules of one transaction the first written is the oldest (record.order-of-writing-decides).
const candidates = `
SELECT
  (SELECT json_agg(json_build_object('catalogId', r.catalog_id, 'accountIds', r.account_ids, 'channels', r.channels, 'tags', r.tags,
      'schedules', r.schedules) ORDER BY r.created_at, r.version)
    FROM catalog_rule r
    WHERE cardinality(r.account_ids) + cardinality(r.channels) + cardinality(r.tags) = 0
      OR $1 = ANY (r.account_ids) OR $2 = ANY (r.channels) OR $3 = ANY (r.tags)) AS rules,
  (SELECT c.id FROM catalog c WHERE c.latest_release_id IS NOT NULL
    ORDER BY c.first_published_at, c.created_at, c.id LIMIT 1) AS "firstCatalogId"`

/** The candidates for a shopper. One statement. */
export async function storefrontCandidates(database: Database, { accountId, channel, tag }: ShopperContext): Promise<Candidates> {
  const values = [accountId?.toLowerCase() ?? null, channel, tag]
  const [row] = await database.query<{ rules: CandidateRule[] | null; firstCatalogId: string | null }>(
    'storefront_candidates',
    candidates,
    values,
  )
  return { rules: row?.rules ?? [], firstCatalogId: row?.firstCatalogId ?? null }
}
