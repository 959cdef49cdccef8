/** The first request after the instant at which a sale of 10,000 products begins or ends, against the median before. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openAt, publish } from '../data.ts'
import { ask } from '../measure.ts'
import { markdown, shown } from '../report.ts'
import type { Answer, Question } from './question.ts'
import type { Open } from './versus.ts'

/** The last products of the store, which are in one category. */
const TOUCHED = 10_000
/** Until the sale begins: time to publish it, and to ask before it. */
const LEAD_MS = 60_000
const SALE_MS = 15_000
const PAUSE_MS = 5
/** Requests before any is counted. */
const WARM = 50

interface TimedRequest {
  readonly begun: number
  readonly milliseconds: number
}

async function addSale(database: string, products: number, from: number): Promise<void> {
  const opened = await openAt(database)
  try {
    // A publish reads anew the prices whose rows have changed.
    await opened.pool.query(
      `WITH touched AS (UPDATE product_price SET updated_at = now() WHERE substr(sku, 5)::int > $3 RETURNING id, price_book_id, currencies)
       INSERT INTO sale (id, product_price_id, price_book_id, name, valid_from, valid_to, bundle_ids, currencies, created_at, updated_at)
       SELECT gen_random_uuid(), id, price_book_id, 'quarter of a minute', $1, $2, '{}', jsonb_build_object(
         'USD', jsonb_build_object('amount', (currencies #>> '{USD,amount}')::int / 3, 'includes_tax', false)), now(), now()
       FROM touched`,
      [new Date(from), new Date(from + SALE_MS), products + 9 - TOUCHED],
    )
    await publish(opened)
  } finally {
    await opened.close()
  }
}

/** Pages of each scope in turn, one connection, until `end`. */
async function requestUntil(
  { shop, running }: Open,
  scopes: readonly (number | null)[],
  end: number,
): Promise<TimedRequest[][]> {
  const timed = scopes.map((): TimedRequest[] => [])
  for (let turn = 0; Date.now() < end; turn++) {
    for (const [at, category] of scopes.entries()) {
      const question: Question = { kind: 'sorted', category, offset: (turn * 7) % 5_000, currency: 'USD' }
      const begun = Date.now()
      const { milliseconds } = await ask(running.url, shop.request(question))
      timed[at]?.push({ begun, milliseconds })
    }
    await sleep(PAUSE_MS)
  }
  return timed
}

function rowOf(name: string, timed: readonly TimedRequest[], turns: readonly number[]): string[] {
  const before = timed.filter(({ begun }) => begun < (turns[0] as number)).slice(WARM)
  const times = before.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right)
  const median = times[Math.floor(times.length / 2)] ?? Number.NaN
  const firsts = turns.map((turn) => timed.find(({ begun }) => begun >= turn)?.milliseconds ?? Number.NaN)
  return [
    name,
    `${shown(median)} ms`,
    `${firsts.map(shown).join(' and ')} ms`,
    shown(Math.max(...firsts) / median),
    '20',
  ]
}

export async function measureTurn(open: Open, products: number): Promise<string[]> {
  const from = Date.now() + LEAD_MS
  await addSale(open.database, products, from)
  if (Date.now() > from - LEAD_MS / 4) throw new Error('publishing took too long for the sale to begin after it')
  const cheapest = async (): Promise<Answer> => {
    const question: Question = { kind: 'sorted', category: null, offset: 0, currency: 'USD' }
    return open.shop.read(JSON.parse((await ask(open.running.url, open.shop.request(question))).text))
  }
  const scopes = [null, 0]
  const before = await cheapest()
  const first = await requestUntil(open, scopes, from + SALE_MS / 2)
  const during = await cheapest()
  const second = await requestUntil(open, scopes, from + SALE_MS + 2_000)
  const after = await cheapest()
  if (JSON.stringify(before) === JSON.stringify(during) || JSON.stringify(before) !== JSON.stringify(after))
    throw new Error('the sale did not change the cheapest products while it ran, and only then')
  const timed = scopes.map((_, at) => [...(first[at] ?? []), ...(second[at] ?? [])])
  const turns = [from, from + SALE_MS]
  const names = ['the whole store', 'the category that has them']
  return [
    `By price with facets, one connection, when a sale of ${TOUCHED} products begins and ends.`,
    '',
    ...markdown(
      ['', 'median before', 'first request after each turn', 'ratio', 'at most'],
      timed.map((one, at) => rowOf(names[at] ?? '', one, turns)),
    ),
  ]
}
