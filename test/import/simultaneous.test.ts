import { describe, expect, it, onTestFinished } from 'vitest'
import { type Writing, writeTogether } from '../../src/import/writing.ts'
import { createPriceBook } from '../../src/operations/pricing/price-book.ts'
import { addProductPrice } from '../../src/operations/pricing/product-price.ts'
import { createProduct, deleteProduct } from '../../src/operations/products/product.ts'
import type { Transaction } from '../../src/persistence/database/transaction.ts'
import { reset, useDatabase } from '../support/database.ts'
import { hold, untilItWaits } from '../support/held-transaction.ts'
import { runImport } from '../support/import.ts'
import { waitUntil } from '../support/live.ts'
import { contextOf } from '../support/price-books.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)
const admin = contextOf(services, Date.UTC(2026, 0, 15, 12))
const BOOK = '0190a000-0000-7000-8000-00000000000a'

const PRODUCTS = 500

/** Products in the order of a multiplier that is coprime to their number: another multiplier, another order. */
function products(multiplier: number, description: string): object[] {
  return Array.from({ length: PRODUCTS }, (_, index) => {
    const sku = `SKU-${(index * multiplier) % PRODUCTS}`
    return { type: 'product', attributes: { sku, name: sku, description } }
  })
}

function price(note: string): object {
  return {
    type: 'product-price',
    pricebook_id: BOOK,
    attributes: { sku: 'A', currencies: {}, admin_attributes: { note } },
  }
}

describe.runIf(database.kind === 'server')('imports of the same rows at the same time [needs PostgreSQL]', () => {
  it('simultaneous imports of the same rows all end, in whatever orders the rows come', async () => {
    await runImport(services, products(1, 'first'))
    const multipliers = [1, 499, 7]
    const results = await Promise.allSettled(
      multipliers.map((multiplier) => runImport(services, products(multiplier, `by ${multiplier}`))),
    )
    const all = { fine: true, counts: { product: [0, PRODUCTS, 0, 0] }, refused: [] }
    expect(results).toEqual(multipliers.map(() => ({ status: 'fulfilled', value: all })))
  })

  it('import.all-or-nothing: an import that deadlocks with another writer at each attempt stores nothing, and says to try again', async () => {
    await reset(database)
    // A batch has 200 objects, so the last product is in another one than the first, whose row stays locked.
    await runImport(services, products(1, 'first').slice(0, 201))
    const other = await database.pool.connect()
    onTestFinished(() => other.release(true))
    const change = (sku: string) => other.query(`UPDATE product SET description = 'other' WHERE sku = $1`, [sku])
    // The import notices the deadlocks, each after its second, and not the other writer.
    await other.query(`BEGIN; SET LOCAL deadlock_timeout = '1min'`)
    await change('SKU-200')
    const work = async (writing: Writing) =>
      (await runImport(services, products(1, 'all').slice(0, 201), 'skip', writing)).fine
    const importing = writeTogether(services, false, work, () => undefined)
    const failure = expect(importing).rejects.toThrow('other writers changed the same rows at each attempt, try again')
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await waitUntil(async () => (await database.pool.query(waiting)).rowCount === 1)
    const changed = change('SKU-0')
    await failure
    await changed
    await other.query('COMMIT')
    const { rows } = await database.pool.query('SELECT description, count(*)::int FROM product GROUP BY 1 ORDER BY 1')
    expect(rows).toEqual([
      { description: 'first', count: 199 },
      { description: 'other', count: 2 },
    ])
  })
})

describe.runIf(database.kind === 'server')(
  'an import beside a write that creates or deletes the record of an object [needs PostgreSQL]',
  () => {
    it.each([
      [
        'product',
        products(1, 'imported').slice(0, 1),
        (tx: Transaction) => createProduct(admin, { data: products(1, 'other')[0] }, {}, tx),
      ],
      [
        'product-price',
        [price('imported')],
        (tx: Transaction) => addProductPrice(admin, { priceBookId: BOOK, data: price('other') }, {}, tx),
      ],
    ] as const)(
      'import.first-given-key-decides: an import updates the %s, which another write created after its key was looked up',
      async (type, objects, create) => {
        await reset(database)
        await createPriceBook(admin, { data: { type: 'pricebook', id: BOOK, attributes: { name: 'Book' } } })
        const commit = await hold(database, create)
        const importing = runImport(services, objects)
        await untilItWaits(database, importing)
        await commit()
        expect(await importing).toEqual({ fine: true, counts: { [type]: [0, 1, 0, 0] }, refused: [] })
      },
    )

    it('import.first-given-key-decides: an import creates the product, which another write deleted after its key was looked up', async () => {
      await reset(database)
      const [object] = products(1, 'imported')
      const { id } = await createProduct(admin, { data: object })
      const commit = await hold(database, (tx) => deleteProduct(admin, { id }, {}, tx))
      const importing = runImport(services, [object as object])
      await untilItWaits(database, importing)
      await commit()
      expect(await importing).toEqual({ fine: true, counts: { product: [1, 0, 0, 0] }, refused: [] })
    })
  },
)
