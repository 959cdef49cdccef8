import { setTimeout as pause } from 'node:timers/promises'
/** An answer that is given again because nothing was written since is, byte for byte, the one that would be made now. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { Database } from '../src/persistence/database.ts'
import { QUIET_MS, UnchangedAnswers } from '../src/unchanged-answers.ts'
import { countStatements, reset, useDatabase } from './support/database.ts'
import { fullStore } from './support/full-store.ts'
import { contextOf, makeBook, makePrice } from './support/price-books.ts'
import { publishStore } from './support/published.ts'
import { START, standingTime, startTestServer, type TestServer } from './support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeSubscription } from './support/subscriptions.ts'

const database = useDatabase()
let fast: TestServer
let plain: TestServer

beforeAll(async () => {
  fast = await startTestServer(database)
  plain = await startTestServer(database, { keepAnswers: false })
})
afterAll(async () => {
  await fast.stop()
  await plain.stop()
})

const questions = {
  books: '{ priceBooks { totalCount nodes { name updatedAt prices { totalCount nodes { sku sales { name } } } } } }',
  subscriptions: '{ subscriptions { nodes { status endDate invoiceAfter plan { name } } } }',
  plans: '{ plans { nodes { name } } priceBooks { totalCount } }',
  catalogs: '{ catalogs { nodes { name publishing { step } } } }',
} as const
type Question = keyof typeof questions

async function post(server: TestServer, query: string, role: 'admin' | 'shopper' = 'admin'): Promise<string> {
  const { token } = await server.issue({ subject: role, role }, server.now)
  const { text } = await server.rest('POST', '/graphql', { token, body: { query } })
  expect(text).not.toContain('errors')
  return text
}

describe('an answer that is given again', () => {
  beforeEach(async () => {
    await reset(database)
    fast.now = START
    const ctx = contextAs(fast.services, START)
    await makePlan(ctx, idOf('plan', 1), { billing_interval_type: 'day', billing_frequency: 1, trial_period: 1, trial_period_unit: 'day' })
    await makeOffering(ctx, idOf('offering', 1), { plans: [idOf('plan', 1)] })
    await makeSubscription(ctx)
  })

  it('is the one that would be made now, whatever was asked and written before, and whenever', async () => {
    const bookId = (await makeBook(contextOf(fast.services, START), 'Book')).id
    let made = 0
    const writes = {
      price: () => makePrice(contextOf(fast.services, START), bookId, `sku ${made++}`),
      byOthers: () => database.pool.query('UPDATE price_book SET name = $1', [`Book ${made++}`]),
      rolledBack: () => database.pool.query('DO $$ BEGIN UPDATE plan SET name = NULL; EXCEPTION WHEN others THEN NULL; END $$'),
      time: () => {
        fast.now += 86_400_000 / 2
        plain.now = fast.now
      },
    }
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...(Object.keys(questions) as Question[])) },
      { weight: 1, arbitrary: fc.constantFrom(...(Object.keys(writes) as (keyof typeof writes)[])) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        fast.now = START
        plain.now = START
        for (const one of steps) {
          if (one in writes) await writes[one as keyof typeof writes]()
          else expect(await post(fast, questions[one as Question])).toBe(await post(plain, questions[one as Question]))
        }
      }),
      { numRuns: 25 },
    )
  }, 60_000)

  it.runIf(inject('databases').kind === 'server')('shows what another transaction commits, from then on [needs PostgreSQL]', async () => {
    await makeBook(contextOf(fast.services, START), 'before')
    const ask = () => post(fast, questions.books)
    const client = await database.pool.connect()
    try {
      await client.query("BEGIN; UPDATE price_book SET name = 'after'")
      for (let again = 0; again < 3; again++) expect(await ask()).toContain('"before"')
      await client.query('COMMIT')
      expect(await ask()).toContain('"after"')
    } finally {
      client.release()
    }
  })

  // Whoever writes into another database of the cluster has a transaction number too.
  it.runIf(inject('databases').kind === 'embedded')('costs one statement, from the third time on [embedded only]', async () => {
    await publishStore(fast, fullStore())
    const quiet = await startTestServer(database)
    const counts = async (query: string, role?: 'shopper') => {
      const found = []
      const whole = async (): Promise<void> => {
        await post(quiet, query, role)
        // What keeping an answer costs comes after the answer.
        await pause(50)
      }
      for (let again = 0; again < 4; again++) found.push((await countStatements(database, whole)).count)
      return found
    }
    const [first = 0, second, ...rest] = await counts(questions.books)
    expect([second, ...rest]).toEqual([first + 2, 1, 1])
    // What depends on the instant or on this process is made each time, and a shopper's answers are a shopper's own.
    for (const question of ['subscriptions', 'catalogs'] as const) {
      const made = await counts(questions[question])
      expect([question, new Set(made).size]).toEqual([question, 1])
    }
    const shown = await counts('{ catalogs { nodes { name description } } }', 'shopper')
    expect(new Set(shown).size).toBe(1)
    await quiet.stop()
  })
})

it('is made where the database does not tell whether it is still true', async () => {
  const deaf = new Proxy(database, {
    get: (target, member) => {
      if (member !== 'batchRead') return Reflect.get(target, member)
      const read: Database['batchRead'] = (path, keys) =>
        path.name === 'snapshot' ? Promise.reject(new Error('away')) : target.batchRead(path, keys)
      return read
    },
  })
  const server = await startTestServer(deaf)
  for (let again = 0; again < 3; again++) expect(await post(server, questions.plans)).toContain('"plans"')
  await server.stop()
})

describe('the rule', () => {
  /** Answers whose database tells the snapshots in turn. */
  const answersOver = (...snapshots: string[]) => {
    const elapsed = standingTime()
    let asked = 0
    const batchRead = async () => snapshots[asked++]
    const answers = new UnchangedAnswers({ batchRead } as unknown as Database, undefined, elapsed)
    const find = async () => {
      const { body, snapshot } = await answers.find('k')
      return body?.toString() ?? snapshot ?? null
    }
    return {
      answers,
      elapsed,
      find,
      keep: (body: string, snapshot?: string) => answers.keep('k', Buffer.from(body), snapshot),
      asked: () => asked,
    }
  }

  it('keeps from the second time on, and asks for a snapshot only then', async () => {
    const { find, keep, asked } = answersOver('1', '1', '1')
    expect([await find(), asked()]).toEqual([null, 0])
    await keep('a')
    expect([await find(), asked()]).toEqual(['1', 1])
    await keep('a', '1')
    expect([await find(), asked()]).toEqual(['a', 3])
  })

  it('keeps nothing that was written to while it was made, and tries again after a while', async () => {
    const { find, keep, elapsed, asked } = answersOver('1', '2', '2')
    await keep('a')
    await keep('a', (await find()) ?? undefined)
    expect([await find(), asked()]).toEqual([null, 2])
    elapsed.ahead += QUIET_MS - 1
    expect(await find()).toBeNull()
    elapsed.ahead += 1
    expect(await find()).toBe('2')
  })

  it('gives nothing after a write, and waits when that came soon', async () => {
    const { find, keep, elapsed } = answersOver('1', '1', '2', '2', '3', '3')
    await keep('a')
    await keep('a', (await find()) ?? undefined)
    elapsed.ahead += QUIET_MS
    // Held long enough: the next is tried at once.
    expect(await find()).toBe('2')
    await keep('b', '2')
    expect(await find()).toBe('3')
    expect(await find()).toBeNull()
    elapsed.ahead += QUIET_MS
    expect(await find()).toBe('3')
  })

  it('keeps bytes of its own, not the big buffer that they are a piece of', async () => {
    const answers = new UnchangedAnswers({ batchRead: async () => '1' } as unknown as Database)
    for (let again = 0; again < 2; again++) await answers.keep('k', Buffer.from('small'), '1')
    const { body } = await answers.find('k')
    expect([body?.toString(), body?.buffer.byteLength]).toEqual(['small', 5])
  })

  it('keeps within its bound, the least used go', async () => {
    const batchRead = async () => '1'
    const answers = new UnchangedAnswers({ batchRead } as unknown as Database, 2 * (100 + 500 + 2))
    const keep = async (key: string) => {
      for (let again = 0; again < 2; again++) await answers.keep(key, Buffer.alloc(100), '1')
    }
    for (const key of ['a', 'b']) await keep(key)
    await answers.find('a')
    await keep('c')
    expect(await Promise.all(['a', 'b', 'c'].map(async (key) => (await answers.find(key)).body?.length))).toEqual([100, undefined, 100])
  })
})
