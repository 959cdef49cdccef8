import { expect, it } from 'vitest'
import { JOINED_MAX, joinReads } from '../../../src/persistence/database/joined-reads.ts'
import { countStatements, useDatabase } from '../../support/database.ts'

const database = useDatabase()
const read = joinReads(database)

const series = `
WITH one AS (SELECT n FROM generate_series(1, $1::int) n)
SELECT n::text AS key, $2::text AS value, json_build_array(n, $2::text)::text AS body FROM one ORDER BY n DESC`
const constant = `SELECT NULL::text AS key, NULL::text AS value, '{}' AS body WHERE $1::boolean`

const rowsOf = (length: number, value: string | null) =>
  Array.from({ length }, (_, at) => ({
    key: String(length - at),
    value,
    body: JSON.stringify([length - at, value]).replace(',', ', '),
  }))
const nothing = { key: null, value: null, body: '{}' }

it('reads of a turn of the event loop are one statement, in which each has its own values, and its own rows in their order', async () => {
  const wanted = () =>
    Promise.all([
      read('series', series, [12, 'a $1 b']),
      read('constant', constant, [false]),
      // Promises that are resolved already belong to the turn.
      Promise.resolve().then(() => read('constant', constant, [true])),
      read('series', series, [3, null]),
    ])
  const { result, count } = await countStatements(database, wanted)
  expect(result.map((rows) => rows.map(({ key, value, body }) => ({ key, value, body })))).toEqual([
    rowsOf(12, 'a $1 b'),
    [],
    [nothing],
    rowsOf(3, null),
  ])
  expect(count).toBe(1)
})

it('a read that is alone in its turn of the event loop is sent as it is', async () => {
  const { result, statements } = await countStatements(database, () => read('constant', constant, [true]))
  expect([result, statements]).toEqual([[nothing], [constant]])
})

it.each([
  [JOINED_MAX, 1],
  [JOINED_MAX + 1, 2],
])('%i reads of a turn of the event loop are %i statements', async (reads, statements) => {
  const each = Array.from({ length: reads }, (_, at) => at)
  const { result, count } = await countStatements(database, () =>
    Promise.all(each.map((at) => read('series', series, [at, null]))),
  )
  expect(result.map(({ length }) => length)).toEqual(each)
  expect(count).toBe(statements)
})

it('a joined read that fails fails those of its statement, and not the next ones', async () => {
  const failing = read('failing', `SELECT NULL::text AS key, NULL::text AS value, (1 / $1::int)::text AS body`, [0])
  const outcomes = await Promise.allSettled([failing, read('constant', constant, [true])])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await read('constant', constant, [true])).toEqual([nothing])
})
