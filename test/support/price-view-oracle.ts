/** Price view oracle: the expected price members of a listed product, on top of price-oracle.ts, without display prices and modifiers. */
import type { CurrencyPriceRecord, ReleasePricing } from '../../src/domain/pricing/price-record.ts'
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
 * sale.reported-when-it-supplies, price.original-in-every-currency, sale.expires-at-its-own-end, bundle.sum-has-no-sale,
 * price.book-named-without-price for one product; `withTiers` for one that stands alone.
 */
function entry(unit: ReleasePricing, query: Omit<OracleQuery, 'currency'>, withTiers: boolean): Json {
  const prices = everyCurrency.map((currency) => [currency, oraclePrice(unit, { ...query, currency })] as const)
  const found = prices.filter((pair): pair is [string, OraclePrice] => pair[1] !== null)
  const row = isSummed(unit) ? null : (unit.own ?? unit.base)
  const view: Json = { pricebook_id: row === null ? null : row.book }
  if (found.length > 0) {
    const toEntry = ([currency, price]: [string, OraclePrice]): [string, Json] => {
      const tiers = withTiers ? shownTiers(unit, currency, query.now, price) : []
      return [
        currency,
        { amount: price.amount, includes_tax: price.tax, ...(tiers.length > 0 ? { tiers: Object.fromEntries(tiers) } : {}) },
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

/** tier.listing-shows-those-in-force. */
function shownTiers(unit: ReleasePricing, currency: string, now: number, price: OraclePrice): [string, Json][] {
  const row = isSummed(unit) ? null : (unit.own ?? unit.base)
  const inherits = row !== null && unit.own === null
  if (row === null || (inherits && applicableModifiers(unit, currency).some(({ type }) => type === 'price_equals'))) return []
  const tiers = (prices: CurrencyPriceRecord | null) => Object.entries(prices?.tiers ?? {}).filter(([, tier]) => tier.amount !== null)
  const sale = price.sale === null ? null : winningSale(row, now, null)
  const list = tiers(currencyPrice(row.currencies, currency))
  const ofSale = sale === null ? [] : tiers(currencyPrice(sale.currencies, currency))
  const permanent = sale !== null && sale.from === null && sale.to === null
  const below = ofSale.filter(([name, tier]) =>
    list.every(([other, { minimum_quantity }]) => other !== name && tier.minimum_quantity < minimum_quantity),
  )
  return (permanent ? ofSale : [...list, ...below]).map(([name, tier]) => [name, { minimum_quantity: tier.minimum_quantity }])
}

/** The expected members; `changesAt` is the earliest of all currencies and component products (list.true-until-next-change). */
export function expectedPriceView(unit: ReleasePricing, now: number, selection: Selection | null): Json {
  const ownQuery = { now, quantity: 1, bundle: null, selection }
  const changes = everyCurrency.map((currency) => oracleChange(unit, { ...ownQuery, currency }))
  const view = entry(unit, ownQuery, true)
  if (unit.components) {
    const picked = chosenOptions(unit, selection)
    const components: [string, Json][] = []
    for (const id of new Set(Object.values(unit.components).flatMap(({ options }) => options.map((option) => option.id)))) {
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
