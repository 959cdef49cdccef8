/** Changes of one sale of a product price. The rules consider all sales of the price, whichever of them changed. */
import { prefixPaths, type Violation } from '../input/errors.ts'
import type { InputReader } from '../input/input-reader.ts'
import { FREE_NAME_MAX, SALES_MAX } from '../input/limits.ts'
import { FORBIDDEN_KEY } from '../input/map-keys.ts'
import { applyPatch, nextUpdatedAt } from '../input/patch.ts'
import { readInput } from '../input/read-input.ts'
import type { ReadResult } from '../input/reading.ts'
import { readRecordType } from '../input/record.ts'
import { currencyCountViolations } from './flat-price-map.ts'
import { type ProductPrice, type Sale, sortSales } from './product-price.ts'
import { type Bounds, readSaleParts } from './sale-input.ts'
import { scheduleViolations } from './sale-schedule.ts'
import { type CurrenciesPatch, patchCurrencies } from './tiered-price-input.ts'

/**
 * A partial update of a sale: undefined keeps the stored value, null clears it. So does each bound of its schedule
 * (patch.objects-merge); currencies merge at every depth (patch.maps-merge-at-every-depth).
 */
export interface SalePatch {
  readonly name: string | undefined
  readonly bundleIds: readonly string[] | null | undefined
  readonly bounds: Bounds | undefined
  readonly currencies: CurrenciesPatch | null | undefined
}

/**
 * Reads `data` of a sale: `{ type: 'sale', attributes: { name, bundle_ids?, schedule?, currencies? } }`. Only a create
 * requires the name.
 */
export function readSaleChange(
  data: unknown,
  { create, stored }: { create: boolean; stored?: Sale | undefined },
): ReadResult<SalePatch> {
  return readInput(
    data,
    (reader) => {
      readRecordType(reader, 'sale')
      const attributes = reader.object('attributes', { required: true })
      return attributes
        ? { name: readSaleName(attributes, create), ...readSaleParts(attributes, { create }) }
        : undefined
    },
    { isNew: create, stored },
  )
}

/** Reads the name of a sale: 1 to FREE_NAME_MAX code points. */
export function readSaleName(reader: InputReader, required: boolean): string | undefined {
  const name = reader.text('name', { required, min: 1, max: FREE_NAME_MAX, isName: true }) ?? undefined
  // Prices are serialized with a map of their sales by name.
  if (name === FORBIDDEN_KEY) reader.addViolation('name', 'INVALID_VALUE', `must not be ${FORBIDDEN_KEY}`)
  return name
}

/** A new sale from the input of a create, which has a name. `now` is in epoch milliseconds. */
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

/** The sale after the patch; the same object when nothing changes. */
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
 * The price with `sale` in place of the one with its id, or as a further one. The price's `updatedAt` rises too,
 * because a publish compares it (record.updated-at-rises).
 */
export function withSale(price: ProductPrice, sale: Sale, now: number): ProductPrice {
  return replaced(price, [...othersThan(price, sale), sale], now)
}

/** The price without `sale`, with a later `updatedAt`. */
export function withoutSale(price: ProductPrice, sale: Sale, now: number): ProductPrice {
  return replaced(price, othersThan(price, sale), now)
}

/**
 * The rules that the merged `sale` breaks, by itself and among the sales of its price (sale.schedules-differ,
 * sale.several-need-schedules, sale.ends-after-it-starts). Paths are relative to the sale's data.
 */
export function saleViolations(price: ProductPrice, sale: Sale): Violation[] {
  const schedules = [...othersThan(price, sale), sale].map(({ name, validFrom, validTo }) => ({
    name,
    from: validFrom,
    to: validTo,
  }))
  const found = scheduleViolations(schedules).map((violation) => ({ ...violation, path: violation.path.slice(1) }))
  return [...prefixPaths(['attributes'], found), ...currencyCountViolations('currencies', sale.currencies)]
}

/** Whether the price has SALES_MAX sales. */
export function isFull({ sales }: ProductPrice): boolean {
  return sales.length >= SALES_MAX
}

/** Whether another sale of the price has the name of `sale`. */
export function isNameTaken(price: ProductPrice, sale: Sale): boolean {
  return othersThan(price, sale).some(({ name }) => name === sale.name)
}

function othersThan({ sales }: ProductPrice, { id }: Sale): Sale[] {
  return sales.filter((other) => other.id !== id)
}

function replaced(price: ProductPrice, sales: readonly Sale[], now: number): ProductPrice {
  return { ...price, sales: sortSales(sales), updatedAt: nextUpdatedAt(now, price.updatedAt) }
}
