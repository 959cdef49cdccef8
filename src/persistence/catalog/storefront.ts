/**
 * Storefronts: which catalog the rules choose for a shopper, and which confidential ones they give, from memory
 * (catalog-rule.most-matches-win, catalog.confidential-by-proof).
 *
 * One statement reads the matching rules of any number of shoppers. They are cached as long as the release cache finds
 * the same state of the rules, so a written rule is seen as soon as a published release. Rules that are newer than that
 * state are used until the release cache is read again.
 *
 * SQL, since Prisma can't read rules and their state in one statement.
 */
import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { CatalogRule } from '../../domain/catalog/catalog-rule.ts'
import {
  type CandidateRule,
  givingRules,
  inSchedule,
  matchingRules,
  ruleInForce,
  type Shopper,
  type ShopperContext,
} from '../../domain/catalog/rule-choice.ts'
import { cacheLookups } from '../../lib/metrics.ts'
import type { StorefrontChoice } from '../../response-cache/cache-policy.ts'
import type { Database } from '../database/database.ts'
import { throwTranslated } from '../database/failures.ts'
import { ruleTable } from './catalog-rule.ts'
import type { ReadableReleases } from './readable-releases.ts'
import { stateOfRules } from './release-sql.ts'

/** Bytes of all cached rules. */
const RULE_BYTES_MAX = 8 * 1024 * 1024

const lookups = cacheLookups('storefront_rules')

/**
 * The instants of a choice, epoch milliseconds: one for the schedules of the rules, one that decides which releases are
 * the latest.
 */
interface Instants {
  readonly rules: number
  readonly releases: number
}

/** A rule that matches a shopper. */
type MatchedRule = Pick<CatalogRule, 'catalogId' | 'schedules'>

/**
 * The rules that match a shopper, best first, and those that give a confidential catalog, with the state of all rules
 * when they were read (ReadableReleases.rules).
 */
interface Matching {
  readonly state: string
  readonly rules: readonly MatchedRule[]
  readonly giving: readonly MatchedRule[]
  /** What the release cache had found when they were read; weak, since it is replaced every second. */
  readonly readBeside: WeakRef<ReadableReleases>
}

/** The part of the release cache that choices depend on. */
interface Releases {
  /** What was found last, and whether that was less than a second ago. */
  known(): { readonly readable: ReadableReleases; readonly isYoung: boolean }
  /**
   * Reads anew what is published, and the index of the catalog's latest release if it is not cached, since that is
   * wanted next.
   */
  read(catalogId: string | null, now: number): Promise<ReadableReleases>
}

/**
 * The confidential catalogs that a shopper has at an instant, each with the instant from which on it may be lost, null
 * for never.
 */
export type Given = ReadonlyMap<string, number | null>

const nothingGiven: Given = new Map()

/** The choices of one process. */
export class Storefronts {
  private readonly matching = new LRUCache<string, Matching>({
    maxSize: RULE_BYTES_MAX,
    sizeCalculation: ({ rules, giving }, key) =>
      [...rules, ...giving].reduce((sum, { schedules }) => sum + 150 + 50 * schedules.length, 2 * key.length + 200),
  })
  private readonly reading: DataLoader<Shopper, Candidates>

  constructor(
    database: Database,
    private readonly releases: Releases,
  ) {
    this.reading = new DataLoader((shoppers) => readCandidates(database, shoppers), { cache: false })
  }

  /**
   * The catalog for a shopper. Two statements at most, none when what is published and the shopper's rules are known.
   */
  async choose(shopper: Shopper, instants: Instants): Promise<StorefrontChoice> {
    const { matching, readable } = await this.current(shopper, instants)
    return choiceOf(matching, readable, instants)
  }

  /** As `choose`, from memory alone; undefined when the database has to be read. */
  chooseCached(shopper: Shopper, instants: Instants): StorefrontChoice | undefined {
    const found = this.currentCached(shopper)
    return found && choiceOf(found.matching, found.readable, instants)
  }

  /** The confidential catalogs of a shopper at `now`, by what the token proves. Statements as for `choose`. */
  async given(proved: ShopperContext, now: number): Promise<Given> {
    if (provesNothing(proved)) return nothingGiven
    const { matching } = await this.current({ context: proved, proved }, { rules: now, releases: now })
    return givenBy(matching, now)
  }

  /** As `given`, from memory alone; undefined when the database has to be read. */
  givenCached(proved: ShopperContext, now: number): Given | undefined {
    if (provesNothing(proved)) return nothingGiven
    const found = this.currentCached({ context: proved, proved })
    return found && givenBy(found.matching, now)
  }

  private async current(shopper: Shopper, instants: Instants) {
    const key = keyOf(shopper)
    const { readable: known, isYoung } = this.releases.known()
    const before = this.matching.get(key)
    const likely = before ? choiceOf(before, known, instants).catalogId : null
    const readable = isYoung ? known : await this.releases.read(likely, instants.releases)
    const cached = lookups.count(isCurrent(before, readable) ? before : undefined)
    if (cached) return { matching: cached, readable }
    const found = await this.reading.load(shopper)
    const matching = {
      state: found.state,
      rules: matchingRules(found.rules, shopper).map(partOf),
      giving: givingRules(found.rules, shopper.proved).map(partOf),
      readBeside: new WeakRef(readable),
    }
    this.matching.set(key, matching)
    return { matching, readable }
  }

  private currentCached(shopper: Shopper) {
    const { readable, isYoung } = this.releases.known()
    const matching = this.matching.get(keyOf(shopper))
    return isYoung && matching && isCurrent(matching, readable) ? { matching, readable } : undefined
  }
}

const partOf = ({ catalogId, schedules }: MatchedRule): MatchedRule => ({ catalogId, schedules })

function provesNothing({ accountId, channel, tags }: ShopperContext): boolean {
  return accountId === null && channel === null && tags.length === 0
}

/** Whether the cached rules of a shopper may be used beside what the release cache has found last. */
function isCurrent(matching: Matching | undefined, readable: ReadableReleases): matching is Matching {
  return matching?.state === readable.rules || matching?.readBeside.deref() === readable
}

/** Without a rule in force, the choice is the catalog first published longest ago that still has a release. */
function choiceOf({ rules }: Matching, readable: ReadableReleases, instants: Instants): StorefrontChoice {
  const { rule, until } = ruleInForce(rules, instants.rules)
  if (rule) return { catalogId: rule.catalogId, until }
  const first = readable.firstCatalog(instants.releases)
  const bounds = [until, first.until].filter((bound) => bound !== null)
  return { catalogId: first.catalogId, until: bounds.length > 0 ? Math.min(...bounds) : null }
}

/** The catalogs of the rules that are in force. A catalog of several rules is lost when the last of them ends. */
function givenBy({ giving }: Matching, now: number): Given {
  const given = new Map<string, number | null>()
  for (const rule of giving) {
    if (!inSchedule(rule, now)) continue
    const { until } = ruleInForce([rule], now)
    const other = given.get(rule.catalogId)
    given.set(rule.catalogId, until === null || other === null ? null : Math.max(until, other ?? until))
  }
  return given
}

/**
 * The rules that may match some shoppers, oldest first, with the state of all rules at that moment
 * (ReadableReleases.rules).
 */
interface Candidates {
  readonly state: string
  readonly rules: readonly CandidateRule[]
}

// One statement, since the state has to be that of the rules. If the state was read earlier, rules written in between
// would be cached under it, and it is the state again once they are deleted. Of rules of one transaction the first
// written is the oldest (record.order-of-writing-decides).
const candidates = `
SELECT ${stateOfRules} AS state, (
  SELECT coalesce(json_agg(json_build_object('catalogId', r.catalog_id, 'accountIds', r.account_ids, 'channels', r.channels, 'tags', r.tags,
    'schedules', r.schedules, 'confidential', c.confidential) ORDER BY r.created_at, r.first_version), '[]')
  FROM catalog_rule r JOIN catalog c ON c.id = r.catalog_id
  WHERE r.account_ids && $1::text[] OR r.channels && $2::text[] OR r.tags && $3::text[]
    OR cardinality(r.account_ids) + cardinality(r.channels) + cardinality(r.tags) = 0) AS rules`

/** For each shopper the rules that may match any of the shoppers. */
async function readCandidates(database: Database, shoppers: readonly Shopper[]): Promise<Candidates[]> {
  const contexts = shoppers.flatMap(({ context, proved }) => [context, proved])
  const values = [
    contexts.flatMap(({ accountId }) => accountId?.toLowerCase() ?? []),
    contexts.flatMap(({ channel }) => channel ?? []),
    contexts.flatMap(({ tags }) => tags),
  ].map((given) => [...new Set(given)])
  const [found] = await database.query<Candidates>('catalog_rule_candidates', candidates, values).catch(throwTranslated)
  return shoppers.map(() => found as Candidates)
}

const keyOf = ({ context, proved }: Shopper): string => JSON.stringify([context, proved].map(partsOf))

const partsOf = ({ accountId, channel, tags }: ShopperContext) => [accountId?.toLowerCase() ?? null, channel, tags]

/** All rules, oldest first. One statement. */
export async function rulesOldestFirst({ prisma }: Database): Promise<(CatalogRule & CandidateRule)[]> {
  const rows = await prisma.catalogRule.findMany({
    orderBy: [{ createdAt: 'asc' }, { firstVersion: 'asc' }],
    include: { catalog: { select: { confidential: true } } },
  })
  return rows.map(({ catalog: { confidential }, ...row }) => ({ ...ruleTable.fromRow(row), confidential }))
}
