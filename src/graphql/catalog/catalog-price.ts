/** Published prices with their reasons: the type CatalogPrice. */
import { OPTION_MODIFIERS_MAX } from '../../domain/input/limits.ts'
import { resolvePrice } from '../../domain/pricing/price.ts'
import type { Price } from '../../domain/pricing/resolution.ts'
import type { SaleSummary } from '../../domain/pricing/sale.ts'
import { displayAmounts, toPriceView } from '../../domain/pricing/to-price-view.ts'
import { nextPriceChange, type PriceSubject } from '../../operations/catalog/price-change.ts'
import type { Context } from '../../request/context.ts'
import { PRICE_POINTS } from '../../request/request-work.ts'
import { Money, MoneyRef, toMoney } from '../pricing/money.ts'
import { type CurrencyPrice, PriceRef } from '../pricing/price.ts'
import { PriceBookRef } from '../pricing/price-book.ts'
import { ProductPriceRef } from '../pricing/product-price.ts'
import { tierList } from '../pricing/tiered-price.ts'
import { builder } from '../schema/builder.ts'
import { AppliedPriceModifierRef, CatalogSaleRef, type PriceTier, PriceTierRef, type RecordedReason } from './catalog-price-reason.ts'

/** A resolved price with its arguments. graphql-jit reads a property once per selected field of it, so getters create their object once. */
export class CatalogPrice {
  private money: Money | undefined
  private listPrice: CurrencyPrice | null | undefined
  private saleReason: RecordedReason<SaleSummary> | null | undefined

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
  get sale(): RecordedReason<SaleSummary> | null {
    const { sale, productPrice, book } = this.price
    if (sale === null) return null
    const { name, validFrom, validTo } = sale
    this.saleReason ??= { name, validFrom, validTo, productPriceId: productPrice, priceBookId: book }
    return this.saleReason
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
      description: 'The list price: before tiers and sales. Null only for a bundle whose options list net and gross prices.',
    }),
    sale: t.expose('sale', {
      type: CatalogSaleRef,
      nullable: true,
      description:
        'The sale that supplied the amount. A sale with a schedule gives way to a quantity tier of the list price as soon as `quantity` reaches it, and one without a schedule does not. Amounts are not compared.',
    }),
    tier: t.exposeString('tier', {
      nullable: true,
      description:
        'The name of the tier that supplied the amount. A tier of the list price that `quantity` reaches goes before any sale with a schedule, even when the sale would be cheaper; a sale without a schedule goes before it, with its own tiers.',
    }),
    tiers: t.field({
      type: [PriceTierRef],
      description: 'The tiers that hold at the instant, at most 100, by rising quantity.',
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
    priceBookKey: t.exposeID('priceBookKey', { nullable: true, description: 'The UUID of the book; null for a summed bundle.' }),
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
      description: 'While a sale runs for the product in any currency, the list amount, to show struck out; otherwise null.',
      resolve: originalAmount,
    }),
  }),
})

function changesAt({ subject, at, quantity, price, changesInRelease }: CatalogPrice, _: object, ctx: Context) {
  const query = { now: at, currency: price.currency, quantity }
  return nextPriceChange(ctx, { subject, query, resolution: { price, changesAt: changesInRelease } })
}

/** The tiers in force at the price's instant, of a product outside of a bundle (tier.listing-shows-those-in-force), each with its price. */
function shownTiers(
  { subject: { priceable, selection, bundleId }, at, price: { currency } }: CatalogPrice,
  _: object,
  ctx: Context,
): PriceTier[] {
  if (bundleId !== null || priceable.record === null) return []
  const { work, cachePolicy } = ctx
  work.spend(priceable.resolutionCost * PRICE_POINTS)
  const { view, changesAt } = toPriceView(priceable, { now: at, quantity: 1, bundleId }, selection)
  // The tiers may change at other instants than the price itself.
  cachePolicy.expireAt(changesAt)
  return tierList(view.price?.[currency]?.tiers).flatMap(({ name, minimum_quantity }) => {
    work.spend(priceable.resolutionCost * PRICE_POINTS)
    const { price, changesAt } = resolvePrice(priceable, { now: at, currency, quantity: minimum_quantity, bundleId, selection })
    cachePolicy.expireAt(changesAt)
    if (price === null) return []
    return [{ name, minimumQuantity: minimum_quantity, price: new Money(price.amount, currency), includesTax: price.includesTax }]
  })
}

/**
 * A summed bundle has no original amount (bundle.sum-has-no-sale). A price without a sale has one while a sale supplies another currency
 * (sale.reported-when-it-supplies), so that all currencies are resolved.
 */
function originalAmount(catalogPrice: CatalogPrice, _: object, { work, cachePolicy }: Context): Money | null {
  const { subject, at, quantity, price, list } = catalogPrice
  const { priceable, selection, bundleId } = subject
  if (priceable.record === null) return null
  if (price.sale !== null) return list?.amount ?? null
  work.spend(priceable.resolutionCost * PRICE_POINTS)
  const { view, changesAt } = toPriceView(priceable, { now: at, quantity, bundleId }, selection)
  cachePolicy.expireAt(changesAt)
  return toMoney(displayAmounts(view, price.currency).original, price.currency)
}
