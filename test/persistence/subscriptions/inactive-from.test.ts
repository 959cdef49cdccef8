import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { inactiveFrom } from '../../../src/domain/subscriptions/subscription-state.ts'
import { readMigrations } from '../../../src/persistence/database/migrations.ts'
import { useDatabase } from '../../support/database.ts'
import { anyStart, anyTerms, anyWait } from '../../support/subscription-terms.ts'

const { pool } = useDatabase()

test('the migration gives the subscriptions that exist the instant from which on they are inactive', async () => {
  const migration = readMigrations().find(({ name }) => name.endsWith('_subscription_inactive_from'))
  const client = await pool.connect()
  onTestFinished(async () => {
    await client.query('SET search_path TO DEFAULT; DROP SCHEMA scratch CASCADE')
    client.release()
  })
  await client.query('CREATE SCHEMA scratch; SET search_path TO scratch')
  await client.query(
    `CREATE TABLE subscription (id int PRIMARY KEY, plan jsonb, created_at timestamptz(3), inactivation_requested_at timestamptz(3))`,
  )
  const anyLife = fc.tuple(anyTerms, anyStart, fc.option(fc.tuple(anyWait, fc.integer({ min: 1, max: 12 }))))
  const lives = fc.sample(anyLife, 1000).map(([plan, createdAt, wait]) => ({
    plan,
    createdAt,
    inactivationRequestedAt: wait && createdAt + wait[0] * wait[1],
    ...{ paused: false, canceled: false, pausedAt: null, canceledAt: null, resumedAt: null, updatedAt: createdAt },
  }))
  await client.query(
    `INSERT INTO subscription SELECT n, plan, to_timestamp(start / 1000.0), to_timestamp(requested / 1000.0)
     FROM unnest($1::jsonb[], $2::float8[], $3::float8[]) WITH ORDINALITY AS l (plan, start, requested, n)`,
    [
      lives.map(({ plan }) => JSON.stringify(plan)),
      lives.map(({ createdAt }) => createdAt),
      lives.map(({ inactivationRequestedAt }) => inactivationRequestedAt),
    ],
  )
  await client.query(migration?.sql ?? '')
  const { rows } = await client.query<{ at: number | null }>(
    'SELECT (extract(epoch FROM inactive_from) * 1000)::float8 AS at FROM subscription ORDER BY id',
  )
  expect(rows.map(({ at }) => at)).toEqual(lives.map(inactiveFrom))
})
