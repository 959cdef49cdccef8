/**
 * Price view oracle: the expected price members of a listed product, on top of price-oracle.ts, without display prices
 * and modifiers.
 */
import type { ReleasePricing } from '../../src/domain/pricing/price-record.ts'
import {
  applicableModifiers,
  chosenOptions,
  currencyPrice,
  isSummed,
  type OraclePrice,
  type OracleQuery,
  oracleChange,
  oraclePrice,
  winningSale,
} from './price-oracle.ts'

type Json = Record<string, unknown>
type Selection = NonNullable<OracleQuery['selection']>

const everyCurrency = ['EUR', 'GBP', 'USD']

/**
 * sale.reported-when-it-supplies, price.original-in-every-currency, sale.expires-at-its-own-end,
 * bundle.sum-has-no-sale, price.book-named-without-price for one product; `withTiers` for one that stands alone.
 */
function entry(unit: ReleasePricing, query: Omit<OracleQuery, 'currency'>, withTiers: boolean): Json {
  const prices = everyCurrency.map((currency) => [currency, oraclePrice(unit, { ...query, currency })] as const)
  const found = prices.filter((pair): pair is [string, OraclePrice] => pair[1] !== null)
  const row = isSummed(unit) ? null : (unit.own ?? unit.base)
  const view: Json = { pricebook_id: row === null ? null : row.book }
  if (found.length > 0) {
    const toEntry = ([currency, price]: [string, OraclePrice]): [string, Json] => {
      const tiers = withTiers ? shownTiers(unit, currency, query.now) : []
      return [
        currency,
        {
          amount: price.amount,
          includes_tax: price.tax,
          ...(tiers.length > 0 ? { tiers: Object.fromEntries(tiers) } : {}),
        },
      ]
    }
    view.price = Object.fromEntries(found.map(toEntry))
  }
  const onSale = found.find(([, price]) => price.sale !== null)?.[1]
  if (onSale) {
    view.sale_id = onSale.sale
    view.sale_expires = onSale.to === null ? null : new Date(onSale.to).toISOString()
    view.original_price = Object.fromEntries(
      found.map(([currency, { list }]) => [currency, { amount: list?.amount, includes_tax: list?.tax }]),
    )
  }
  return view
}

/** tier.listing-shows-those-that-supply: each tier is asked for the price at its own minimum, modifiers apart. */
function shownTiers(unit: ReleasePricing, currency: string, now: number): [string, Json][] {
  const row = isSummed(unit) ? null : (unit.own ?? unit.base)
  const inherits = row !== null && unit.own === null
  if (row === null || (inherits && applicableModifiers(unit, currency).some(({ type }) => type === 'price_equals')))
    return []
  const plain: ReleasePricing = { id: unit.id, own: row, base: null }
  const sale = winningSale(row, now, null)
  const blocks = [
    { prices: currencyPrice(row.currencies, currency), name: null },
    { prices: sale && currencyPrice(sale.currencies, currency), name: sale?.name ?? null },
  ]
  return blocks.flatMap(({ prices, name: ofSale }) =>
    Object.entries(prices?.tiers ?? {}).flatMap(([tier, { minimum_quantity, amount }]): [string, Json][] => {
      if (amount === null) return []
      const supplied = oraclePrice(plain, { now, currency, quantity: minimum_quantity, bundle: null })
      return supplied?.tier === tier && supplied.sale === ofSale ? [[tier, { minimum_quantity }]] : []
    }),
  )
}

/** The first instant after `now` at which other tiers are shown. */
function tierChange(unit: ReleasePricing, currency: string, now: number): number | null {
  if (oraclePrice(unit, { now, currency, quantity: 1, bundle: null }) === null) return null
  const shown = (at: number) => JSON.stringify(shownTiers(unit, currency, at).sort())
  const bounds = [unit.own, unit.base]
    .flatMap((row) => row?.sales ?? [])
    .flatMap((sale) => [sale.from, sale.to])
    .filter((at) => at !== null && at > now && shown(at) !== shown(now)) as number[]
  return bounds.length === 0 ? null : Math.min(...bounds)
}

/**
 * The expected members; `changesAt` is the earliest of all currencies and component products
 * (list.true-until-next-change).
 */
export function expectedPriceView(unit: ReleasePricing, now: number, selection: Selection | null): Json {
  const ownQuery = { now, quantity: 1, bundle: null, selection }
  const changes = everyCurrency.flatMap((currency) => [
    oracleChange(unit, { ...ownQuery, currency }),
    tierChange(unit, currency, now),
  ])
  const view = entry(unit, ownQuery, true)
  if (unit.components) {
    const picked = chosenOptions(unit, selection)
    const components: [string, Json][] = []
    for (const id of new Set(
      Object.values(unit.components).flatMap(({ options }) => options.map((option) => option.id)),
    )) {
      const option = unit.options?.[id]
      if (!option) continue
      const offered = Object.values(unit.components).flatMap(({ options }) =>
        options.filter((other) => other.id === id).map((other) => other.quantity ?? 1),
      )
      const quantity = picked.find(([other]) => other === id)?.[1] ?? Math.min(...offered)
      const optionQuery = { now, quantity, bundle: unit.id }
      components.push([id, entry(option, optionQuery, false)])
      changes.push(...everyCurrency.map((currency) => oracleChange(option, { ...optionQuery, currency })))
    }
    view.component_products = Object.fromEntries(components)
  }
  const coming = changes.filter((at) => at !== null)
  return { ...view, changesAt: coming.length === 0 ? null : Math.min(...coming) }
}
