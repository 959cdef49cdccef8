/** Input of tiered prices: the currency map of list prices, sales and modifiers. */
import type { PathSegment } from '../input/errors.ts'
import { currencyCode } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { CURRENCIES_MAX, FREE_NAME_MAX, TIERS_MAX } from '../input/limits.ts'
import type { MemberRule } from '../input/member-rule.ts'
import { itsKey, type Sentence } from '../input/sentence.ts'
import { codePoints } from '../input/text.ts'
import { mergeCurrencies, readIncludesTax } from './flat-price-map.ts'
import type { CurrencyPriceRecord, CurrencyPriceRecords, TierRecord } from './price-record.ts'
import { type TierInputs, tierViolations } from './tier.ts'

/** One currency of the input: an undefined member keeps what is stored. `tiers` is replaced whole; null for none. */
export interface CurrencyPriceInput {
  readonly amount: number | null | undefined
  readonly includes_tax: boolean | undefined
  readonly tiers: Tiers | null | undefined
}

type Tiers = NonNullable<CurrencyPriceRecord['tiers']>

/** A partial update of a currency map, by currency code: null removes a currency (patch.maps-merge-at-every-depth). */
export type CurrenciesPatch = ReadonlyMap<string, CurrencyPriceInput | null>

interface GivenTier {
  readonly minimum_quantity: number | null | undefined
  readonly amount: number | null
}

interface ReadPrice extends Omit<CurrencyPriceInput, 'tiers'> {
  /** Undefined for a tier whose minimum quantity can't be read. */
  readonly tiers: ReadonlyMap<string, GivenTier | undefined> | null | undefined
}

/**
 * Reads `currencies: { CUR: { amount?, includes_tax?, tiers? } }`, amounts in minor units from 0. Violations of tier
 * rules come after those of single members. With `entryNullable` a null entry removes a currency; otherwise it is a
 * violation.
 */
export function readCurrencies(
  reader: InputReader,
  { entryNullable = false, ...rule }: MemberRule & { readonly entryNullable?: boolean },
): CurrenciesPatch | null | undefined {
  const own = { ...rule, max: CURRENCIES_MAX, key: currencyCode }
  const given = reader.map('currencies', (entries, code) => readEntry(entries, code, entryNullable), own)
  if (given == null) return given
  reader.addViolations(
    'currencies',
    tierViolations(Object.fromEntries([...given].map(([code, price]) => [code, readableTiers(price)]))),
  )
  return new Map(
    [...given].map(([code, price]) => [code, price && { ...price, tiers: price.tiers && sortTiers(price.tiers) }]),
  )
}

/**
 * The currencies after the patch. A new currency without an amount is stored with null, which is no price
 * (price.list-price-fixes-currencies), and without `includes_tax` as net. `tiers` is absent when there are none.
 */
export function patchCurrencies(
  stored: CurrencyPriceRecords,
  patch: CurrenciesPatch | null | undefined,
): CurrencyPriceRecords {
  return mergeCurrencies(
    stored,
    patch,
    (before: CurrencyPriceRecord | undefined, given: CurrencyPriceInput): CurrencyPriceRecord => {
      const amount = given.amount === undefined ? (before?.amount ?? null) : given.amount
      const includes_tax = given.includes_tax ?? before?.includes_tax ?? false
      const tiers = given.tiers === undefined ? before?.tiers : given.tiers
      return tiers && Object.keys(tiers).length > 0 ? { amount, includes_tax, tiers } : { amount, includes_tax }
    },
  )
}

/**
 * Checks a map key that clients choose, of a sale, a tier or the like: undefined for 1 to FREE_NAME_MAX code points,
 * else the sentence of the violation.
 */
export function freeName(text: string): Sentence | undefined {
  const length = codePoints(text)
  return length >= 1 && length <= FREE_NAME_MAX ? undefined : itsKey(`must be 1 to ${FREE_NAME_MAX} characters`)
}

function readEntry(entries: InputReader, code: PathSegment, nullable: boolean): ReadPrice | null {
  const entry = entries.object(code, { required: true, nullable })
  if (entry == null) return null
  return {
    amount: entry.integer('amount', { nullable: true, min: 0 }),
    includes_tax: readIncludesTax(entry),
    tiers: entry.map('tiers', readTier, {
      nullable: true,
      max: TIERS_MAX,
      key: freeName,
      isName: true,
    }),
  }
}

/**
 * Reads a tier; undefined when its minimum quantity can't be read. The minimum quantity is checked even when the amount
 * is wrong.
 */
function readTier(tiers: InputReader, name: PathSegment): GivenTier | undefined {
  const tier = tiers.object(name)
  const minimum = tier?.ifValid(() => ({ minimum_quantity: readMinimum(tier) }))
  const amount = tier?.integer('amount', { nullable: true, min: 0 }) ?? null
  return minimum && { ...minimum, amount }
}

/** Reads a minimum quantity. One below 1 reads as null, which tierViolations reports by the tier's name. */
function readMinimum(tier: InputReader): number | null | undefined {
  const given = tier.raw('minimum_quantity', { nullable: true })
  return typeof given === 'number' && given < 1 ? null : tier.integer('minimum_quantity', { nullable: true, min: 1 })
}

function readableTiers(price: ReadPrice | null): TierInputs {
  return {
    tiers: Object.fromEntries(
      [...(price?.tiers ?? [])].filter((tier): tier is [string, GivenTier] => tier[1] !== undefined),
    ),
  }
}

/**
 * The tiers as stored, by rising minimum quantity. Only tiers with violations get the defaults; they are never stored.
 */
function sortTiers(given: ReadonlyMap<string, GivenTier | undefined>): Tiers {
  const tiers = [...given].map(([name, tier]): [string, TierRecord] => [
    name,
    { minimum_quantity: tier?.minimum_quantity ?? 0, amount: tier?.amount ?? null },
  ])
  return Object.fromEntries(tiers.sort(([, left], [, right]) => left.minimum_quantity - right.minimum_quantity))
}
