/** Prices of the beans of the full store, over days after START. */
import type { Database } from '../../src/persistence/database/database.ts'
import { ids } from './full-store.ts'
import { START } from './server.ts'

export const day = (number: number): number => START + number * 86_400_000

export interface BeansSale {
  readonly name: string
  readonly from: number | null
  readonly to: number | null
  readonly amount: number
}

const usd = (amount: number) => JSON.stringify({ USD: { amount, includes_tax: false } })

/** Sets the price of the beans and its sales. */
export async function priceBeans(
  { pool }: Pick<Database, 'pool'>,
  amount: number,
  sales: readonly BeansSale[] = [],
): Promise<void> {
  const where = `sku = 'BEANS' AND price_book_id = '${ids.book}'`
  await pool.query(`DELETE FROM product_price WHERE sku = 'BEANS' AND price_book_id <> '${ids.book}'`)
  await pool.query(`DELETE FROM sale WHERE product_price_id IN (SELECT id FROM product_price WHERE ${where})`)
  await pool.query(`UPDATE product_price SET currencies = $1 WHERE ${where}`, [usd(amount)])
  for (const { name, from, to, amount: reduced } of sales) {
    const values = [name, from === null ? null : new Date(from), to === null ? null : new Date(to), usd(reduced)]
    const text = `INSERT INTO sale (id, product_price_id, price_book_id, name, valid_from, valid_to, currencies, created_at, updated_at)
      SELECT gen_random_uuid(), id, price_book_id, $1, $2, $3, $4, now(), now() FROM product_price WHERE ${where}`
    await pool.query(text, values)
  }
}
