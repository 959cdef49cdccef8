/** Storefronts: which catalog the rules choose for a shopper, from memory (catalog-rule.most-matches-win).
 *
 *  The rules that match a shopper are read once, in one statement for any number of shoppers, and cached while the rules are those that the
 *  release cache has found last, so that a written rule is seen as soon as a published release. They may be newer than those; then they are
 *  cached until it finds something again.
 *
 *  SQL, since Prisma can't read rules and their state in one statement. */
import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { CatalogRule } from '../../domain/catalog/catalog-rule.ts'
import { type CandidateRule, matchingRules, ruleInForce, type ShopperContext } from '../../domain/catalog/rule-choice.ts'
import { cacheLookups } from '../../lib/metrics.ts'
import type { StorefrontChoice } from '../../response-cache/cache-policy.ts'
import type { Database } from '../database/database.ts'
import { throwTranslated } from '../database/failures.ts'
import type { ReadableReleases } from './readable-releases.ts'
import { stateOfRules } from './release-sql.ts'

/** Bytes of all cached rules. */
const RULE_BYTES_MAX = 8 * 1024 * 1024

const lookups = cacheLookups('storefront_rules')

/** The instants of a choice, epoch milliseconds: that of the rules' schedules, and that at which the latest releases are the latest. */
interface Instants {
  readonly rules: number
  readonly releases: number
}

/** The rules that match a shopper, the best first, with the state of all rules that they are of (ReadableReleases.rules). */
interface Matching {
  readonly state: string
  readonly rules: readonly Pick<CatalogRule, 'catalogId' | 'schedules'>[]
  /** What the release cache had found when they were read; weak, since it is replaced every second. */
  readonly readBeside: WeakRef<ReadableReleases>
}

/** The release cache as far as choices depend on it. */
interface Releases {
  /** What was found last, and whether that was less than a second ago. */
  known(): { readonly readable: ReadableReleases; readonly isYoung: boolean }
  /** Reads anew what is published; with the index of the catalog's latest release, if it is not cached, since it is wanted next. */
  read(catalogId: string | null, now: number): Promise<ReadableReleases>
}

/** The choices of one process. */
export class Storefronts {
  private readonly matching = new LRUCache<string, Matching>({
    maxSize: RULE_BYTES_MAX,
    sizeCalculation: ({ rules }, key) => rules.reduce((sum, { schedules }) => sum + 150 + 50 * schedules.length, 2 * key.length + 200),
  })
  private readonly reading: DataLoader<ShopperContext, Candidates>

  constructor(
    database: Database,
    private readonly releases: Releases,
  ) {
    this.reading = new DataLoader((shoppers) => readCandidates(database, shoppers), { cache: false })
  }

  /** The catalog for a shopper. Two statements at most, none when what is published and the shopper's rules are known. */
  async choose(shopper: ShopperContext, instants: Instants): Promise<StorefrontChoice> {
    const key = keyOf(shopper)
    const { readable: known, isYoung } = this.releases.known()
    const before = this.matching.get(key)
    const likely = before ? choiceOf(before, known, instants).catalogId : null
    const readable = isYoung ? known : await this.releases.read(likely, instants.releases)
    if (lookups.count(isCurrent(before, readable) ? before : undefined)) return choiceOf(before as Matching, readable, instants)
    const found = await this.reading.load(shopper)
    const rules = matchingRules(found.rules, shopper).map(({ catalogId, schedules }) => ({ catalogId, schedules }))
    const matching = { state: found.state, rules, readBeside: new WeakRef(readable) }
    this.matching.set(key, matching)
    return choiceOf(matching, readable, instants)
  }

  /** As `choose`, from memory alone; undefined when the database has to be read. */
  chooseCached(shopper: ShopperContext, instants: Instants): StorefrontChoice | undefined {
    const { readable, isYoung } = this.releases.known()
    const matching = this.matching.get(keyOf(shopper))
    return isYoung && matching && isCurrent(matching, readable) ? choiceOf(matching, readable, instants) : undefined
  }
}

/** Whether the cached rules of a shopper may be used beside what the release cache has found last. */
function isCurrent(matching: Matching | undefined, readable: ReadableReleases): boolean {
  return matching?.state === readable.rules || matching?.readBeside.deref() === readable
}

/** Without a rule in force it is the catalog with a release that was first published longest ago. */
function choiceOf({ rules }: Matching, readable: ReadableReleases, instants: Instants): StorefrontChoice {
  const { rule, until } = ruleInForce(rules, instants.rules)
  if (rule) return { catalogId: rule.catalogId, until }
  const first = readable.firstCatalog(instants.releases)
  const bounds = [until, first.until].filter((bound) => bound !== null)
  return { catalogId: first.catalogId, until: bounds.length > 0 ? Math.min(...bounds) : null }
}

/** The rules that may match some shoppers, oldest first, with the state of all rules at that moment (ReadableReleases.rules). */
interface Candidates {
  readonly state: string
  readonly rules: readonly CandidateRule[]
}

// One statement, since its state has to be that of its rules: with a state that was read before, rules that were written between would be
// taken for those of that state, which is the state again once they are deleted. Of rules of one transaction the first written is the
// oldest (record.order-of-writing-decides).
const candidates = `
SELECT ${stateOfRules} AS state, (
  SELECT coalesce(json_agg(json_build_object('catalogId', catalog_id, 'accountIds', account_ids, 'channels', channels, 'tags', tags,
    'schedules', schedules) ORDER BY created_at, first_version), '[]')
  FROM catalog_rule
  WHERE account_ids && $1::text[] OR channels && $2::text[] OR tags && $3::text[]
    OR cardinality(account_ids) + cardinality(channels) + cardinality(tags) = 0) AS rules`

/** For each shopper the rules that may match any of them. */
async function readCandidates(database: Database, shoppers: readonly ShopperContext[]): Promise<Candidates[]> {
  const values = [
    shoppers.flatMap(({ accountId }) => accountId?.toLowerCase() ?? []),
    shoppers.flatMap(({ channel }) => channel ?? []),
    shoppers.flatMap(({ tags }) => tags),
  ].map((given) => [...new Set(given)])
  const [found] = await database.query<Candidates>('catalog_rule_candidates', candidates, values).catch(throwTranslated)
  return shoppers.map(() => found as Candidates)
}

const keyOf = ({ accountId, channel, tags }: ShopperContext): string => JSON.stringify([accountId?.toLowerCase() ?? null, channel, tags])
