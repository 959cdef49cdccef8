/** export.subscriptions-restored: exported subscriptions, imported elsewhere, are the same ones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Agreement } from '../../src/domain/subscriptions/agreement.ts'
import { lifeStatusAt, timeline } from '../../src/domain/subscriptions/life-readings.ts'
import { exportText, subscriptionsText } from '../../src/export/export.ts'
import { ImportProgress } from '../../src/import/import-progress.ts'
import { reset, useDatabase } from '../support/database.ts'
import { times } from '../support/effort.ts'
import { insertEveryRecord } from '../support/every-record.ts'
import { runImport } from '../support/import.ts'
import { useServer } from '../support/server.ts'
import { servicesOf } from '../support/services.ts'
import { idOf } from '../support/subscriptions.ts'
import { anySubscription, insertWhole } from '../support/whole-subscriptions.ts'

const DAY = 86_400_000
const samples = process.env.SAMPLE_DATA_DIR
const database = useDatabase()
const server = useServer(database)
const services = servicesOf(database)

beforeEach(async () => {
  await reset(database)
  // After all that random lives ask for.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2040, 0) })
})
afterEach(() => {
  vi.useRealTimers()
})

async function exported(): Promise<string> {
  const pieces: string[] = []
  for await (const piece of subscriptionsText(database)) pieces.push(piece)
  return pieces.join('')
}

/** Everything that is stored of subscriptions, but the numbers of their versions and when they were written. */
async function stored(): Promise<{ agreement: Agreement }[]> {
  const { rows } = await database.pool.query(`
    SELECT to_jsonb(i) - 'version' - 'updated_at' AS row,
      ARRAY(SELECT to_jsonb(s) - 'version' FROM subscription_state s WHERE s.subscription_id = i.id ORDER BY s.version) AS states,
      ARRAY(SELECT to_jsonb(s) FROM subscription_span s WHERE s.subscription_id = i.id ORDER BY s.from_at) AS spans,
      ARRAY(SELECT to_jsonb(b) FROM subscription_billing b WHERE b.subscription_id = i.id ORDER BY b.position) AS billing
    FROM subscription i ORDER BY i.id`)
  return rows.map(({ row, ...rest }) => ({ ...row, ...rest }))
}

function told({ agreement }: { agreement: Agreement }) {
  const { startsAt, changes } = agreement
  const until = Math.max(startsAt, ...changes.map(({ at }) => at)) + 400 * DAY
  return [
    [...timeline(agreement, startsAt - 1000 * DAY, until)],
    ...[startsAt, until].map((now) => lifeStatusAt(agreement, now)),
  ]
}

test('export.subscriptions-restored: random lives, exported and imported into an empty store, have equal timelines and invoices, and are exported again as the same bytes', async () => {
  const lives = fc.sample(anySubscription, { numRuns: times(500), seed: 7 }).map((make, index) => make(index + 1))
  await insertWhole(database, lives)
  const before = await stored()
  const text = await exported()
  expect(text.trimEnd().split('\n')).toHaveLength(lives.length)

  // The lines alone: no offering, plan or product is there.
  await reset(database)
  const first = await runImport(services, text)
  expect([first.refused.slice(0, 3), first.counts]).toEqual([[], { subscription: [lives.length, 0, 0, 0] }])
  const after = await stored()
  expect(after).toEqual(before)
  expect(after.map(told)).toEqual(lives.map(({ subscription }) => told(subscription)))
  expect((await exported()) === text).toBe(true)

  const again = await runImport(services, text)
  expect([again.refused.slice(0, 3), again.counts]).toEqual([[], { subscription: [0, 0, lives.length, 0] }])
  expect(await stored()).toEqual(before)
})

test('import.subscription-agreement-stays: random lives that were exported early and late are as late, and the early lines are refused then', async () => {
  const lives = fc.sample(anySubscription, { numRuns: times(500), seed: 9 }).map((make, index) => make(index + 1))
  await insertWhole(database, lives)
  const [before, late] = [await stored(), await exported()]
  const lines = late
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text).data)
  const early = lines.map(({ attributes, ...data }, index) => {
    const changes = attributes.changes.slice(0, index % 4)
    const then = changes.map((change: object) => (index % 2 ? { ...change, undone_at: null } : change))
    return { ...data, attributes: { ...attributes, changes: then, states: attributes.states.slice(0, index % 2) } }
  })
  await reset(database)
  expect((await runImport(services, early)).refused).toEqual([])
  const hasMore = lines.map((line, index) => JSON.stringify(line) !== JSON.stringify(early[index]))
  // Who is erased has no actions any more.
  const isRefused = lines.map(({ attributes }, index) => hasMore[index] && attributes.erased_at !== null)
  const { counts, refused } = await runImport(services, lines)
  const refusedLines = (problems: readonly string[]) => [...new Set(problems.map((text) => Number.parseInt(text, 10)))]
  const numbered = (flags: readonly (boolean | undefined)[]) =>
    flags.flatMap((flag, index) => (flag ? [index + 1] : []))
  expect(refusedLines(refused)).toEqual(numbered(isRefused))
  expect(counts.subscription?.[1]).toBe(numbered(hasMore).length - numbered(isRefused).length)
  const kept = (rows: readonly unknown[]) => rows.filter((_, index) => !isRefused[index])
  const after = await stored()
  expect(kept(after)).toEqual(kept(before))

  const again = await runImport(services, early)
  expect(refusedLines(again.refused)).toEqual(numbered(hasMore.map((more, index) => more && !isRefused[index])))
  expect(await stored()).toEqual(after)
})

test('export.subscriptions-restored: subscriptions as the operations write them, in every phase, are restored to the same bytes beside the store that they came from', async () => {
  await insertEveryRecord(server, database)
  const [before, subscriptions] = [await stored(), await exported()]
  expect(subscriptions.trimEnd().split('\n').length).toBeGreaterThan(3)
  const store: string[] = []
  for await (const piece of exportText(database)) store.push(piece)
  await reset(database)
  for (const text of [subscriptions, store.join('')]) expect((await runImport(services, text)).refused).toEqual([])
  expect(await stored()).toEqual(before)
  expect((await exported()) === subscriptions).toBe(true)
})

describe.runIf(samples)('the sample file [needs sample data]', () => {
  test('export.subscriptions-restored, import.subscription-by-hand: subscriptions to plans and products as teams have them are restored to the same bytes', async () => {
    const text = readFileSync(join(samples ?? '', 'subscriptions.jsonl'), 'utf8')
    // Its plans have a status, which plans here do not have.
    const progress = new ImportProgress({ stopAtRefusal: false })
    expect((await runImport(services, text, 'skip', undefined, progress, true)).refused).toEqual([])
    const named = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).data)
      .map(({ type, attributes: { external_ref } }) => ({ type, external_ref }))
    const of = (type: string) => named.filter((one) => one.type === type)
    const [products, plans] = [of('subscription_product'), of('subscription_plan')]
    const relationships = { products: { data: products }, plans: { data: plans } }
    const offering = { type: 'subscription_offering', attributes: { external_ref: 'all', name: 'All' }, relationships }
    const lines = plans.map(({ external_ref }, index) => ({
      type: 'subscription',
      attributes: {
        ...{ external_ref: `old-${index}`, account_id: idOf('account', 1), name: 'Ada', email: 'ada@example.com' },
        ...{ offering_id: { external_ref: 'all' }, plan_id: { external_ref }, currency: 'GBP' },
        starts_at: new Date(Date.UTC(2038, 0, 31) + index * DAY).toISOString(),
        items: products.slice(index, index + 3).map(({ external_ref }) => ({ product_id: { external_ref } })),
      },
    }))
    const taken = await runImport(services, [offering, ...lines])
    expect([taken.refused, taken.counts.subscription]).toEqual([[], [plans.length, 0, 0, 0]])
    const [before, first] = [await stored(), await exported()]
    await reset(database)
    expect((await runImport(services, first)).refused).toEqual([])
    expect(await stored()).toEqual(before)
    expect((await exported()) === first).toBe(true)
  })
})
