import { describe, expect, test } from 'vitest'
import type { Release } from '../../../src/domain/catalog/release.ts'
import { analyserOf } from '../../../src/domain/catalog/search-text.ts'
import { ProductSearch, type Searcher } from '../../../src/persistence/catalog/product-search.ts'
import type { ReleaseTexts } from '../../../src/persistence/catalog/release-texts.ts'
import { Bulkhead } from '../../../src/persistence/database/bulkhead.ts'
import { searcher } from '../../support/services.ts'

const PRODUCTS = 3_000
const release = {
  id: 'r',
  sequence: 1,
  catalogId: 'c',
  allProducts: { documents: new Int32Array(PRODUCTS), positionOf: (document: number) => document },
} as unknown as Release

/** A search whose statements wait until they are answered; each finds `found` documents. */
function held(found = 1) {
  const sent: string[] = []
  const answers: (() => void)[] = []
  const body = JSON.stringify([Array.from({ length: found }, (_, at) => at), Array(found).fill(1)])
  const texts: Pick<ReleaseTexts, 'read' | 'analyser'> = {
    analyser: analyserOf('en'),
    read: (_release, _name, _text, values) => {
      sent.push(String(values[5]).replace(/'=n:([^']*)'.*/, '$1'))
      return new Promise((resolve) => answers.push(() => resolve([{ key: 'true', value: null, body }])))
    },
  }
  const search = new ProductSearch(texts as ReleaseTexts, new Bulkhead(1, 60_000))
  const answer = async (): Promise<void> => {
    answers.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    sent,
    answer,
    find: (text: string, given: Partial<Searcher> = {}) => search.find(release, text, null, { ...searcher, ...given }),
  }
}

describe('http.writes-leave-room: searches', () => {
  test('searches run within their share of the connections, where tokens take turns', async () => {
    const { sent, answer, find } = held()
    const found = [
      find('one', { owner: 'a' }),
      find('two', { owner: 'a' }),
      find('three', { owner: 'a' }),
      find('four', { owner: 'b' }),
    ]
    expect(sent).toEqual(['one'])
    for (const _ of found) await answer()
    expect(sent).toEqual(['one', 'two', 'four', 'three'])
    expect((await Promise.all(found)).map(({ documents }) => documents.length)).toEqual([1, 1, 1, 1])
  })

  test('searches are not sent for a request that has ended before its turn, and still are for another that waits for the same', async () => {
    const { sent, answer, find } = held()
    void find('first')
    let hasEnded = false
    const assertActive = (): void => {
      if (hasEnded) throw new Error('ended')
    }
    const ended = find('same', { assertActive })
    const other = find('same')
    const alone = find('alone', { assertActive })
    hasEnded = true
    const refused = Promise.all([ended, alone].map((one) => expect(one).rejects.toThrow('ended')))
    await answer()
    await refused
    await answer()
    expect((await other).documents).toHaveLength(1)
    expect(sent).toEqual(['first', 'same'])
  })

  test.each([
    [3_000, 2_000],
    [30_000, 20_000],
    [60_000, 20_000],
  ])('searches count what they find as work: %d documents are %d points', async (found, points) => {
    const { answer, find } = held(found)
    let spent = 0
    const spend = (more: number): void => {
      spent += more
    }
    const result = find('all', { spend })
    await answer()
    await result
    expect(spent).toBe(points)
    await find('all', { spend })
    expect(spent).toBe(points)
  })
})
