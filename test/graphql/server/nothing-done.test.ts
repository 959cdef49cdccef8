import { type ExecutionResult, GraphQLError, parse } from 'graphql'
import { expect, test } from 'vitest'
import { isNothingDone } from '../../../src/graphql/server/nothing-done.ts'

const failed = (code: string): GraphQLError => new GraphQLError('x', { extensions: { code } })
const away = failed('SERVICE_UNAVAILABLE')
const read = '{ a { b } }'

test.each<[string, string, ExecutionResult, boolean]>([
  ['a query without data', read, { data: null, errors: [away] }, true],
  [
    'a query whose fields are all null',
    read,
    { data: { a: null, c: { d: [null, { e: null }] } }, errors: [away, away] },
    true,
  ],
  ['a query with one value', read, { data: { a: null, c: { d: 0 } }, errors: [away] }, false],
  ['a query with an empty list', read, { data: { a: null, c: [] }, errors: [away] }, false],
  ['a query that failed for another reason too', read, { data: null, errors: [away, failed('FORBIDDEN')] }, false],
  ['a query without errors', read, { data: { a: null } }, false],
  ['a mutation', 'mutation { a { b } }', { data: null, errors: [away] }, true],
  [
    'a mutation with a payload that could not be read',
    'mutation { a { b } }',
    { data: { a: { b: null } }, errors: [away] },
    false,
  ],
  ['one of two mutations', 'mutation { a { b } c { d } }', { data: null, errors: [away] }, false],
  ['mutations of a fragment', 'mutation { ...F } fragment F on M { a c }', { data: null, errors: [away] }, false],
])(
  'http.lost-database-is-unavailable: whether nothing was done when a database is lost: %s',
  (_, text, result, expected) => {
    expect(isNothingDone(result, parse(text))).toBe(expected)
  },
)
