/** The currency price map of list prices, sales and modifiers (contract 2.3; VAL-1, VAL-2, TIER-1, TIER-2). */
import type { PathSegment } from './errors.ts'
import { currencyCode } from './formats.ts'
import type { StoredCurrencyPrice, StoredTier } from './frozen-price.ts'
import { FREE_NAME_MAX } from './limits.ts'
import { codePoints, type MemberRule, type Reader } from './read.ts'
import { type GivenTiers, tierViolations } from './tier.ts'

/** A partial update of a currency map: null removes a currency (GQL-2). */
export type CurrenciesPatch = ReadonlyMap<string, StoredCurrencyPrice | null>

interface GivenTier {
  readonly minimum_quantity: number | null | undefined
  readonly amount: number | null
}

interface GivenPrice {
  readonly amount: number | null
  readonly includes_tax: boolean
  /** Undefined stands for a tier that could not be read. */
  readonly tiers: ReadonlyMap<string, GivenTier | undefined>
}

/**
 * Reads `{ CUR: { amount?, includes_tax?, tiers? } }`. An amount that is absent or null is stored as null: no price in that currency
 * (VAL-1). `includes_tax` absent or null is false, `tiers` null is none. Tier rules follow what is wrong with single members.
 * With `entryNullable` a null entry removes a currency, otherwise it is refused.
 */
export function readCurrencies(
  reader: Reader,
  name: PathSegment,
  rule: MemberRule & { readonly entryNullable?: boolean } = {},
): CurrenciesPatch | null | undefined {
  const { entryNullable = false, ...own } = rule
  const given = reader.map(name, (entries, code) => readEntry(entries, code, entryNullable), { ...own, key: currencyCode })
  if (given == null) return given
  reader.report(name, tierViolations(Object.fromEntries([...given].map(([code, price]) => [code, readableTiers(price)]))))
  return new Map([...given].map(([code, price]) => [code, price && toStored(price)]))
}

/** A name that a client chose as a map key where the contract sets no limit: sales, tiers. */
export function freeName(text: string): string | undefined {
  const length = codePoints(text)
  return length >= 1 && length <= FREE_NAME_MAX ? undefined : `its key must be 1 to ${FREE_NAME_MAX} characters`
}

function readEntry(entries: Reader, code: PathSegment, nullable: boolean): GivenPrice | null {
  const entry = entries.object(code, { required: true, nullable })
  if (entry == null) return null
  return {
    amount: entry.integer('amount', { nullable: true, min: 0 }) ?? null,
    includes_tax: entry.boolean('includes_tax', { nullable: true }) ?? false,
    tiers: entry.map('tiers', (tiers, tier) => tiers.sound(() => readTier(tiers, tier)), { nullable: true, key: freeName }) ?? new Map(),
  }
}

/** The minimum's own rule is TIER-1's, so that a tier without one is told what it lacks. */
function readTier(tiers: Reader, name: PathSegment): GivenTier | undefined {
  const tier = tiers.object(name)
  return tier
    ? {
        minimum_quantity: tier.integer('minimum_quantity', { nullable: true }),
        amount: tier.integer('amount', { nullable: true, min: 0 }) ?? null,
      }
    : undefined
}

function readableTiers(price: GivenPrice | null): GivenTiers {
  return { tiers: Object.fromEntries([...(price?.tiers ?? [])].filter((tier): tier is [string, GivenTier] => tier[1] !== undefined)) }
}

/** Tiers by rising minimum, the key left out when there are none. A tier that breaks a rule never gets as far as the store. */
function toStored({ amount, includes_tax, tiers }: GivenPrice): StoredCurrencyPrice {
  const stored = [...tiers].map(([name, tier]): [string, StoredTier] => [
    name,
    { minimum_quantity: tier?.minimum_quantity ?? 0, amount: tier?.amount ?? null },
  ])
  if (stored.length === 0) return { amount, includes_tax }
  return {
    amount,
    includes_tax,
    tiers: Object.fromEntries(stored.sort(([, left], [, right]) => left.minimum_quantity - right.minimum_quantity)),
  }
}
