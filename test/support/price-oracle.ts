/**
 * Price oracle: a second, naive implementation of price resolution straight from the rules, with which the real one is
 * compared. It shares only types with src.
 */
import type {
  CurrencyPriceRecord,
  CurrencyPriceRecords,
  ReleaseModifier,
  ReleasePriceRecord,
  ReleasePricing,
  ReleaseSale,
} from '../../src/domain/pricing/price-record.ts'

export interface OracleQuery {
  now: number
  currency: string
  quantity: number
  bundle: string | null
  selection?: Record<string, Record<string, number>> | null
}

/** A price and its reasons; instants are epoch milliseconds, null when open. */
export interface OraclePrice {
  amount: number
  tax: boolean
  list: { amount: number; tax: boolean } | null
  book: string | null
  sale: string | null
  from: number | null
  to: number | null
  tier: string | null
  modifiers: string[]
}

interface Candidate {
  readonly amount: number
  readonly tier: string | null
  readonly tax: boolean
  readonly sale: ReleaseSale | null
}

const top = 2n ** 53n - 1n

/** The name and amount of the tier that applies (tier.null-amount-is-absent), by comparison of all. */
function tierFor(block: CurrencyPriceRecord, quantity: number): { name: string; amount: number } | null {
  let best: { name: string; amount: number; minimum: number } | null = null
  for (const name of Object.keys(block.tiers ?? {})) {
    const tier = block.tiers?.[name]
    if (!tier || tier.amount === null || tier.minimum_quantity > quantity) continue
    if (best === null || tier.minimum_quantity > best.minimum)
      best = { name, amount: tier.amount, minimum: tier.minimum_quantity }
  }
  return best
}

export function currencyPrice(currencies: CurrencyPriceRecords, currency: string): CurrencyPriceRecord | null {
  const found = currencies[currency]
  return found && found.amount !== null ? found : null
}

/** Whether sale `a` wins against `b` (sale.shortest-period-wins). */
function beats(a: ReleaseSale, b: ReleaseSale): boolean {
  const length = (sale: ReleaseSale) => (sale.from === null || sale.to === null ? 'open' : sale.to - sale.from)
  const [la, lb] = [length(a), length(b)]
  if (la !== lb) return la !== 'open' && (lb === 'open' || la < lb)
  if (a.from !== b.from) return a.from !== null && (b.from === null || a.from > b.from)
  const points = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const [pa, pb] = [points(a.name), points(b.name)]
  for (let i = 0; i < pa.length || i < pb.length; i++) {
    const [x, y] = [pa[i] ?? -1, pb[i] ?? -1]
    if (x !== y) return x < y
  }
  return false
}

export function winningSale(row: ReleasePriceRecord, now: number, bundle: string | null): ReleaseSale | null {
  const running = row.sales.filter(
    (sale) =>
      Object.keys(sale.currencies).length !== 0 &&
      (sale.bundles.length === 0 || sale.bundles.some((id) => id === bundle)) &&
      (sale.from === null || !(now < sale.from)) &&
      (sale.to === null || now < sale.to),
  )
  return running.find((sale) => running.every((other) => other === sale || beats(sale, other))) ?? null
}

/**
 * The names of modifiers that take part, in the order of the child's options (modifier.last-mention-counts), found and
 * with a plain amount in the currency.
 */
export function applicableModifiers(unit: ReleasePricing, currency: string): ReleaseModifier[] {
  const names: string[] = []
  for (const name of [...(unit.modifier_names ?? [])].reverse()) if (!names.includes(name)) names.unshift(name)
  return names.flatMap((name) =>
    (unit.modifiers ?? []).filter(
      (modifier) => modifier.name === name && currencyPrice(modifier.currencies, currency) !== null,
    ),
  )
}

function formula(base: bigint, modifiers: ReleaseModifier[], currency: string, quantity: number | null): bigint | null {
  const value = (modifier: ReleaseModifier): bigint => {
    const found = currencyPrice(modifier.currencies, currency) as CurrencyPriceRecord
    return BigInt((quantity === null ? null : tierFor(found, quantity))?.amount ?? (found.amount as number))
  }
  let result = base
  for (const modifier of modifiers) if (modifier.type === 'price_equals') result = value(modifier)
  for (const modifier of modifiers) if (modifier.type === 'price_increment') result += value(modifier)
  if (result > top) return null
  for (const modifier of modifiers) if (modifier.type === 'price_decrement') result -= value(modifier)
  return result < 0n ? 0n : result
}

function rowPrice(
  unit: ReleasePricing,
  row: ReleasePriceRecord,
  inherited: boolean,
  query: OracleQuery,
): OraclePrice | null {
  const { currency, quantity } = query
  const list = currencyPrice(row.currencies, currency)
  if (list === null) return null
  const listAmount = list.amount as number
  const answer: OraclePrice = {
    amount: listAmount,
    tax: list.includes_tax,
    list: { amount: listAmount, tax: list.includes_tax },
    book: row.book,
    sale: null,
    from: null,
    to: null,
    tier: null,
    modifiers: [],
  }
  const listTier = tierFor(list, quantity)
  const sale = winningSale(row, query.now, query.bundle === unit.id ? null : query.bundle)
  const salePrice = sale && currencyPrice(sale.currencies, currency)
  // Every candidate at the quantity: the sale's price, and the reached list tier or, without a sale, the list price.
  const candidates: Candidate[] = []
  if (sale && salePrice) {
    const saleTier = tierFor(salePrice, quantity)
    const amount = saleTier?.amount ?? (salePrice.amount as number)
    candidates.push({ amount, tier: saleTier?.name ?? null, tax: salePrice.includes_tax, sale })
  }
  if (listTier) candidates.push({ amount: listTier.amount, tier: listTier.name, tax: list.includes_tax, sale: null })
  else if (!salePrice) candidates.push({ amount: listAmount, tier: null, tax: list.includes_tax, sale: null })
  const comparable = candidates.every(({ tax }) => tax === candidates[0]?.tax)
  const lowest = Math.min(...candidates.map(({ amount }) => amount))
  const supplier = candidates.find(({ amount }) => !comparable || amount === lowest) as Candidate
  const { sale: by } = supplier
  Object.assign(answer, { amount: supplier.amount, tier: supplier.tier, tax: supplier.tax })
  Object.assign(answer, { sale: by?.name ?? null, from: by?.from ?? null, to: by?.to ?? null })
  if (!inherited) return answer

  const modifiers = applicableModifiers(unit, currency)
  const amount = formula(BigInt(answer.amount), modifiers, currency, quantity)
  const modifiedList = formula(BigInt(listAmount), modifiers, currency, null)
  if (amount === null || modifiedList === null) return null
  const equals = modifiers.filter((modifier) => modifier.type === 'price_equals').pop()
  const of = (type: string) => modifiers.filter((modifier) => modifier.type === type).map((modifier) => modifier.name)
  answer.modifiers = [...(equals ? [equals.name] : []), ...of('price_increment'), ...of('price_decrement')]
  answer.amount = Number(amount)
  answer.list = { amount: Number(modifiedList), tax: list.includes_tax }
  if (equals) {
    const tax = currencyPrice(equals.currencies, currency)?.includes_tax === true
    Object.assign(answer, { tax, sale: null, from: null, to: null, tier: null })
    answer.list.tax = tax
  }
  return answer
}

/**
 * bundle.default-selection, bundle.same-product-adds-up, bundle.option-quantity-from-one: product ids of a selection
 * with their quantities, added up.
 */
export function chosenOptions(
  unit: ReleasePricing,
  selection?: Record<string, Record<string, number>> | null,
): [string, number][] {
  const picks: [string, number][] = []
  if (selection) {
    for (const options of Object.values(selection)) picks.push(...Object.entries(options))
  } else {
    for (const component of Object.values(unit.components ?? {})) {
      const places = component.options.map((option, place) => ({
        option,
        place,
        order: option.sort_order ?? Number.NEGATIVE_INFINITY,
      }))
      places.sort((a, b) => (a.order === b.order ? a.place - b.place : b.order > a.order ? 1 : -1))
      const marked = places.filter(({ option }) => option.default)
      const taken = marked.length === 0 ? places.filter((_, index) => index < (component.min ?? 0)) : marked
      picks.push(...taken.map(({ option }): [string, number] => [option.id, option.quantity ?? 1]))
    }
  }
  const ids = [...new Set(picks.map(([id]) => id))]
  return ids.map((id) => [id, picks.filter(([other]) => other === id).reduce((sum, [, count]) => sum + count, 0)])
}

export function isSummed(unit: ReleasePricing): boolean {
  return unit.own === null && Object.keys(unit.components ?? {}).length > 0
}

export function oraclePrice(unit: ReleasePricing, query: OracleQuery): OraclePrice | null {
  if (unit.own) return rowPrice(unit, unit.own, false, query)
  if (!isSummed(unit)) return unit.base ? rowPrice(unit, unit.base, true, query) : null
  const asks = asksOf(unit, query)
  if (asks.length === 0) return null
  let [amount, list] = [0n, 0n]
  const taxes = new Set<boolean>()
  const listTaxes = new Set<boolean | null>()
  for (const { option, units, asked } of asks) {
    const price = option && oraclePrice(option, asked)
    if (!price) return null
    amount += BigInt(price.amount) * BigInt(units)
    taxes.add(price.tax)
    listTaxes.add(price.list?.tax ?? null)
    if (price.list) list += BigInt(price.list.amount) * BigInt(units)
  }
  if (taxes.size !== 1 || amount > top || list > top) return null
  const [tax] = taxes
  const [listTax] = listTaxes
  const listed = listTaxes.size === 1 && listTax != null ? { amount: Number(list), tax: listTax } : null
  const reasons = { book: null, sale: null, from: null, to: null, tier: null, modifiers: [] }
  return { amount: Number(amount), tax: tax === true, list: listed, ...reasons }
}

function asksOf(unit: ReleasePricing, query: OracleQuery) {
  return chosenOptions(unit, query.selection).map(([id, units]) => {
    const asked: OracleQuery = {
      now: query.now,
      currency: query.currency,
      quantity: query.quantity * units,
      bundle: unit.id,
    }
    return { option: unit.options?.[id] ?? null, units, asked }
  })
}

/**
 * bundle.empty-selection-has-no-price, bundle.currencies-of-all-options, bundle.live-options-only: whether any instant
 * can have a price in the currency.
 */
function canExist(unit: ReleasePricing, query: OracleQuery): boolean {
  if (!isSummed(unit)) return currencyPrice((unit.own ?? unit.base)?.currencies ?? {}, query.currency) !== null
  const asks = asksOf(unit, query)
  return asks.length > 0 && asks.every(({ option, asked }) => option !== null && canExist(option, asked))
}

function bounds(unit: ReleasePricing): number[] {
  const own = [...(unit.own?.sales ?? []), ...(unit.base?.sales ?? [])].flatMap((sale) => [sale.from, sale.to])
  return [...own.filter((bound) => bound !== null), ...Object.values(unit.options ?? {}).flatMap(bounds)]
}

/**
 * price.changes-with-its-reasons, price.changes-strictly-later, bundle.earliest-change-of-options by asking again at
 * every bound after `now`; also when there is no price now (list.true-until-next-change, bundle.price-may-come-and-go).
 */
export function oracleChange(unit: ReleasePricing, query: OracleQuery): number | null {
  if (isSummed(unit)) {
    const asks = asksOf(unit, query)
    if (!canExist(unit, query)) return null
    const changes = asks
      .map(({ option, asked }) => oracleChange(option as ReleasePricing, asked))
      .filter((at) => at !== null)
    return changes.length === 0 ? null : Math.min(...changes)
  }
  const tuple = (now: number) => {
    const price = oraclePrice(unit, { ...query, now })
    return JSON.stringify(price && [price.amount, price.tax, price.sale, price.to, price.tier])
  }
  const later = bounds(unit).filter((at) => at > query.now && tuple(at) !== tuple(query.now))
  return later.length === 0 ? null : Math.min(...later)
}
