/**
 * What publishing costs: all of it, and again after one or 1,000 prices or texts changed; and how long pages wait while
 * a server publishes 100,000 products whose texts have changed.
 */
import { ourGraphql } from './contenders/our-graphql.ts'
import { startOurs } from './contenders/our-server.ts'
import { addressOf, catalogId, made, openAt, publish } from './data.ts'
import { ask } from './measure.ts'
import { allPages } from './pages.ts'
import { markdown, shown } from './report.ts'
import { sender } from './running-the-shop.ts'

const REPEATS = 3
const FIRST_CHANGED = 1000
const MANY = 1000
/** Pages that are asked before any is counted. */
const WARM = 2000

/** $1 and $2 are the first id that changes and the first that does not, $3 the number of the turn. */
const changePrices = `UPDATE product_price
  SET currencies = jsonb_set(currencies, '{USD,amount}', to_jsonb($3::int)), updated_at = now() WHERE id >= $1 AND id < $2`
const changeTexts = `UPDATE product
  SET description = description || ' again ' || $3::int, updated_at = now() WHERE id >= $1 AND id < $2`

const changes = [
  { name: 'one changed price', goal: '0.2', sql: changePrices, kind: 'price', count: 1 },
  { name: '1,000 changed prices', goal: '', sql: changePrices, kind: 'price', count: MANY },
  { name: '1,000 changed texts', goal: '', sql: changeTexts, kind: 'product', count: MANY },
] as const

export async function measurePublishing(name: string): Promise<string[]> {
  const database = await openAt(name)
  try {
    const whole = await publish(database)
    const rows = [['publish of 100,000 products', `${shown(whole)} s`, '15 s']]
    for (const { name: change, goal, sql, kind, count } of changes) {
      const again: number[] = []
      for (let repeat = 1; repeat <= REPEATS; repeat++) {
        await database.pool.query(sql, [made(kind, FIRST_CHANGED), made(kind, FIRST_CHANGED + count), repeat])
        again.push(await publish(database))
      }
      const best = Math.min(...again)
      rows.push([
        `republish after ${change}`,
        `${shown(best)} s, ${shown(best / whole)} of it`,
        goal && `${goal} of it`,
      ])
    }
    await database.pool.query(`UPDATE product SET description = description || ' anew', updated_at = now()`)
    return markdown(['', 'measured', 'goal'], [...rows, await waitsOfPages(name)])
  } finally {
    await database.close()
  }
}

/** Pages that no cache has, one after another, while the server that answers them publishes. */
async function waitsOfPages(name: string): Promise<string[]> {
  const running = await startOurs(addressOf(name))
  try {
    const send = await sender(running)
    const pages = allPages()
    let at = 0
    const next = async (): Promise<number> =>
      (await ask(running.url, ourGraphql.request(pages[at++ % pages.length] as (typeof pages)[number]))).milliseconds
    while (at < WARM) await next()
    let published = false
    const publishing = send(publishRelease, { input: { catalogId } }).finally(() => {
      published = true
    })
    const waits: number[] = []
    while (!published) waits.push(await next())
    const { seconds } = await publishing
    waits.sort((left, right) => left - right)
    const part = (share: number): string => shown(waits[Math.ceil(waits.length * share) - 1] ?? 0)
    return [
      `spread pages during ${shown(seconds)} s of publishing: p50, p99, most, of ${waits.length}`,
      `${part(0.5)} ms, ${part(0.99)} ms, ${part(1)} ms`,
      '100 ms',
    ]
  } finally {
    await running.stop()
  }
}

const publishRelease =
  'mutation ($input: PublishReleaseInput!) { publishRelease(input: $input) { release { id } userErrors { message } } }'
