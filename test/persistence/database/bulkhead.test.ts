import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Overloaded } from '../../../src/domain/input/errors.ts'
import type { RequestDeadline } from '../../../src/lib/deadline.ts'
import { Bulkhead, bulkheadsOf } from '../../../src/persistence/database/bulkhead.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { RequestDatabase, STATEMENTS_AT_ONCE } from '../../../src/persistence/database/request-database.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Tasks that run until they are ended, one by one; `started` has the names of those that have begun, in that order. */
function tasks() {
  const started: string[] = []
  const ends: (() => void)[] = []
  return {
    started,
    task: (name: string) => () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.push(() => resolve(name)))
    },
    /** Ends the task that has run longest. */
    async endOne() {
      ends.shift()?.()
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

describe('a bulkhead', () => {
  test('a bulkhead runs its number of tasks at once and no more, and gives each place to the next', async () => {
    const { started, task, endOne } = tasks()
    const bulkhead = new Bulkhead(2, 1_000)
    const results = ['a', 'b', 'c'].map((name) => bulkhead.run('one', task(name)))
    expect([started, bulkhead.running, bulkhead.waiting]).toEqual([['a', 'b'], 2, 1])
    await endOne()
    expect([started, bulkhead.running, bulkhead.waiting]).toEqual([['a', 'b', 'c'], 2, 0])
    await endOne()
    await endOne()
    expect([await Promise.all(results), bulkhead.running]).toEqual([['a', 'b', 'c'], 0])
  })

  test('a bulkhead lets owners take turns: one with many tasks does not keep the others waiting, and its own stay in order', async () => {
    const { started, task, endOne } = tasks()
    const bulkhead = new Bulkhead(1, 1_000)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void bulkhead.run(name.charAt(0), task(name))
    for (let ended = 0; ended < 7; ended++) await endOne()
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  test('a bulkhead refuses a task that could not start in time, and leaves its place to others', async () => {
    const { started, task, endOne } = tasks()
    const bulkhead = new Bulkhead(1, 1_000)
    void bulkhead.run('a', task('a1'))
    const late = expect(bulkhead.run('a', task('a2'))).rejects.toBeInstanceOf(Overloaded)
    await vi.advanceTimersByTimeAsync(999)
    void bulkhead.run('a', task('a3'))
    expect(bulkhead.waiting).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    await late
    await endOne()
    expect([started, bulkhead.waiting]).toEqual([['a1', 'a3'], 0])
  })

  test('a bulkhead gives back the place of a task that failed', async () => {
    const bulkhead = new Bulkhead(1, 1_000)
    await expect(bulkhead.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await bulkhead.run('a', async () => 'next')).toBe('next')
  })
})

test.each([
  [1, { reads: 1, writes: 1, searches: 1 }],
  [2, { reads: 1, writes: 1, searches: 1 }],
  [10, { reads: 9, writes: 5, searches: 2 }],
])('of %d connections writes take at most half, and no kind all of several', (max, shares) => {
  const { reads, writes, searches } = bulkheadsOf(max, 0)
  expect({ reads: reads.max, writes: writes.max, searches: searches.max }).toEqual(shares)
})

describe('the database of a request', () => {
  const deadline = (): RequestDeadline => ({ abortReason: null, exempt: false })

  /** A database of ten connections whose statements and transactions run until they are ended. */
  function held() {
    const { started, task, endOne } = tasks()
    const database = {
      pool: { waitingCount: 0 },
      bulkheads: bulkheadsOf(10, 60_000),
      query: (name: string) => task(name)(),
      batchRead: ({ name }: { name: string }) => task(name)(),
      prisma: { $transaction: () => task('transaction')() },
    } as unknown as Database
    const ofOwner = (owner: string) => new RequestDatabase(database, deadline(), undefined, undefined, owner)
    return { started, endOne, ofOwner }
  }

  test('the database of a request sends a bounded number of statements at once, whatever they are, and the next one when one has ended', async () => {
    const { started, endOne, ofOwner } = held()
    const database = ofOwner('a')
    for (let at = 0; at < 4; at++) void database.query(`q${at}`, '')
    for (let at = 0; at < 4; at++) void database.batchRead({ name: `b${at}`, read: async () => [] }, [])
    await vi.advanceTimersByTimeAsync(0)
    expect(started).toEqual(['q0', 'q1', 'q2', 'q3', 'b0'])
    expect(started).toHaveLength(STATEMENTS_AT_ONCE)
    await endOne()
    expect(started).toEqual(['q0', 'q1', 'q2', 'q3', 'b0', 'b1'])
  })

  test('the database of a request begins its transaction within the share of writes, after which reads still go on', async () => {
    const { started, ofOwner } = held()
    for (let at = 0; at < 200; at++) void ofOwner('writer').prisma.$transaction(async () => undefined)
    void ofOwner('writer').query('read', '')
    await vi.advanceTimersByTimeAsync(0)
    expect(started).toEqual([...Array(5).fill('transaction'), 'read'])
  })

  test('the database of a request takes turns with those of other tokens', async () => {
    const { started, endOne, ofOwner } = held()
    for (let at = 0; at < 50; at++) void ofOwner('many').query(`many ${at}`, '')
    void ofOwner('few').query('few', '')
    await vi.advanceTimersByTimeAsync(0)
    expect(started).toHaveLength(9)
    await endOne()
    await endOne()
    expect(started.slice(9)).toEqual(['many 9', 'few'])
  })

  test('the database of a request sends nothing when the request has ended before its turn', async () => {
    const { started, endOne, ofOwner } = held()
    for (let at = 0; at < 9; at++) void ofOwner('a').query(`a${at}`, '')
    const over = deadline()
    const reads = (ofOwner('a') as unknown as { database: Database }).database
    const failed = expect(new RequestDatabase(reads, over).query('late', '')).rejects.toThrow('the client is gone')
    over.abortReason = new Error('the client is gone')
    await endOne()
    await failed
    expect(started).not.toContain('late')
  })
})
