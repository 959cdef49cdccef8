import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/persistence/database.ts'
import { familyOf, loaderOf } from '../../src/persistence/loader.ts'
import { KEYS_TOGETHER_MAX, ReadingTogether } from '../../src/persistence/reading-together.ts'

/** A database that only reads together, and the keys of each read: a text's answer is its length, with how many reads there were. */
function counting() {
  const reads: string[][] = []
  const together = new ReadingTogether()
  const database = {
    askTogether: (path: string, fetch: (on: Database, keys: never[]) => Promise<unknown>) =>
      together.ask(path, (keys) => fetch(database, keys as never[])),
  } as unknown as Database
  const fetch = async (_: Database, keys: string[]) => {
    reads.push(keys)
    if (keys.includes('wrong')) throw new Error('wrong')
    return (key: string) => (key === 'none' ? null : `${key} of read ${reads.length}`)
  }
  return { reads, database, fetch }
}

describe('a loader', () => {
  it('reads what is asked at once together, each key once, and answers what it knows without a promise', async () => {
    const { reads, database, fetch } = counting()
    const make = loaderOf({ name: 'path', fetch })
    const loader = make(database)
    const other = make(database)
    expect(await Promise.all(['a', 'none', 'a'].map((key) => loader.load(key)).concat(other.load('a'), other.load('b')))).toEqual([
      'a of read 1',
      null,
      'a of read 1',
      'a of read 1',
      'b of read 1',
    ])
    expect(reads).toEqual([['a', 'none', 'b']])
    expect([loader.load('a'), loader.load('none')]).toEqual(['a of read 1', null])
    expect(await loader.load('b')).toBe('b of read 2')
  })

  it('asks anew for what is asked while a read is under way', async () => {
    const { reads, database, fetch } = counting()
    const loader = loaderOf({ name: 'path', fetch })(database)
    const first = loader.load('a')
    while (reads.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(reads).toEqual([['a']])
    expect(await Promise.all([first, loader.load('b')])).toEqual(['a of read 1', 'b of read 2'])
  })

  it('reads all that one asks for at once in one statement, however much that is', async () => {
    const { reads, database, fetch } = counting()
    const make = loaderOf({ name: 'path', fetch })
    const [loader, other] = [make(database), make(database)]
    const keys = Array.from({ length: KEYS_TOGETHER_MAX + 1 }, (_, at) => `key ${at}`)
    await Promise.all([...keys.map((key) => loader.load(key)), other.load('another')])
    expect(reads.map(({ length }) => length)).toEqual([KEYS_TOGETHER_MAX + 1, 1])
  })

  it('may be asked again for what failed', async () => {
    const { database, fetch } = counting()
    const loader = loaderOf({ name: 'path', fetch })(database)
    const [wrong, with_] = [loader.load('wrong'), loader.load('a')]
    await expect(wrong).rejects.toThrow('wrong')
    await expect(with_).rejects.toThrow('wrong')
    expect(await loader.load('a')).toBe('a of read 2')
  })

  it('takes what a source knows, but not in place of what was asked for', async () => {
    const { reads, database, fetch } = counting()
    const loader = loaderOf<string, string | null>({ name: 'path', fetch })(database)
    loader.prime('a', 'primed')
    loader.prime('a', 'primed again')
    expect([loader.has('a'), loader.has('b'), loader.load('a')]).toEqual([true, false, 'primed'])
    const asked = loader.load('b')
    loader.prime('b', 'primed')
    expect(await asked).toBe('b of read 1')
    expect(reads).toEqual([['b']])
  })

  it('hands on what was found along with a value, under its own places', async () => {
    const { reads, database, fetch } = counting()
    const loader = loaderOf<string, string | null>({
      name: 'path',
      placeOf: (key) => key.toLowerCase(),
      fetch,
      along: (_, lookUp, one) => one.prime('Next', lookUp('next')),
    })(database)
    await loader.load('A')
    expect([loader.load('a'), loader.load('NEXT')]).toEqual(['A of read 1', 'next of read 1'])
    expect(reads).toEqual([['A']])
  })
})

it('a family reads what differs in what else is asked apart', async () => {
  const { reads, database, fetch } = counting()
  const make = familyOf<{ of: string; at: string }, string, string | null>({
    idOf: ({ of }) => of,
    keyOf: ({ at }) => at,
    pathOf: (_, id) => ({ name: `path ${id}`, fetch }),
  })
  const [one, other] = [make(database), make(database)]
  await Promise.all([one.load({ of: 'x', at: 'a' }), one.load({ of: 'y', at: 'a' }), other.load({ of: 'x', at: 'b' })])
  expect(reads).toEqual([['a', 'b'], ['a']])
})
