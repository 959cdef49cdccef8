/**
 * Prices of published products as requests resolve them. Only here does a price count as work of its request, and its
 * next change limit the validity of the response.
 */
import type { ReleaseDocument } from '../../domain/catalog/release-document.ts'
import type { ReleaseView } from '../../domain/catalog/release-view.ts'
import { totalResolutionCost } from '../../domain/pricing/compile-product.ts'
import type { PriceQuery } from '../../domain/pricing/price.ts'
import { type Period, priceTimeline, type TimelineSpan } from '../../domain/pricing/price-timeline.ts'
import type { PriceableProduct, Selection } from '../../domain/pricing/priceable-product.ts'
import {
  type ProductPriceView,
  productPriceViewCost,
  toProductPriceView,
} from '../../domain/pricing/product-price-view.ts'
import { type QuantityStep, quantitySteps } from '../../domain/pricing/quantity-steps.ts'
import type { Context } from '../../request/context.ts'

/** The subject of a price: a product of a release, alone or as a bundle's option, or a bundle with a selection. */
export interface PriceSubject extends ReleaseView {
  /** The document with the price data: the product's own, or that of the bundle whose option it is. */
  readonly document: ReleaseDocument
  readonly priceable: PriceableProduct
  /** A shopper's own selection of a bundle's options; null for the default one and for a product that is no bundle. */
  readonly selection: Selection | null
  /**
   * Raw id of the bundle in which the product is priced as an option (sale.bundle-sale-stays-inside); null outside of
   * bundles (price.alone-outside-bundles).
   */
  readonly bundleId: string | null
  /** A shopper's own selection of the options of that bundle; absent and null for the default one. */
  readonly bundleSelection?: Selection | null
}

/** Points of one price from a record without sales. A summed bundle costs this for each of its products. */
export const PRICE_POINTS = 1
/** Points of a product on a page of the facade besides its prices. */
const PRODUCT_POINTS = 5

type Priced = Pick<PriceSubject, 'priceable' | 'selection' | 'bundleId'>

interface Changing {
  readonly changesAt: number | null
}

/** Counts one price of the subject. With a shopper's own selection all options may be resolved. Throws WorkLimit. */
export function countPrice({ work }: Pick<Context, 'work'>, { priceable, selection }: Omit<Priced, 'bundleId'>): void {
  const { bundle, resolutionCost } = priceable
  work.spend((selection && bundle ? totalResolutionCost(bundle.options.values()) : resolutionCost) * PRICE_POINTS)
}

/**
 * What `resolve`, a function of domain/pricing, finds. A missing price counts too, and may limit the validity, since
 * one may appear (bundle.price-may-come-and-go). Throws WorkLimit.
 */
export function shownPrice<Query, Found extends Changing>(
  ctx: Context,
  priced: Priced,
  query: Query,
  resolve: (product: PriceableProduct, query: Query & Pick<PriceSubject, 'selection' | 'bundleId'>) => Found,
): Found {
  countPrice(ctx, priced)
  const { priceable, selection, bundleId } = priced
  return shown(ctx, resolve(priceable, { ...query, selection, bundleId }))
}

/** The prices by quantity, each of which counts as a price. Throws WorkLimit. */
export function shownSteps(
  ctx: Context,
  priced: Priced,
  query: Pick<PriceQuery, 'now' | 'currency'>,
): readonly QuantityStep[] {
  const { steps } = shownPrice(ctx, priced, query, quantitySteps)
  for (let counted = 1; counted < steps.length; counted++) countPrice(ctx, priced)
  return steps
}

/** The spans of a period, each of which counts as a price; the response does not expire with them. Throws WorkLimit. */
export function priceSpans(
  ctx: Pick<Context, 'work'>,
  priced: Priced,
  query: Pick<PriceQuery, 'currency' | 'quantity'>,
  period: Period,
): Generator<TimelineSpan, void> {
  const { priceable, selection, bundleId } = priced
  return priceTimeline(priceable, { ...query, selection, bundleId }, period, () => countPrice(ctx, priced))
}

/** The prices of a product on a page of the facade, at the instant of the request. Throws WorkLimit. */
export function listedPrice(ctx: Context, product: PriceableProduct): ProductPriceView {
  ctx.work.spend(PRODUCT_POINTS + productPriceViewCost(product) * PRICE_POINTS)
  return shown(ctx, toProductPriceView(product, ctx.now))
}

function shown<Found extends Changing>({ cachePolicy }: Context, found: Found): Found {
  cachePolicy.expireAt(found.changesAt)
  return found
}
