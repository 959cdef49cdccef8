import { afterEach, describe, expect, it } from 'vitest'
import { countStatements, reset, useDatabase } from '../../support/database.ts'

const database = useDatabase()
afterEach(() => reset(database))

it('the database compresses the states in the change log by lz4, where the server has it', async () => {
  const text = `
    SELECT 'lz4' = ANY (enumvals) AS "hasLz4", ARRAY(
      SELECT attcompression::text FROM pg_attribute WHERE attrelid = 'change'::regclass AND attname IN ('before', 'after')) AS methods
    FROM pg_settings WHERE name = 'default_toast_compression'`
  const [found] = await database.query<{ hasLz4: boolean; methods: string[] }>('test-compression', text)
  expect(found?.methods).toEqual(found?.hasLz4 ? ['l', 'l'] : ['', ''])
})

describe('query', () => {
  it('value.numbers-never-rounded: a statement reads int8 as a number up to 2^53-1, and throws beyond it', async () => {
    const [row] = await database.query('test-int8', 'SELECT $1::int8 AS amount, ARRAY[$1::int8, NULL] AS amounts', [
      '9007199254740991',
    ])
    expect(row).toEqual({ amount: 9007199254740991, amounts: [9007199254740991, null] })
    await expect(
      database.query('test-int8', 'SELECT $1::int8 AS amount, ARRAY[$1::int8, NULL] AS amounts', ['9007199254740992']),
    ).rejects.toThrow(RangeError)
  })

  it('a statement is prepared under its name', async () => {
    await database.query('test-named', 'SELECT 1 AS one')
    expect(await database.query('test-named', 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    const rows = await database.query<{ name: string }>(
      'test-prepared',
      "SELECT name FROM pg_prepared_statements WHERE name LIKE 'test-named'",
    )
    if (database.kind === 'embedded') expect(rows).toEqual([{ name: 'test-named' }])
  })

  it.each([
    ['2026-01-31 23:59:59.999+00', Date.UTC(2026, 0, 31, 23, 59, 59, 999)],
    ['2026-01-01 00:00:00+00', Date.UTC(2026, 0, 1)],
    ['2026-01-01 00:00:00.05+00', Date.UTC(2026, 0, 1, 0, 0, 0, 50)],
    ['2026-01-01 00:00:00.057999+00', Date.UTC(2026, 0, 1, 0, 0, 0, 57)],
    ['2026-01-01 01:00:00+01', Date.UTC(2026, 0, 1)],
    ['1000-01-01 00:00:00+00', Date.UTC(1000, 0, 1)],
    ['0099-12-31 00:00:00+00', new Date('0099-12-31T00:00:00Z').getTime()],
    ['9999-12-31 23:59:59.9+00', Date.UTC(9999, 11, 31, 23, 59, 59, 900)],
    ['10000-01-01 00:00:00+00', Date.UTC(10000, 0, 1)],
    ['0001-12-31 00:00:00+00 BC', new Date('0000-12-31T00:00:00Z').getTime()],
  ])('a statement reads the instant %s', async (text, milliseconds) => {
    const [row] = await database.query<{ instant: Date }>('test-instants', 'SELECT $1::timestamptz AS instant', [text])
    expect(row?.instant).toEqual(new Date(milliseconds))
  })

  it('a statement reads arrays of texts and ids, also empty ones', async () => {
    const id = '0190a000-0000-7000-8000-00000000000a'
    const text = `SELECT '{}'::text[] AS a, ARRAY['', '{}', NULL, 'a,"b"'] AS b, '{}'::uuid[] AS c, ARRAY['${id}'::uuid] AS d`
    expect(await database.query('test-arrays', text)).toEqual([{ a: [], b: ['', '{}', null, 'a,"b"'], c: [], d: [id] }])
  })

  it('a statement uses UTC, so that instants are read as they were written', async () => {
    const instant = new Date('2024-07-01T12:34:56.789Z')
    expect(
      await database.query('test-instant', "SELECT $1::timestamptz AS instant, current_setting('TimeZone') AS zone", [
        instant,
      ]),
    ).toEqual([{ instant, zone: 'UTC' }])
  })
})

describe('onStatement', () => {
  it('onStatement reports raw and Prisma statements; countStatements leaves out those that begin and end transactions', async () => {
    const { count, statements } = await countStatements(database, async () => {
      await database.query('test-one', 'SELECT 1 AS one')
      await database.prisma.$transaction(async (tx) => {
        await tx.storeFact.create({ data: { name: 'counted' } })
        await tx.storeFact.findMany()
      })
      await database.pool.query('SELECT 2')
    })
    expect(count).toBe(4)
    expect(statements[0]).toBe('SELECT 1 AS one')
    expect(statements[1]).toMatch(/^INSERT INTO "[^"]+"."store_fact"/)
    const after = await countStatements(database, async () => {})
    expect(after.count).toBe(0)
  })
})

describe('transactions', () => {
  it('transactions store nothing when they fail', async () => {
    await expect(
      database.prisma.$transaction(async (tx) => {
        await tx.storeFact.create({ data: { name: 'gone' } })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await database.prisma.storeFact.count()).toBe(0)
  })

  it('transactions are rolled back when their connection is lost', async () => {
    const client = await database.pool.connect()
    await client.query('BEGIN')
    await client.query("INSERT INTO store_fact (name) VALUES ('dropped')")
    client.release(new Error('dropped on purpose'))
    expect(await database.prisma.storeFact.count()).toBe(0)
  })

  it('transactions queue on the embedded connection and all commit', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        database.prisma.$transaction((tx) => tx.storeFact.create({ data: { name: `f${index}` } }), { maxWait: 20_000 }),
      ),
    )
    expect(await database.prisma.storeFact.count()).toBe(20)
  })
})

describe('reset, of the test databases', () => {
  it('the reset of a test database empties every table and keeps the migrations', async () => {
    await database.prisma.storeFact.create({ data: { name: 'here' } })
    await reset(database)
    expect(await database.prisma.storeFact.count()).toBe(0)
    const [{ count } = { count: 0 }] = await database.query<{ count: number }>(
      'test-migrations',
      'SELECT count(*) FROM _prisma_migrations',
    )
    expect(count).toBeGreaterThan(0)
  })
})
