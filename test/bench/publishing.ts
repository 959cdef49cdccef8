/** What publishing costs: all of it, and again after one price changed; the goal is a fifth. */
import { made, openAt, publish } from './data.ts'
import { markdown, shown } from './report.ts'

const REPEATS = 3

export async function measurePublishing(name: string): Promise<string[]> {
  const database = await openAt(name)
  try {
    const whole = await publish(database)
    const again: number[] = []
    for (let repeat = 1; repeat <= REPEATS; repeat++) {
      await database.pool.query(
        `UPDATE product_price SET currencies = jsonb_set(currencies, '{USD,amount}', $2) WHERE id = $1`,
        [made('price', 1000 + repeat), String(repeat)],
      )
      again.push(await publish(database))
    }
    const best = Math.min(...again)
    const rows = [
      ['publish of 100,000 products', `${shown(whole)} s`, '15 s'],
      ['republish after one changed price', `${shown(best)} s, ${shown(best / whole)} of it`, '0.2 of it'],
    ]
    return markdown(['', 'measured', 'goal'], rows)
  } finally {
    await database.close()
  }
}
