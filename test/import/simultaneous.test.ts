import { describe, expect, it } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)

const PRODUCTS = 500

/** Products in the order of a multiplier that is coprime to their number: another multiplier, another order. */
function products(multiplier: number, description: string): object[] {
  return Array.from({ length: PRODUCTS }, (_, index) => {
    const sku = `SKU-${(index * multiplier) % PRODUCTS}`
    return { type: 'product', attributes: { sku, name: sku, description } }
  })
}

describe.runIf(database.kind === 'server')('imports of the same rows at the same time [needs PostgreSQL]', () => {
  it('all end, in whatever orders the rows come', async () => {
    await runImport(services, products(1, 'first'))
    const multipliers = [1, 499, 7]
    const results = await Promise.allSettled(multipliers.map((multiplier) => runImport(services, products(multiplier, `by ${multiplier}`))))
    const all = { fine: true, counts: { product: [0, PRODUCTS, 0, 0] }, refused: [] }
    expect(results).toEqual(multipliers.map(() => ({ status: 'fulfilled', value: all })))
  })
})
