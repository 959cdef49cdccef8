import { DriverAdapterError } from '@prisma/driver-adapter-utils'
import { expect, test } from 'vitest'
import { Unavailable } from '../../../src/domain/input/errors.ts'
import { isTransient, translateFailure, WriteConflict } from '../../../src/persistence/database/failures.ts'

const coded = (message: string, code: string) => Object.assign(new Error(message), { code })
const adapters = (cause: object) => new DriverAdapterError(cause as never)
const prismas = (code: string, cause?: object) =>
  Object.assign(new Error('of Prisma'), { code, meta: cause && { driverAdapterError: adapters(cause) } })

test.each([
  ['a COMMIT whose connection was reset', adapters({ kind: 'ConnectionClosed' })],
  ['a COMMIT that a stop of the server overtook', adapters({ kind: 'postgres', originalCode: '57P01' })],
  ['no server, as Prisma reports it', prismas('P1001', { kind: 'DatabaseNotReachable' })],
  ['a server that starts, as Prisma reports it', prismas('P2039', { kind: 'postgres', originalCode: '57P03' })],
  ['too many connections', prismas('P2037', { kind: 'TooManyConnections', originalCode: '53300' })],
  ['no connection for a transaction in time', prismas('P2028')],
  ['nobody at any address of the host', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })],
  ['a host whose name is not found just now', coded('getaddrinfo EAI_AGAIN db', 'EAI_AGAIN')],
  ['a socket that is not there', coded('connect ENOENT /run/postgresql/.s.PGSQL.5432', 'ENOENT')],
  ['a write to a lost connection', coded('write EPIPE', 'EPIPE')],
  ['a connection that ended', new Error('Connection terminated unexpectedly')],
  [
    'a statement on a connection that was lost before',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  ['no connection of the pool in time', new Error('timeout exceeded when trying to connect')],
  ['a pool that is closed', new Error('Cannot use a pool after calling end on the pool')],
  ['a statement that took too long', coded('canceling statement due to statement timeout', '57014')],
])('the failure %s is translated to Unavailable and not retried', (_, error) => {
  expect(translateFailure(error)).toBeInstanceOf(Unavailable)
  expect((translateFailure(error) as Error).cause).toBe(error)
  expect(isTransient(error)).toBe(false)
})

test.each([
  ['a mistake in a program', new TypeError('Connection is not a function')],
  ['a wrong argument', coded('The argument is wrong', 'ERR_INVALID_ARG_TYPE')],
  ['a statement that is wrong', coded('syntax error', '42601')],
  ['a foreign key', prismas('P2003', { kind: 'ForeignKeyConstraintViolation', originalCode: '23503' })],
])('the failure %s is not translated', (_, error) => {
  expect(translateFailure(error)).toBe(error)
})

test.each(['40001', '40P01'])(
  'SQL state %s makes the transaction retry, at whatever statement it occurs, and is Unavailable after the last attempt',
  (originalCode) => {
    const cause = { kind: 'TransactionWriteConflict', originalCode }
    for (const error of [coded('of pg', originalCode), adapters(cause), prismas('P2034', cause)]) {
      expect(isTransient(error)).toBe(true)
      expect(translateFailure(error)).toBeInstanceOf(Unavailable)
      // Also where an inner function has translated it.
      expect(isTransient(translateFailure(error))).toBe(true)
    }
  },
)

test('database.locale-decides-nothing: a constraint is found by its name, in whatever language the database speaks', () => {
  const message = 'doppelter Schlüsselwert verletzt Unique-Constraint »price_book_name_key«'
  const cause = {
    kind: 'UniqueConstraintViolation',
    originalCode: '23505',
    originalMessage: message,
    constraint: { index: 'price_book_name_key' },
  }
  const refused = { violations: [{ code: 'NAME_TAKEN' }] }
  for (const error of [
    adapters(cause),
    prismas('P2002', cause),
    Object.assign(coded(message, '23505'), { constraint: 'price_book_name_key' }),
  ])
    expect(translateFailure(error)).toMatchObject(refused)
})

test('a unique constraint without a violation of its own is not translated, nor said to be of other writers after the last attempt', () => {
  const refused = Object.assign(coded('duplicate key', '23505'), { constraint: 'sale_unlisted_key' })
  const conflict = new WriteConflict('a unique constraint refused the write', { cause: refused })
  expect([translateFailure(refused), translateFailure(conflict)]).toEqual([refused, conflict])
  const listed = Object.assign(coded('duplicate key', '23505'), { constraint: 'product_sku_key' })
  expect(translateFailure(new WriteConflict('a unique constraint refused the write', { cause: listed }))).toMatchObject(
    {
      violations: [{ code: 'SKU_TAKEN' }],
    },
  )
})
