import { expect, test } from 'vitest'
import { StatementTally } from '../../../src/persistence/database/statement-tally.ts'

test('the statements sent most come first, those of equal number in the order of the first, and only as many as wanted', () => {
  const tally = new StatementTally()
  tally.add('releases_resolve', 'SELECT 1')
  tally.add(undefined, 'INSERT INTO "public"."price_book" ("name") VALUES ($1)')
  tally.add('product.findMany')
  for (let time = 0; time < 2; time++) tally.add(undefined, `UPDATE product SET name = 'Ada ${time}' WHERE id = $1`)
  expect(tally.count).toBe(5)
  const names: [string, number][] = [
    ['UPDATE product', 2],
    ['releases_resolve', 1],
    ['INSERT price_book', 1],
    ['product.findMany', 1],
  ]
  expect(Object.entries(tally.most(4))).toEqual(names)
  expect(Object.entries(tally.most(3))).toEqual(names.slice(0, 3))
})
