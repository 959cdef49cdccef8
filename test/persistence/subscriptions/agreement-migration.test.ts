/** The migration that makes agreements of the subscriptions that exist. */
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Agreement } from '../../../src/domain/subscriptions/agreement.ts'
import { stateActions } from '../../../src/domain/subscriptions/asked-action.ts'
import { lifeStatusAt } from '../../../src/domain/subscriptions/life-readings.ts'
import { pinnedItem } from '../../../src/domain/subscriptions/plan-price.ts'
import type { Span } from '../../../src/domain/subscriptions/spans.ts'
import { allowedActions, applyAction } from '../../../src/domain/subscriptions/subscription-state.ts'
import { readMigrations } from '../../../src/persistence/database/migrations.ts'
import { agreementWith, planWith } from '../../support/agreements.ts'
import { useDatabase } from '../../support/database.ts'
import { anyStart, anyTerms, anyWait } from '../../support/subscription-terms.ts'
import { idOf } from '../../support/subscriptions.ts'

const { pool } = useDatabase()

const price = (amount: number, includes_tax: boolean) => ({ amount, includes_tax })
const products = [
  { id: idOf('product', 1), name: 'Paper', sku: 'paper', price: { USD: price(1005, true), EUR: price(999, false) } },
  { id: idOf('product', 2), name: 'Much', sku: null, price: { USD: price(Number.MAX_SAFE_INTEGER, false) } },
]
const GONE = idOf('product', 3)
const productIds = [idOf('product', 2), GONE, idOf('product', 1)]

const anyPrices = fc.record({
  basePricePercentage: fc.constantFrom(null, 50, 49.9, 0, 1e-7, 100.5),
  fixedPrice: fc.constantFrom(null, { USD: price(700, false) }),
})

const anyLife = fc.record({
  terms: anyTerms,
  prices: anyPrices,
  currency: fc.constantFrom('USD', 'EUR', 'CHF'),
  start: anyStart,
  acts: fc.array(fc.tuple(anyWait, fc.constantFrom(...stateActions)), { maxLength: 4 }),
})

test('subscription.invoices-from: the migration makes agreements of subscriptions that exist, at its prices and instant, and their spans', async () => {
  const migration = readMigrations().find(({ name }) => name.endsWith('_subscription_agreement'))
  const client = await pool.connect()
  onTestFinished(async () => {
    await client.query('ROLLBACK; SET search_path TO DEFAULT; DROP SCHEMA scratch CASCADE')
    client.release()
  })
  await client.query('CREATE SCHEMA scratch; SET search_path TO scratch')
  await client.query(`
    CREATE TABLE subscription (id uuid PRIMARY KEY, plan_id uuid, currency text, plan jsonb, offering jsonb, created_at timestamptz(3),
      canceled bool, canceled_at timestamptz(3), inactivation_requested_at timestamptz(3), inactive_from timestamptz(3), paused bool,
      paused_at timestamptz(3), resumed_at timestamptz(3));
    CREATE TABLE subscription_state (id uuid, subscription_id uuid, action text, created_at timestamptz(3), version bigint);
    CREATE TABLE idempotency_key (id text, answer jsonb);
    INSERT INTO idempotency_key VALUES ('old', '{ "inactivationRequestedAt": null }'), ('other', '{}'), ('none', NULL);
    CREATE TABLE subscription_product (id uuid PRIMARY KEY, name text, sku text, price jsonb)`)
  await client.query(
    'INSERT INTO subscription_product SELECT * FROM jsonb_to_recordset($1::jsonb) AS p (id uuid, name text, sku text, price jsonb)',
    [JSON.stringify(products)],
  )
  const lives = fc.sample(anyLife, 400).map(({ terms, prices, currency, start, acts }, index) => {
    const plan = planWith({ ...terms, ...prices })
    const items = productIds.map((id) =>
      pinnedItem(plan, id, products.find((product) => product.id === id) ?? null, currency),
    )
    let one = { agreement: agreementWith({ startsAt: start, plan, items }), updatedAt: start }
    let now = start
    for (const [number, [wait, action]] of acts.entries()) {
      now += wait
      if (allowedActions(one, now).includes(action))
        one = applyAction(one, action, idOf('account', index * 10 + number), now)
    }
    return { id: idOf('subscription', index), currency, plan, start, agreement: one.agreement }
  })
  await client.query(
    `INSERT INTO subscription (id, plan_id, currency, plan, offering, created_at)
     SELECT id, (plan ->> 'id')::uuid, currency, plan, $2::jsonb, to_timestamp(start / 1000.0)
     FROM jsonb_to_recordset($1::jsonb) AS l (id uuid, currency text, plan jsonb, start float8)`,
    [JSON.stringify(lives), JSON.stringify({ productIds })],
  )
  const states = lives.flatMap(({ id, agreement }) =>
    agreement.changes.map((change, version) => ({ ...change, subscription: id, version: version + 1 })),
  )
  await client.query(
    `INSERT INTO subscription_state SELECT id, subscription, type, to_timestamp("askedAt" / 1000.0), version
     FROM jsonb_to_recordset($1::jsonb) AS s (id uuid, subscription uuid, type text, "askedAt" float8, version bigint)`,
    [JSON.stringify(states)],
  )
  await client.query('BEGIN')
  await client.query(migration?.sql ?? '')
  await client.query('COMMIT')

  const { rows } = await client.query<{ agreement: Agreement }>('SELECT agreement FROM subscription ORDER BY id')
  const [first] = rows
  const invoicesFrom = first?.agreement.invoicesFrom ?? 0
  expect(Math.abs(invoicesFrom - Date.now())).toBeLessThan(600_000)
  expect(rows.map(({ agreement }) => agreement)).toEqual(lives.map(({ agreement }) => ({ ...agreement, invoicesFrom })))

  const { rows: keys } = await client.query('SELECT id FROM idempotency_key ORDER BY id')
  expect(keys).toEqual([{ id: 'none' }, { id: 'other' }])

  const { rows: spans } = await client.query<Span & { id: string }>(
    `SELECT subscription_id AS id, (extract(epoch FROM from_at) * 1000)::float8 AS "from",
       (extract(epoch FROM until_at) * 1000)::float8 AS until, phase, plan_id AS "planId", paused, canceled
     FROM subscription_span ORDER BY subscription_id, from_at`,
  )
  for (const { id, agreement, plan } of lives) {
    const own = spans.filter((span) => span.id === id)
    expect(own.slice(1).map(({ from }) => from)).toEqual(own.slice(0, -1).map(({ until }) => until))
    // Those of the past have the flags of now.
    const settled = Math.max(agreement.startsAt, ...agreement.changes.map(({ askedAt }) => askedAt))
    const limits = own.flatMap(({ from, until }) => [from, until - 1]).filter((at) => at >= settled)
    for (const at of [settled, ...limits]) {
      const { phase, paused, canceled } = lifeStatusAt(agreement, at)
      const span = own.find(({ from, until }) => from <= at && at < until)
      expect(span).toMatchObject({ phase, paused, canceled, planId: plan.id })
    }
  }
})
