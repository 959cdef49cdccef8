/** Orders by price, worked out from what the products themselves show. */
import type { Store } from './store.ts'

/** A product with its price as a list shows it. */
export interface PricedProduct {
  readonly key: string
  readonly price: { readonly amount: { readonly amount: number }; readonly sale: object | null } | null
}

/** Instants right before, at and right after every start and end of a sale. */
export function boundaries(store: Store): number[] {
  const turns = new Set(store.prices.flatMap(({ sales }) => sales.flatMap(({ from, to }) => [from, to])))
  const instants = [...turns].flatMap((turn) => (turn === null ? [] : [turn - 1, turn, turn + 1]))
  return [...new Set(instants)].sort((left, right) => left - right)
}

export const amountOf = ({ price }: PricedProduct): number | null => price?.amount.amount ?? null

/** The products by amount, those without one last, ties as they are. */
export function inPriceOrder<T extends PricedProduct>(products: readonly T[], sign: 1 | -1): T[] {
  const priced = products.filter((one) => amountOf(one) !== null)
  const order = priced.toSorted((left, right) => sign * (Number(amountOf(left)) - Number(amountOf(right))))
  return [...order, ...products.filter((one) => amountOf(one) === null)]
}
