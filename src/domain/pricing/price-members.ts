/** Prices by currency as members of records (input/record-members.ts). */
import * as schema from '../input/json-schema.ts'
import { CURRENCIES_MAX, FREE_NAME_MAX, TIERS_MAX } from '../input/limits.ts'
import type { JsonMember } from '../input/record-members.ts'
import { mergePriceMap, type PriceMap, type PriceMapPatch, readPriceMap, tooManyCurrencies } from './flat-price-map.ts'
import type { CurrencyPriceRecords } from './price-record.ts'
import { type CurrenciesPatch, patchCurrencies, readCurrencies } from './tiered-price-input.ts'

const { closed, map, nullable } = schema
const byCurrency = { keys: schema.currencyCode, max: CURRENCIES_MAX }
const stored = { column: 'json', max: CURRENCIES_MAX, violations: tooManyCurrencies } as const

const flatPrices = {
  ...stored,
  kind: 'prices',
  presence: 'optional',
  schema: nullable(
    map(nullable(closed({ 'amount?': schema.integer(0), 'includes_tax?': nullable(schema.boolean) })), byCurrency),
  ),
} as const

/** Prices without tiers; no price is an empty map. */
export const prices: JsonMember<PriceMap, PriceMapPatch, 'optional'> = {
  ...flatPrices,
  read: (reader, name, { stored = {} }) => readPriceMap(reader, name, stored),
  merge: (stored = {}, patch) => mergePriceMap(stored, patch),
}

/** Prices without tiers; no price is null. */
export const pricesOrNull: JsonMember<PriceMap | null, PriceMapPatch, 'optional'> = {
  ...flatPrices,
  read: (reader, name, { stored }) => readPriceMap(reader, name, stored ?? {}),
  merge: (stored, patch) => {
    const merged = mergePriceMap(stored ?? {}, patch)
    return Object.keys(merged).length > 0 ? merged : null
  },
}

const amount = nullable(schema.integer(0))
const tier = closed({ minimum_quantity: schema.integer(1), 'amount?': amount })

/** Tiered prices of a request. */
export const tieredPricesSchema = map(
  closed(
    {
      'amount?': amount,
      'includes_tax?': nullable(schema.boolean),
      'tiers?': nullable(map(tier, { keys: schema.text({ min: 1, max: FREE_NAME_MAX }), max: TIERS_MAX })),
    },
    'NewCurrencyPrice',
  ),
  byCurrency,
)

/** Required prices with tiers, which may be empty; an update may remove single ones or all. */
export const tieredPrices: JsonMember<CurrencyPriceRecords, CurrenciesPatch, 'required'> = {
  ...stored,
  kind: 'tieredPrices',
  presence: 'required',
  schema: tieredPricesSchema,
  read: (reader, _, { isNew }) => readCurrencies(reader, { required: isNew, nullable: !isNew, entryNullable: !isNew }),
  merge: (stored = {}, patch) => patchCurrencies(stored, patch),
  // Null for no tiers, since an import keeps tiers that are not given.
  exported: (currencies) =>
    Object.fromEntries(
      Object.entries(currencies).map(([code, price]) => [code, { ...price, tiers: price.tiers ?? null }]),
    ),
}
