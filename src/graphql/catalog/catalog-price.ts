/** Published prices with their reasons: the type CatalogPrice. */
import type { ReleaseLabels } from '../../domain/catalog/label.ts'
import { OPTION_MODIFIERS_MAX } from '../../domain/input/limits.ts'
import { resolvePrice } from '../../domain/pricing/price.ts'
import type { Price } from '../../domain/pricing/resolution.ts'
import type { SaleSummary } from '../../domain/pricing/sale.ts'
import { displayAmounts, toPriceView } from '../../domain/pricing/to-price-view.ts'
import { type PriceSubject, shownPrice } from '../../operations/catalog/price.ts'
import { nextPriceChange } from '../../operations/catalog/price-change.ts'
import type { Context } from '../../request/context.ts'
import { Money, MoneyRef, toMoney } from '../pricing/money.ts'
import { type CurrencyPrice, PriceRef } from '../pricing/price.ts'
import { PriceBookRef } from '../pricing/price-book.ts'
import { ProductPriceRef } from '../pricing/product-price.ts'
import { tierList } from '../pricing/tiered-price.ts'
import { builder } from '../schema/builder.ts'
import { type Labelled, labelIn } from '../schema/label.ts'
import { localeArgs } from '../schema/locale.ts'
import {
  AppliedPriceModifierRef,
  CatalogSaleRef,
  type PriceTier,
  PriceTierRef,
  type RecordedReason,
} from './catalog-price-reason.ts'

/**
 * A resolved price with its arguments. graphql-jit reads a property once for each selected field below it, so getters
 * create their object only once.
 */
export class CatalogPrice {
  private money: Money | undefined
  private listPrice: CurrencyPrice | null | undefined
  private saleReason: (RecordedReason<SaleSummary> & Labelled) | null | undefined

  constructor(
    readonly subject: PriceSubject,
    /** The instant of the price, epoch milliseconds. */
    readonly at: number,
    readonly quantity: number,
    readonly price: Price,
    /** The next instant at which the price changes in its release, epoch milliseconds; null for never. */
    readonly changesInRelease: number | null,
  ) {}

  get amount(): Money {
    this.money ??= new Money(this.price.amount, this.price.currency)
    return this.money
  }
  get includesTax(): boolean {
    return this.price.includesTax
  }
  get list(): CurrencyPrice | null {
    const { currency, list } = this.price
    this.listPrice ??= list && { amount: new Money(list.amount, currency), includesTax: list.includesTax }
    return this.listPrice
  }
  get sale(): (RecordedReason<SaleSummary> & Labelled) | null {
    const { sale, productPrice, book } = this.price
    if (sale === null) return null
    const { name, validFrom, validTo } = sale
    const { labels } = this
    this.saleReason ??= { name, validFrom, validTo, productPriceId: productPrice, priceBookId: book, labels }
    return this.saleReason
  }
  get labels(): ReleaseLabels {
    return this.subject.release.labels
  }
  get tier(): string | null {
    return this.price.tier
  }
  get priceBookKey(): string | null {
    return this.price.book
  }
}

export const CatalogPriceRef = builder.objectRef<CatalogPrice>('CatalogPrice').implement({
  description: 'The price of one unit when `quantity` of them are bought, and why.',
  right: 'anyone',
  fields: (t) => ({
    quantity: t.expose('quantity', { type: 'Long', description: 'How many are bought. The amounts are of one unit.' }),
    amount: t.expose('amount', { type: MoneyRef, description: 'The amount of one unit.' }),
    includesTax: t.exposeBoolean('includesTax', { description: 'Whether the amount includes tax.' }),
    list: t.expose('list', {
      type: PriceRef,
      nullable: true,
      description:
        'The list price: before tiers and sales. Null only for a bundle whose options list net and gross prices.',
    }),
    sale: t.expose('sale', {
      type: CatalogSaleRef,
      nullable: true,
      description:
        'The sale that supplied the amount. A sale gives way to a quantity tier of the list price that `quantity` reaches and that is lower.',
    }),
    tier: t.exposeString('tier', {
      nullable: true,
      description:
        'The name of the tier that supplied the amount: of the sale, or of the list price where that is lower than the sale.',
    }),
    tierLabel: t.string({
      nullable: true,
      description: 'What that tier is called in the requested language, else in that of the store, else its name.',
      args: localeArgs,
      resolve: (one, args, ctx) => (one.tier === null ? null : labelIn(one, 'tier', one.tier, args, ctx)),
    }),
    tiers: t.field({
      type: [PriceTierRef],
      description:
        'The tiers of list price and sale that supply the price at their own quantity, at most 200, by rising quantity. See `steps` for all prices by quantity.',
      resolve: shownTiers,
    }),
    modifiers: t.field({
      type: [AppliedPriceModifierRef],
      description: `The price modifiers that took part, at most ${OPTION_MODIFIERS_MAX} of each option of a child, in order of application.`,
      resolve: ({ price: { modifiers, currency, productPrice, book } }) =>
        modifiers.map(({ name, type, amount }) => ({
          name,
          type,
          amount: new Money(amount, currency),
          productPriceId: productPrice,
          priceBookId: book,
        })),
    }),
    priceBookKey: t.exposeID('priceBookKey', {
      nullable: true,
      description: 'The UUID of the book; null for a summed bundle.',
    }),
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
      resolve: ({ price }, _, { loaders }) =>
        price.productPrice === null ? null : loaders.productPriceById.load(price.productPrice),
    }),
    changesAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'The next instant at which amount, tax, sale or tier are others; of the latest release also by a scheduled one that follows it and has another price or lacks the product. Null: never by what is published.',
      resolve: changesAt,
    }),
    originalAmount: t.field({
      type: MoneyRef,
      nullable: true,
      description:
        'While a sale runs for the product in any currency, the list amount where it exceeds the amount, to show struck out; otherwise null.',
      resolve: originalAmount,
    }),
  }),
})

function changesAt({ subject, at, quantity, price, changesInRelease }: CatalogPrice, _: object, ctx: Context) {
  const query = { now: at, currency: price.currency, quantity }
  return nextPriceChange(ctx, { subject, query, resolution: { price, changesAt: changesInRelease } })
}

/**
 * The tiers in force at the price's instant, each with its price, for a product outside of a bundle
 * (tier.listing-shows-those-that-supply).
 */
function shownTiers({ subject, at, price: { currency }, labels }: CatalogPrice, _: object, ctx: Context): PriceTier[] {
  if (subject.bundleId !== null || subject.priceable.record === null) return []
  const { view } = shownPrice(ctx, subject, { now: at, quantity: 1 }, toPriceView)
  return tierList(view.price?.[currency]?.tiers).flatMap(({ name, minimum_quantity: minimumQuantity }) => {
    const { price } = shownPrice(ctx, subject, { now: at, currency, quantity: minimumQuantity }, resolvePrice)
    if (price === null) return []
    const { amount, includesTax } = price
    return [{ name, minimumQuantity, price: new Money(amount, currency), includesTax, labels }]
  })
}

/**
 * A summed bundle has no original amount (bundle.sum-has-no-sale). A price without a sale has one while a sale supplies
 * another currency (sale.reported-when-it-supplies), so this resolves all currencies. One that does not exceed the
 * amount is not shown (price.original-exceeds-the-amount).
 */
function originalAmount(catalogPrice: CatalogPrice, _: object, ctx: Context): Money | null {
  const { subject, at, quantity, price, list } = catalogPrice
  if (subject.priceable.record === null || list === null || list.amount.amount <= price.amount) return null
  if (price.sale !== null) return list.amount
  const { view } = shownPrice(ctx, subject, { now: at, quantity }, toPriceView)
  return toMoney(displayAmounts(view, price.currency).original, price.currency)
}
