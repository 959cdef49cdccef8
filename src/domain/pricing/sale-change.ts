/** Changes of one sale of a product price. The rules look at all sales of the price, whichever of them changed. */
import { prefixPaths, type Violation } from '../input/errors.ts'
import { FORBIDDEN_KEY, readInput } from '../input/input-reader.ts'
import { FREE_NAME_MAX, SALES_MAX } from '../input/limits.ts'
import { nextUpdatedAt } from '../input/next-updated-at.ts'
import { applyPatch } from '../input/patch.ts'
import { currencyCountViolations } from './flat-price-map.ts'
import { type ProductPrice, type Sale, sortSales } from './product-price.ts'
import { type Bounds, readSaleParts } from './sale-input.ts'
import { scheduleViolations } from './sale-schedule.ts'
import { type CurrenciesPatch, patchCurrencies } from './tiered-price-input.ts'

/** Absent keeps, null clears, a value sets. A schedule is set whole; currencies merge at every depth (patch.maps-merge-at-every-depth). */
export interface SalePatch {
  readonly name: string | undefined
  readonly bundleIds: readonly string[] | null | undefined
  readonly bounds: Bounds | undefined
  readonly currencies: CurrenciesPatch | null | undefined
}

/** Reads `data` of a sale: `{ type: 'sale', attributes: { name, bundle_ids?, schedule?, currencies? } }`; an update needs no name. */
export function readSaleChange(data: unknown, { create }: { create: boolean }): { value: SalePatch | undefined; violations: Violation[] } {
  return readInput(data, (reader) => {
    reader.oneOf('type', ['sale'], { required: true })
    const attributes = reader.object('attributes', { required: true })
    const name = attributes?.text('name', { required: create, min: 1, max: FREE_NAME_MAX }) ?? undefined
    // A price lists its sales in a map by their names.
    if (name === FORBIDDEN_KEY) attributes?.addViolation('name', 'INVALID_VALUE', `must not be ${FORBIDDEN_KEY}`)
    return attributes ? { name, ...readSaleParts(attributes, { create }) } : undefined
  })
}

/** A sale of what a create gave. */
export function newSale(productPriceId: string, patch: SalePatch, id: string, now: number): Sale {
  return {
    id,
    productPriceId,
    name: patch.name ?? '',
    validFrom: patch.bounds?.from ?? null,
    validTo: patch.bounds?.to ?? null,
    bundleIds: patch.bundleIds ?? [],
    currencies: patchCurrencies({}, patch.currencies ?? new Map()),
    createdAt: now,
    updatedAt: now,
  }
}

/** The sale after the patch; the same object when nothing changes, otherwise with an `updatedAt` that rose (record.updated-at-rises). */
export function applySalePatch(stored: Sale, { name, bundleIds, bounds, currencies }: SalePatch, now: number): Sale {
  const changes = {
    name,
    bundleIds: bundleIds === null ? [] : bundleIds,
    validFrom: bounds?.from,
    validTo: bounds?.to,
    currencies: patchCurrencies(stored.currencies, currencies),
  }
  return applyPatch(stored, changes, now)
}

/**
 * The price with `sale` in the place of the one that has its id, or beside the others. Its own time rises: publishing asks for it
 * (record.updated-at-rises).
 */
export function withSale(price: ProductPrice, sale: Sale, now: number): ProductPrice {
  return replaced(price, [...othersThan(price, sale), sale], now)
}

export function withoutSale(price: ProductPrice, sale: Sale, now: number): ProductPrice {
  return replaced(price, othersThan(price, sale), now)
}

/**
 * What `sale` would break among the other sales of the price (sale.schedules-differ, sale.several-need-schedules,
 * sale.ends-after-it-starts), wherever it shows, and by itself once it is merged: paths are those of the sale's data.
 */
export function saleViolations(price: ProductPrice, sale: Sale): Violation[] {
  const schedules = [...othersThan(price, sale), sale].map(({ name, validFrom, validTo }) => ({ name, from: validFrom, to: validTo }))
  const found = scheduleViolations(schedules).map((violation) => ({ ...violation, path: violation.path.slice(1) }))
  return [...prefixPaths(['attributes'], found), ...currencyCountViolations('currencies', sale.currencies)]
}

/** Whether the price has as many sales as it may. */
export function isFull({ sales }: ProductPrice): boolean {
  return sales.length >= SALES_MAX
}

/** Whether another sale of the price has the name. */
export function isNameTaken(price: ProductPrice, sale: Sale): boolean {
  return othersThan(price, sale).some(({ name }) => name === sale.name)
}

function othersThan({ sales }: ProductPrice, { id }: Sale): Sale[] {
  return sales.filter((other) => other.id !== id)
}

function replaced(price: ProductPrice, sales: readonly Sale[], now: number): ProductPrice {
  return { ...price, sales: sortSales(sales), updatedAt: nextUpdatedAt(now, price.updatedAt) }
}
