/** The sales of a price record as they are stored, as their form has them, and as the graph takes them. */
import type { FragmentOf } from 'gql.tada'
import { type Tier, typedTiers } from './edit-tiers.tsx'
import { graphql } from './graph.ts'
import { typedInstant } from './store-time.ts'
import { minorUnits } from './typed-amount.ts'

/** What the form shows of the sales, which is all that they have. */
export const Sales = graphql(`
  fragment Sales on ProductPrice {
    sales {
      id
      name
      schedule { validFrom validTo }
      bundleIds
      prices {
        currency
        includesTax
        amount { amount fractionDigits }
        tiers { name minimumQuantity amount { amount } }
      }
    }
  }
`)

export type StoredSale = FragmentOf<typeof Sales>['sales'][number]
type StoredPrice = StoredSale['prices'][number]

/**
 * A sale as `SaleInput` takes it: whole, since what it leaves out is gone. A stored one is known by its name, so that
 * one of another name is a new sale. Amounts are in minor units.
 */
export interface SaleValue {
  readonly name: string
  readonly schedule: { readonly validFrom: string | null; readonly validTo: string | null } | null
  readonly bundleIds: string[]
  readonly prices: PriceValue[]
}

interface PriceValue {
  readonly currency: string
  readonly price: { readonly amount: number | null; readonly includesTax: boolean; readonly tiers: Tier[] }
}

/** A currency in which a sale may have a price. */
export interface Currency {
  readonly currency: string
  readonly fractionDigits: number
  readonly includesTax: boolean
}

/** A row of the form: a stored sale, or a new one. */
export interface SaleRow {
  /** With what the names of its inputs begin. */
  readonly field: string
  readonly stored: StoredSale | null
}

/** A stored tier with the members of its input alone. */
export const tierOf = ({ name, minimumQuantity, amount }: StoredPrice['tiers'][number]): Tier => ({
  name,
  minimumQuantity,
  amount: amount?.amount ?? null,
})

const priceValue = ({ currency, amount, includesTax, tiers }: StoredPrice): PriceValue => ({
  currency,
  price: { amount: amount?.amount ?? null, includesTax, tiers: tiers.map(tierOf) },
})

/** A stored sale as it is sent again. */
export const saleValue = ({ name, schedule, bundleIds, prices }: StoredSale): SaleValue => ({
  name,
  schedule: schedule && { validFrom: schedule.validFrom, validTo: schedule.validTo },
  bundleIds: [...bundleIds],
  prices: prices.map(priceValue),
})

const byCode = (one: { readonly currency: string }, other: { readonly currency: string }): number =>
  one.currency < other.currency ? -1 : 1

/** The currencies of the list prices, and those that the sale has besides them, each with the tax flag of the sale. */
export function currenciesOf(listed: readonly Currency[], sale: StoredSale | null): Currency[] {
  const own = (sale?.prices ?? []).flatMap(({ amount, currency, includesTax }) =>
    amount ? [{ currency, includesTax, fractionDigits: amount.fractionDigits }] : [],
  )
  const others = listed.filter(({ currency }) => own.every((one) => one.currency !== currency))
  return [...own, ...others].sort(byCode)
}

/** The sale of a row as it is typed. What was not changed is sent as it is stored. */
export function typedSale(
  form: FormData,
  { field, stored }: SaleRow,
  listed: readonly Currency[],
  timeZone: string,
): SaleValue {
  const text = (name: string): string => String(form.get(`${field} ${name}`) ?? '').trim()
  const validFrom = typedInstant(text('from'), stored?.schedule?.validFrom ?? null, timeZone)
  const validTo = typedInstant(text('until'), stored?.schedule?.validTo ?? null, timeZone)
  const typed = currenciesOf(listed, stored).flatMap(({ currency, fractionDigits, includesTax }) => {
    const amount = text(currency)
    const tiers = typedTiers(form, `${field} ${currency}`, fractionDigits)
    return amount ? [{ currency, price: { amount: minorUnits(amount, fractionDigits), includesTax, tiers } }] : []
  })
  // A currency without an amount counts as lacking; the form does not show it.
  const hidden = (stored?.prices ?? []).filter(
    ({ amount, currency }) => !amount && typed.every((one) => one.currency !== currency),
  )
  return {
    name: text('name'),
    schedule: validFrom || validTo ? { validFrom, validTo } : null,
    bundleIds: [...(stored?.bundleIds ?? [])],
    prices: [...typed, ...hidden.map(priceValue)].sort(byCode),
  }
}
