/** What a publish waits for each scheduled release into which it carries; the goal is a second of 100,000 products. */
import { pino } from 'pino'
import { loadConfig } from '../../src/config/config.ts'
import { type NewLatest, writeCarries } from '../../src/operations/catalog/carry.ts'
import { publishRelease } from '../../src/operations/catalog/release.ts'
import { ReleaseCache } from '../../src/persistence/catalog/release-cache.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { type Context, createContext } from '../../src/request/context.ts'
import { calmly } from './calm.ts'
import { catalogId, made, openAt } from './data.ts'
import { markdown } from './report.ts'
import { ms } from './running-the-shop.ts'

const TURNS = 7
/** Products that a publish changes; the schedule changes a fifth of them, too. */
const CHANGED = 100
const DAY = 86_400_000

export async function measureCarries(name: string): Promise<string[]> {
  const database = await openAt(name)
  try {
    const ctx = contextOf(database)
    await publishRelease(ctx, { catalogId, carry: false })
    await change(database, 0, 'Christmas', 'SALE-')
    await publishRelease(ctx, { catalogId, at: ctx.now + DAY })
    await change(database, 0, 'Before', 'SKU-')
    const former = await publishRelease(ctx, { catalogId, carry: false })
    // As on a server whose shoppers read it.
    await ctx.releases.resolve(catalogId, 'latest', ctx.releaseReader)
    await change(database, (CHANGED * 4) / 5, 'Corrected', 'PART-')
    const latest = await publishRelease(ctx, { catalogId, carry: false })
    const carried = { catalogId, former: former.id, latest: latest.id, now: ctx.now }
    await carry(database, ctx, carried)
    const times: number[] = []
    for (let turn = 1; turn <= TURNS; turn++) times.push(await calmly(() => carry(database, ctx, carried)))
    times.sort((one, other) => one - other)
    const [least, median, most] = [times[0], times[TURNS >> 1], times[TURNS - 1]] as [number, number, number]
    return markdown(
      ['', 'measured: median, least, most', 'goal'],
      [
        [
          `${CHANGED} changed of 100,000 products carried into a scheduled release`,
          [median, least, most].map(ms).join(', '),
          '1 s',
        ],
      ],
    )
  } finally {
    await database.close()
  }
}

function contextOf(database: Database): Context {
  const config = loadConfig({ NODE_ENV: 'test', AUTH_SECRET: 'x'.repeat(32), RELEASES_KEPT: '5' })
  const expiresAt = Number.POSITIVE_INFINITY
  const viewer = { subject: 'bench', role: 'admin' as const, accountId: null, channel: null, tags: [], expiresAt }
  const services = { config, database, releases: new ReleaseCache(database), log: pino({ level: 'silent' }) }
  return createContext(services, { viewer, now: Date.now(), requestId: 'bench' })
}

/** Changes the description, a code and the price of products, the `first` and those after it. */
async function change(database: Database, first: number, text: string, code: string): Promise<void> {
  await database.pool.query(
    `WITH changed AS (
       UPDATE product SET description = $2 || id, manufacturer_part_num = $3 || id, updated_at = now()
       WHERE id = ANY ($1) RETURNING sku)
     UPDATE product_price p SET currencies = jsonb_set(p.currencies, '{USD,amount}', to_jsonb(500 + length($2)))
     FROM changed WHERE p.sku = changed.sku`,
    // They are spread over the store.
    [Array.from({ length: CHANGED }, (_, at) => made('product', 10 + (first + at) * 500)), text, code],
  )
}

/** Seconds of a carry, which is rolled back. */
async function carry(database: Database, ctx: Context, carried: NewLatest): Promise<number> {
  const client = await database.pool.connect()
  try {
    await client.query('BEGIN')
    const begun = performance.now()
    const { carries } = await writeCarries(ctx, client, carried, 'publishRelease')
    const seconds = (performance.now() - begun) / 1000
    if (carries[0]?.productCount !== CHANGED) throw new Error(`not all were carried: ${JSON.stringify(carries)}`)
    return seconds
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}
