import { describe, expect, test } from 'vitest'
import { statementName, summaryOf } from '../../../src/persistence/database/statement-name.ts'

describe('what traces call a statement', () => {
  test.each([
    ['BEGIN', 'BEGIN'],
    ['SAVEPOINT part', 'SAVEPOINT'],
    ["SET TIME ZONE 'UTC'; SELECT FROM pg_extension", 'SET'],
    ['SELECT 1 AS one', 'SELECT'],
    ['SELECT "public"."plan"."id" FROM "public"."plan" WHERE true', 'SELECT plan'],
    ['SELECT "Shop-1"."plan"."id" FROM "Shop-1"."plan" WHERE true', 'SELECT plan'],
    ['INSERT INTO "public"."price_book" ("id") VALUES ($1)', 'INSERT price_book'],
    ['UPDATE release SET notes = $2', 'UPDATE release'],
    ['\n  DELETE FROM release WHERE id = $1', 'DELETE release'],
    ['WITH logged AS (INSERT INTO change (xid) SELECT 1) SELECT 2', 'WITH change'],
    ['SELECT extract(epoch FROM p.created_at) FROM product_price p', 'SELECT product_price'],
    [
      'SELECT * FROM unnest($1::uuid[]) AS p (id) CROSS JOIN LATERAL (SELECT * FROM catalog_node i) item',
      'SELECT catalog_node',
    ],
  ])('the statement %j is called %j in traces, as long as it has no name that can be read', (text, summary) => {
    expect(summaryOf({ text, name: undefined })).toBe(summary)
    expect(summaryOf({ text, name: statementName({ sql: text, args: [] }) })).toBe(summary)
  })

  test('a statement that the code names has that name in traces', () => {
    expect(summaryOf({ text: 'SELECT FROM plan', name: 'plans_of_offering' })).toBe('plans_of_offering')
  })
})
