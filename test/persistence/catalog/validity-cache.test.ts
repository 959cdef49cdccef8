import { describe, expect, it } from 'vitest'
import { type Valid, ValidityCache } from '../../../src/persistence/catalog/validity-cache.ts'

const HOUR = 3_600_000
const span = (hour: number): Valid => ({ from: hour * HOUR, until: (hour + 1) * HOUR })

describe('the cache of values that are true for a time', () => {
  it('a cache of values that are true for a time keeps the latest value of a key, however many earlier ones are added', () => {
    const cache = new ValidityCache<Valid>('test', 10_000, () => 100)
    cache.add('prices', span(23))
    for (let hour = 0; hour < 20; hour++) cache.add('prices', span(hour))
    expect(cache.find('prices', 23.5 * HOUR)).toEqual(span(23))
    expect([19, 18, 17].map((hour) => cache.find('prices', hour * HOUR))).toEqual([span(19), span(18), undefined])
  })

  it('a cache of values that are true for a time lets a later value take the place of the latest', () => {
    const cache = new ValidityCache<Valid>('test', 10_000, () => 100)
    for (let hour = 0; hour < 5; hour++) cache.add('prices', span(hour))
    expect([4, 3, 2, 1].map((hour) => cache.find('prices', hour * HOUR))).toEqual([
      span(4),
      span(3),
      span(2),
      undefined,
    ])
    expect(cache.before('prices', 5 * HOUR)).toEqual(span(4))
    expect([cache.find('prices', 5 * HOUR), cache.find('prices', 5 * HOUR - 1)]).toEqual([undefined, span(4)])
  })

  it('a cache of values that are true for a time has one value for each beginning, the one added last', () => {
    const cache = new ValidityCache<Valid>('test', 10_000, () => 100)
    cache.add('prices', span(1))
    const longer = { from: HOUR, until: 3 * HOUR }
    cache.add('prices', longer)
    expect(cache.find('prices', HOUR)).toBe(longer)
    expect(cache.find('prices', 2 * HOUR)).toBe(longer)
  })

  describe('is bounded by bytes: of each value, of its key, and 300 more for each key', () => {
    /** A key of one character takes 300 + 2 bytes beside its values. */
    const VALUE = 398
    const cacheOf = (bytes: number, ...keys: string[]) => {
      const cache = new ValidityCache<Valid>('test', bytes, () => VALUE)
      for (const key of keys) cache.add(key, span(1))
      return cache
    }
    const cached = (cache: ValidityCache<Valid>, ...keys: string[]) =>
      keys.filter((key) => cache.find(key, HOUR) !== undefined)

    it('a cache of values that are true for a time keeps what fits exactly, and a byte less evicts the first key', () => {
      expect(cached(cacheOf(3 * 700, 'a', 'b', 'c'), 'a', 'b', 'c')).toEqual(['a', 'b', 'c'])
      expect(cached(cacheOf(3 * 700 - 1, 'a', 'b', 'c'), 'a', 'b', 'c')).toEqual(['b', 'c'])
      expect(cached(cacheOf(1_000, 'a', 'b', 'c'), 'a', 'b', 'c')).toEqual(['c'])
    })

    it('a cache of values that are true for a time counts a character of a key as two bytes', () => {
      expect(cached(cacheOf(700 + 704, 'a', 'key'), 'a', 'key')).toEqual(['a', 'key'])
      expect(cached(cacheOf(700 + 703, 'a', 'key'), 'a', 'key')).toEqual(['key'])
    })

    it('a cache of values that are true for a time evicts the key that was not read for longest', () => {
      const cache = cacheOf(2 * 700, 'a', 'b')
      expect(cached(cache, 'a')).toEqual(['a'])
      cache.add('c', span(1))
      expect(cached(cache, 'a', 'b', 'c')).toEqual(['a', 'c'])
    })

    it('a cache of values that are true for a time counts all values of a key', () => {
      for (const [bytes, expected] of [
        [700 + 700 + VALUE, ['a', 'b']],
        [700 + 700 + VALUE - 1, ['b']],
      ] as const) {
        const cache = cacheOf(bytes, 'a', 'b')
        cache.add('b', span(2))
        expect(cached(cache, 'a', 'b')).toEqual(expected)
        expect(cache.find('b', 2 * HOUR)).toEqual(span(2))
      }
    })

    it('a cache of values that are true for a time keeps a value that is larger than the whole cache, alone', () => {
      const cache = new ValidityCache<Valid>('test', 1_000, ({ from }) => (from === 2 * HOUR ? 5_000 : 100))
      for (const key of ['a', 'b']) cache.add(key, span(1))
      expect(cached(cache, 'a', 'b')).toEqual(['a', 'b'])
      cache.add('c', span(2))
      expect([cache.find('c', 2 * HOUR), ...cached(cache, 'a', 'b')]).toEqual([span(2)])
      cache.add('a', span(1))
      expect([cache.find('c', 2 * HOUR), ...cached(cache, 'a', 'b')]).toEqual([undefined, 'a'])
    })
  })
})
