import { describe, expect, it, onTestFinished } from 'vitest'
import { type Writing, writeTogether } from '../../src/import/writing.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { waitUntil } from '../support/live.ts'
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

  it('import.all-or-nothing: one that deadlocks with another writer at each attempt stores nothing, and says to try again', async () => {
    await reset(database)
    // A batch has 200 objects, so the last product is in another one than the first, whose row stays locked.
    await runImport(services, products(1, 'first').slice(0, 201))
    const other = await database.pool.connect()
    onTestFinished(() => other.release(true))
    const change = (sku: string) => other.query(`UPDATE product SET description = 'other' WHERE sku = $1`, [sku])
    // The import notices the deadlocks, each after its second, and not the other writer.
    await other.query(`BEGIN; SET LOCAL deadlock_timeout = '1min'`)
    await change('SKU-200')
    const work = async (writing: Writing) => (await runImport(services, products(1, 'all').slice(0, 201), 'skip', writing)).fine
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
