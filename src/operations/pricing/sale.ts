/**
 * Sales: use cases of single sales, each written under the lock of its price, so that the rules among sales hold
 * (sale.rules-hold-per-price).
 */
import { assertValid, conflict, notFound, tooMany } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { SALES_MAX } from '../../domain/input/limits.ts'
import type { ProductPrice, Sale } from '../../domain/pricing/product-price.ts'
import {
  applySalePatch,
  isFull,
  isNameTaken,
  newSale,
  readSaleChange,
  type SalePatch,
  saleViolations,
  withoutSale,
  withSale,
} from '../../domain/pricing/sale-change.ts'
import { newId } from '../../persistence/database/id.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { priceIdOfSale, updateProductPrices } from '../../persistence/pricing/product-price-write.ts'
import { command, readNothing } from '../operation.ts'
import { recordById } from '../record-reads.ts'
import { lockProductPrice } from './product-price.ts'

/** A sale by its raw id, null when there is none. */
export const sale = recordById('admin', ({ saleById }) => saleById)

/** Adds a sale to a price, SALES_MAX at most. Every change of its sales raises the `updatedAt` of a price. */
export const addSale = command<{ productPriceId: string; data: unknown }, SalePatch, ProductPrice, Sale>({
  name: 'addSale',
  right: 'admin',
  read: ({ data }) => readSaleChange(data, { create: true }),
  load: (tx, { productPriceId }) => lockProductPrice(tx, productPriceId, ['productPriceId']),
  run: async (tx, patch, price, ctx) => {
    if (isFull(price)) throw tooMany(['productPriceId'], `must have at most ${SALES_MAX} sales`, SALES_MAX)
    const added = newSale(price.id, patch, newId(ctx.now), ctx.now)
    await save(tx, price, added, ctx.now)
    return added
  },
})

/** A sale and its price, read under the price's lock. */
interface SaleWithPrice extends Sale {
  readonly price: ProductPrice
}

/** Changes the given attributes of a sale; equal values write nothing. `ifUpdatedAt` is that of the sale. */
export const updateSale = command<{ id: string; data: unknown }, SalePatch, SaleWithPrice, Sale>({
  name: 'updateSale',
  right: 'admin',
  read: ({ data }, _, stored) => readSaleChange(data, { create: false, stored }),
  load: (tx, { id }) => lockSale(tx, id),
  run: async (tx, patch, { price, ...stored }, ctx) => {
    const updated = applySalePatch(stored, patch, ctx.now)
    if (updated !== stored) await save(tx, price, updated, ctx.now)
    return updated
  },
})

/** Removes a sale and returns it. */
export const removeSale = command<{ id: string }, undefined, SaleWithPrice, Sale>({
  name: 'removeSale',
  right: 'admin',
  read: readNothing,
  load: (tx, { id }) => lockSale(tx, id),
  run: async (tx, _, { price, ...stored }, ctx) => {
    await updateProductPrices(tx, [{ stored: price, price: withoutSale(price, stored, ctx.now) }])
    return stored
  },
})

async function save(tx: Transaction, price: ProductPrice, changed: Sale, now: number): Promise<void> {
  assertValid(saleViolations(price, changed))
  if (isNameTaken(price, changed))
    throw conflict('NAME_TAKEN', ['attributes', 'name'], 'A sale with the name already exists')
  await updateProductPrices(tx, [{ stored: price, price: withSale(price, changed, now) }])
}

/** The sale is looked up again under the lock, since another writer may have removed it meanwhile. */
async function lockSale(tx: Transaction, id: string): Promise<SaleWithPrice> {
  const priceId = isUuid(id) ? await priceIdOfSale(tx, id) : undefined
  const price = priceId && (await lockProductPrice(tx, priceId, ['id']))
  const stored = price ? price.sales.find((one) => one.id === id.toLowerCase()) : undefined
  if (!price || !stored) throw notFound(['id'], 'No such sale')
  return { ...stored, price }
}
