import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Queryable } from '../../../src/persistence/database/query.ts'
import { StatementQueue } from '../../../src/persistence/database/statement-queue.ts'

/** A connection that fails at the statement `bad`, and what it was sent and answered. */
function connection() {
  const log: string[] = []
  const query = async (text: string) => {
    log.push(`sent ${text}`)
    await setImmediate()
    log.push(`answered ${text}`)
    if (text === 'bad') throw new Error('a bad statement')
    return { rows: [text] }
  }
  return { log, queue: new StatementQueue({ query } as unknown as Queryable) }
}

const asked = (log: readonly string[]): string[] => log.filter((one) => one.startsWith('sent'))

describe('the statements of several tasks', () => {
  it('are sent one after another, in the order in which they are asked', async () => {
    const { log, queue } = connection()
    await queue.run([
      async () => {
        await queue.query('a1')
        await queue.query('a2')
      },
      async () => {
        const both = [queue.query('b1'), queue.query('b2')]
        expect((await Promise.all(both)).map(({ rows }) => rows)).toEqual([['b1'], ['b2']])
      },
    ])
    const expected = ['a1', 'b1', 'b2', 'a2'].flatMap((text) => [`sent ${text}`, `answered ${text}`])
    expect(log).toEqual(expected)
  })

  it('are not sent once one has failed, and its failure is that of all', async () => {
    const { log, queue } = connection()
    const all = queue.run([
      async () => {
        await queue.query('bad')
      },
      async () => {
        await queue.query('later')
      },
    ])
    await expect(all).rejects.toThrow('a bad statement')
    expect(log).toEqual(['sent bad', 'answered bad'])
  })

  it('are answered before a failure of a task is reported, and none is sent after it', async () => {
    const { log, queue } = connection()
    const all = queue.run([
      async () => {
        queue.query('begun')
        throw new Error('a task that fails')
      },
      async () => {
        await queue.query('asked')
        await queue.query('late')
      },
    ])
    await expect(all).rejects.toThrow('a task that fails')
    expect(log.at(-1)).toMatch(/^answered/)
    expect(asked(log)).not.toContain('sent late')
  })

  it('that nobody awaited report their failure at the end', async () => {
    const { queue } = connection()
    const all = queue.run([
      async () => {
        queue.query('bad')
      },
    ])
    await expect(all).rejects.toThrow('a bad statement')
  })
})
