/** Sum of a bundle's selected products: the price of one bundle, in one currency. */
import { maxAmount } from './money.ts'

/** An amount in minor units, and whether it includes tax. */
export interface TaxedAmount {
  readonly amount: number
  readonly includesTax: boolean
}

/** A selected product's price per unit, and its quantity in one bundle. */
export interface SelectedPrice {
  readonly quantity: number
  readonly price: TaxedAmount
  /** List price per unit; null when the list prices inside the product (a nested bundle) disagree on tax. */
  readonly list: TaxedAmount | null
}

/** The price of one bundle, in minor units. */
export interface BundleSum extends TaxedAmount {
  /**
   * Sum of the list prices; null when they disagree on tax although the prices agree, since that sum would be neither
   * net nor gross.
   */
  readonly list: TaxedAmount | null
}

/** The sum of one price or more, or null (`RunningSum`). */
export function sumSelectedPrices(selected: readonly SelectedPrice[]): BundleSum | null {
  const sum = new RunningSum()
  for (const price of selected) sum.add(price)
  return sum.current
}

/** Running sum: prices come and go one by one, each at the same cost, however many are in the sum. */
export class RunningSum {
  private readonly prices = new Total()
  private readonly lists = new Total()

  /** The number of prices in the sum. */
  get count(): number {
    return this.prices.count
  }

  /**
   * The sum of one price or more. Null when the prices disagree on tax (bundle.options-agree-on-tax) or when a sum, of
   * prices or of list prices, exceeds 2^53-1 (money.exact-or-no-price).
   */
  get current(): BundleSum | null {
    const sum = this.prices.taxed
    if (sum === null || this.prices.isTooLarge || this.lists.isTooLarge) return null
    return { ...sum, list: this.lists.count === this.count ? this.lists.taxed : null }
  }

  add(price: SelectedPrice): void {
    this.change(price, 1)
  }

  /** Removes a price that was added. */
  subtract(price: SelectedPrice): void {
    this.change(price, -1)
  }

  private change({ price, list, quantity }: SelectedPrice, sign: 1 | -1): void {
    this.prices.change(price, quantity, sign)
    if (list !== null) this.lists.change(list, quantity, sign)
  }
}

/** A total of amounts and the number of them by tax flag. */
class Total {
  /** Minor units. A big integer stays exact above 2^53-1, so amounts can be taken away again. */
  private amount = 0n
  private withTax = 0
  count = 0

  get isTooLarge(): boolean {
    return this.amount > maxAmount
  }

  /** The total; null when the amounts disagree on tax. */
  get taxed(): TaxedAmount | null {
    if (this.withTax !== 0 && this.withTax !== this.count) return null
    return { amount: Number(this.amount), includesTax: this.withTax > 0 }
  }

  /** Adds the amount for `quantity` units, or subtracts it. */
  change({ amount, includesTax }: TaxedAmount, quantity: number, sign: 1 | -1): void {
    this.amount += BigInt(sign) * BigInt(amount) * BigInt(quantity)
    this.count += sign
    if (includesTax) this.withTax += sign
  }
}
