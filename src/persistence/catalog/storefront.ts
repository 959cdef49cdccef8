/** Storefront candidates: the rules and the default from which a shopper's catalog is chosen (catalog-rule.most-matches-win).
 *
 *  SQL, since Prisma would read rules and default by two statements, and can't call latest_release. */
import type { CandidateRule, ShopperContext } from '../../domain/catalog/rule-choice.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import type { Database } from '../database/database.ts'
import { loaderOf } from '../loading/loader.ts'

interface Candidates {
  /**
   * Rules without criteria and rules of which a criterion has a value of the context, maybe with some that no criterion lets match, oldest
   * first; schedules are not checked.
   */
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
      OR r.account_ids && $1 OR r.channels && $2 OR r.tags && $3) AS rules,
  (SELECT c.id FROM catalog c WHERE latest_release(c.id, $4::timestamptz) IS NOT NULL
    ORDER BY c.first_published_at, c.created_at, c.id LIMIT 1) AS "firstCatalogId"`

/** A shopper at an instant, epoch milliseconds: that of the releases which the request reads. */
type ShopperAt = ShopperContext & { readonly now: number }

async function readCandidates(database: Database, shoppers: readonly ShopperAt[]): Promise<Candidates> {
  const values = [
    shoppers.flatMap(({ accountId }) => accountId?.toLowerCase() ?? []),
    shoppers.flatMap(({ channel }) => channel ?? []),
    shoppers.flatMap(({ tags }) => tags),
  ].map((one) => [...new Set(one)])
  // Requests that are read together are milliseconds apart.
  const now = Math.max(...shoppers.map((shopper) => shopper.now))
  const [row] = await database.query<{ rules: CandidateRule[] | null; firstCatalogId: string | null }>(
    'storefront_candidates',
    candidates,
    [...values, formatInstant(now)],
  )
  return { rules: row?.rules ?? [], firstCatalogId: row?.firstCatalogId ?? null }
}

const keyOf = ({ accountId, channel, tags }: ShopperContext): string => JSON.stringify([accountId, channel, tags])

/** The candidates for a shopper. One statement for any number of shoppers. */
export const storefrontCandidates = loaderOf<ShopperAt, Candidates>({
  name: 'storefront candidates',
  cacheKeyFn: keyOf,
  none: { rules: [], firstCatalogId: null },
  read: async (database, shoppers) => {
    const found = await readCandidates(database, shoppers)
    return new Map(shoppers.map((shopper) => [keyOf(shopper), found]))
  },
})
