/**
 * Demo store: the records and releases that a first start finds (demo.only-into-untouched-store). Only `npm start`
 * loads it, never in production, and only into a database that has never had a record.
 *
 * One transaction writes all records of prisma/demo.jsonl. Publishing has transactions of its own, so a mark records
 * that it remains to be done, and the next start completes one that was killed.
 */
import { join } from 'node:path'
import { projectRoot } from '../config/project-root.ts'
import { DAY_MS } from '../domain/input/instant.ts'
import { importAuthor, importContext } from '../import/context.ts'
import { importPrices, preparePrice } from '../import/price-batch.ts'
import { readObjects } from '../import/source.ts'
import { upsert } from '../import/upsert.ts'
import { publishRelease } from '../operations/catalog/release.ts'
import { createSubscription } from '../operations/subscriptions/subscription.ts'
import { inTransaction, type Transaction } from '../persistence/database/transaction.ts'
import { demoState, lockUntouched, markPublished, markUnpublished } from '../persistence/demo-state.ts'
import type { Services } from '../request/context.ts'
import { demoIds } from './demo-ids.ts'

/** A subscription for examples of actions; the import has no subscriptions. */
const subscription = {
  id: demoIds.subscription,
  data: {
    account_id: demoIds.account,
    offering_id: demoIds.offering,
    plan_id: demoIds.plan,
    currency: 'USD',
    name: 'Grace Hopper',
    email: 'grace@example.com',
  },
}

/**
 * Days from the day of the load until these sales end, so that prices of the demo change within weeks
 * (demo.some-sales-end-soon).
 */
const saleDays: Readonly<Record<string, number>> = { 'Kenya weeks': 9, 'Trade-in': 16, 'Launch offer': 23 }

interface DemoObject {
  readonly type: string
  readonly attributes: object
}

interface DemoPrice {
  readonly sales?: Readonly<Record<string, { readonly schedule?: object }>>
}

/**
 * Loads and publishes what is missing, and returns whether it did anything. Sends one statement when nothing is
 * missing. Throws on a wrong demo file.
 */
export async function loadDemo(services: Services, file = join(projectRoot, 'prisma/demo.jsonl')): Promise<boolean> {
  if (services.config.production) return false
  const state = await demoState(services.database)
  if (!state?.untouched && !state?.unpublished) return false
  const objects = await readDemo(file)
  if (state.untouched)
    await inTransaction(services.database, importAuthor, (tx) => loadRecords(services, tx, objects), { limit: 120_000 })
  await publish(services, objects)
  return true
}

async function readDemo(file: string): Promise<DemoObject[]> {
  const objects: DemoObject[] = []
  for await (const found of readObjects(file, () => {})) {
    if ('problem' in found) throw new Error(`${file}:${found.line}: ${found.problem}`)
    objects.push((found.value as { data: DemoObject }).data)
  }
  return objects
}

async function loadRecords(services: Services, tx: Transaction, objects: readonly DemoObject[]): Promise<void> {
  // Another server may have loaded the demo meanwhile.
  if (!(await lockUntouched(tx))) return
  const ctx = importContext(services)
  const prices = objects.filter(({ type }) => type === 'product-price')
  for (const data of objects) {
    if (data === prices[0]) await loadPrices(tx, prices, ctx.now)
    if (data.type !== 'product-price' && data.type !== 'catalog-release')
      await upsert(data.type, { ctx, tx, given: { ...data }, unknown: [] })
  }
  await createSubscription(ctx, subscription, {}, tx)
  await markUnpublished(tx)
}

async function loadPrices(tx: Transaction, prices: readonly DemoObject[], now: number): Promise<void> {
  const prepared = prices.map((price) => preparePrice(endingSoon(price, now)))
  const outcomes = await importPrices(tx, prepared, { now, stopAtRefusal: true })
  const last = outcomes.at(-1)
  if (last?.kind === 'refused')
    throw new Error(`The demo's price ${outcomes.length} is refused: ${JSON.stringify(last.violations)}`)
}

/** A price whose sales of `saleDays` end at midnight in UTC; `now` is in epoch milliseconds. */
function endingSoon(price: DemoObject, now: number): DemoObject {
  const { sales = {}, ...rest } = price.attributes as DemoPrice
  const today = Math.floor(now / DAY_MS)
  const ending = Object.entries(sales).map(([name, sale]) => {
    const days = saleDays[name]
    if (days === undefined) return [name, sale]
    const validTo = new Date((today + days) * DAY_MS).toISOString()
    return [name, { ...sale, schedule: { ...sale.schedule, valid_to: validTo } }]
  })
  return { ...price, attributes: { ...rest, ...(ending.length > 0 && { sales: Object.fromEntries(ending) }) } }
}

/** Publishes each catalog once: the idempotency key gives servers that start together the result of the first. */
async function publish(services: Services, objects: readonly DemoObject[]): Promise<void> {
  for (const { type, attributes } of objects) {
    if (type !== 'catalog-release') continue
    const { catalog_id: catalogId } = attributes as { catalog_id: string }
    await publishRelease(importContext(services), { catalogId }, { idempotencyKey: `demo ${catalogId}` })
  }
  await markPublished(services.database)
}
