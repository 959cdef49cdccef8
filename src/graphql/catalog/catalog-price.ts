/** Prices as published, with their reasons. */

import type { PriceableProduct, Selection } from '../../domain/pricing/priceable-product.ts'
import type { Price } from '../../domain/pricing/resolution.ts'
import type { SaleSummary } from '../../domain/pricing/sale.ts'
import { toPriceView } from '../../domain/pricing/to-price-view.ts'
import type { Context } from '../../request/context.ts'
import { PRICE_POINTS } from '../../request/request-work.ts'
import { type Price as CurrencyPrice, DisplayPriceRef, displayLocaleArgs, formattedPrice, PriceRef } from '../pricing/price.ts'
import { PriceBookRef } from '../pricing/price-book.ts'
import { ProductPriceRef } from '../pricing/product-price.ts'
import { tierList } from '../pricing/tiered-price.ts'
import { builder } from '../schema/builder.ts'
import { AppliedPriceModifierRef, CatalogSaleRef, PriceTierRef, type RecordedReason } from './catalog-price-reason.ts'

/** What is priced, and in which readPriceArguments. */
export interface PriceSubject {
  readonly unit: PriceableProduct
  /** Of a bundle as a shopper configured it. */
  readonly selection: Selection | null
  /**
   * Raw id of the bundle as whose option it is priced (sale.bundle-sale-stays-inside); null: it stands alone (price.alone-outside-bundles).
   */
  readonly bundleId: string | null
}

/** A price, and what was asked. A compiled query reads a property of an object once for each of its fields, so objects are made once. */
export class CatalogPrice {
  private madeList: CurrencyPrice | null | undefined
  private madeSale: RecordedReason<SaleSummary> | null | undefined

  constructor(
    readonly subject: PriceSubject,
    /** Epoch milliseconds. */
    readonly at: number,
    readonly quantity: number,
    readonly price: Price,
    readonly changesAt: number | null,
  ) {}

  get currency(): string {
    return this.price.currency
  }
  get amount(): number {
    return this.price.amount
  }
  get includesTax(): boolean {
    return this.price.includesTax
  }
  get list(): CurrencyPrice | null {
    const { currency, list } = this.price
    this.madeList ??= list && { currency, amount: list.amount, includesTax: list.includesTax }
    return this.madeList
  }
  get sale(): RecordedReason<SaleSummary> | null {
    const { sale, productPrice, book } = this.price
    if (sale === null) return null
    const { name, validFrom, validTo } = sale
    this.madeSale ??= { name, validFrom, validTo, productPriceId: productPrice, priceBookId: book }
    return this.madeSale
  }
  get saleExpires(): number | null {
    return this.price.saleExpires
  }
  get tier(): string | null {
    return this.price.tier
  }
  get priceBookId(): string | null {
    return this.price.book
  }
}

export const CatalogPriceRef = builder.objectRef<CatalogPrice>('CatalogPrice').implement({
  description: 'The price of one unit when `quantity` of them are bought, and why.',
  right: 'anyone',
  fields: (t) => ({
    currency: t.exposeString('currency', { description: 'The three-letter ISO code.' }),
    quantity: t.expose('quantity', { type: 'Long', description: 'How many are bought. The amounts are of one.' }),
    amount: t.expose('amount', { type: 'Long', description: "In the currency's smallest unit." }),
    includesTax: t.exposeBoolean('includesTax', { description: 'Whether the amount includes tax.' }),
    list: t.expose('list', {
      type: PriceRef,
      nullable: true,
      description: 'The list price: before tiers and sales. Null only for a bundle whose options list net and gross prices.',
    }),
    sale: t.expose('sale', {
      type: CatalogSaleRef,
      nullable: true,
      description:
        'The sale that supplied the amount. A sale with a schedule gives way to a quantity tier of the list price as soon as `quantity` reaches it, and one without a schedule does not. Amounts are not compared.',
    }),
    saleExpires: t.expose('saleExpires', {
      type: 'DateTime',
      nullable: true,
      description: 'When the sale ends by itself; another may take over earlier, see `changesAt`.',
    }),
    tier: t.exposeString('tier', {
      nullable: true,
      description:
        'The name of the tier that supplied the amount. A tier of the list price that `quantity` reaches goes before any sale with a schedule, even when the sale would be cheaper; a sale without a schedule goes before it, with its own tiers.',
    }),
    tiers: t.field({
      type: [PriceTierRef],
      description: 'The tiers that hold at the instant, by rising quantity.',
      resolve: shownTiers,
    }),
    modifiers: t.field({
      type: [AppliedPriceModifierRef],
      description: 'The price modifiers that took part, in order of application.',
      resolve: ({ price: { modifiers, productPrice, book } }) =>
        modifiers.map((modifier) => ({ ...modifier, productPriceId: productPrice, priceBookId: book })),
    }),
    priceBookId: t.exposeID('priceBookId', { nullable: true, description: 'The UUID of the book; null for a summed bundle.' }),
    priceBook: t.field({
      type: PriceBookRef,
      nullable: true,
      description: 'The book as it is now; null once it is gone, and for a summed bundle.',
      resolve: ({ price }, _, { loaders }) => (price.book === null ? null : loaders.priceBookById.load(price.book)),
    }),
    productPrice: t.field({
      type: ProductPriceRef,
      nullable: true,
      description: 'The product price as it is now; null once it is gone, and for a summed bundle.',
      resolve: ({ price }, _, { loaders }) => (price.productPrice === null ? null : loaders.productPriceById.load(price.productPrice)),
    }),
    changesAt: t.expose('changesAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The next instant at which amount, tax, sale or tier are others; null: never in this release.',
    }),
    displayPrice: t.field({
      type: DisplayPriceRef,
      description: 'The amount for people.',
      args: displayLocaleArgs,
      resolve: ({ price }, args, ctx) => formattedPrice(price.amount, price.currency, args, ctx),
    }),
    displayListPrice: t.field({
      type: DisplayPriceRef,
      nullable: true,
      description: 'The list price for people.',
      args: displayLocaleArgs,
      resolve: ({ price }, args, ctx) => price.list && formattedPrice(price.list.amount, price.currency, args, ctx),
    }),
  }),
})

/** tier.listing-shows-those-in-force: those of a product that stands alone, whatever the quantity. */
function shownTiers({ subject, at, price }: CatalogPrice, _: object, { work, cachePolicy }: Context) {
  if (subject.bundleId !== null || subject.unit.record === null) return []
  work.spend(subject.unit.parts * PRICE_POINTS)
  const { prices, changesAt } = toPriceView(subject.unit, { now: at, quantity: 1, bundleId: null }, subject.selection)
  // The price itself may stay, as where its quantity reaches a list tier and a sale begins.
  cachePolicy.expireAt(changesAt)
  return tierList(prices.price?.[price.currency]?.tiers)
}
