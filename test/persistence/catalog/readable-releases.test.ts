import { describe, expect, it } from 'vitest'
import { ReadableReleases } from '../../../src/persistence/catalog/readable-releases.ts'

const readable = new ReadableReleases({
  readable: [
    ['r1', 'c', false, false, 500],
    ['r2', 'c', false, false, 500],
    ['r3', 'c', false, false, 500],
    ['draft', 'c', true, false, 500],
  ],
  activations: [
    ['c', 'r1', 500, false],
    ['c', 'r2', 600, true],
    ['c', 'r3', 700, true],
    ['c', 'r1', 800, true],
    ['e', 'r4', 650, true],
    ['e', 'r5', 750, true],
  ],
  catalogs: [
    ['e', 500, 600],
    ['c', 500, null],
  ],
  rules: '0',
})

const shopper = (now: number) => ({ now, readsAll: false })
const admin = (now: number) => ({ now, readsAll: true })

describe('release.scheduled-at-its-millisecond: the readable releases', () => {
  it('readable releases have the latest of an instant, from the very millisecond of its schedule on, for every reader', () => {
    for (const reader of [shopper, admin]) {
      const latest = [0, 599, 600, 699, 700, 799, 800].map((now) => readable.find('c', 'latest', reader(now)))
      expect(latest).toEqual(['r1', 'r1', 'r2', 'r2', 'r3', 'r3', 'r1'])
    }
    expect(readable.find('other', 'latest', admin(0))).toBeUndefined()
  })

  it('readable releases are public from their first activation on, and for administrators before and without one', () => {
    expect([599, 600].map((now) => readable.find(null, 'r2', shopper(now)))).toEqual([undefined, 'r2'])
    expect(readable.find(null, 'r1', shopper(0))).toBe('r1')
    expect(readable.find(null, 'draft', shopper(1000))).toBeUndefined()
    expect(['r2', 'draft'].map((id) => readable.find('c', id, admin(0)))).toEqual(['r2', 'draft'])
    expect(readable.find('other', 'r2', admin(0))).toBeUndefined()
  })

  it('catalog-rule.most-matches-win: readable releases know the catalog that was first published longest ago, and until when it is the one', () => {
    const first = [0, 649, 650, 750].map((now) => readable.firstCatalog(now))
    expect(first).toEqual([
      { catalogId: 'c', until: 650 },
      { catalogId: 'c', until: 650 },
      { catalogId: 'e', until: null },
      { catalogId: 'e', until: null },
    ])
    const none = new ReadableReleases({
      readable: null,
      activations: [['e', 'r4', 650, true]],
      catalogs: [['e', 650, null]],
      rules: '0',
    })
    expect([649, 650].map((now) => none.firstCatalog(now))).toEqual([
      { catalogId: null, until: 650 },
      { catalogId: 'e', until: null },
    ])
  })

  it('readable releases know since when a catalog is published and its price history complete', () => {
    expect(readable.historyOf('e')).toEqual({ firstPublishedAt: 500, priceHistoryFrom: 600 })
    expect(readable.historyOf('other')).toEqual({ firstPublishedAt: null, priceHistoryFrom: null })
  })

  it('readable releases know the next instant at which another one is the latest', () => {
    expect([0, 599, 600, 700, 799, 800].map((now) => readable.nextActivation('c', 'latest', now))).toEqual([
      600,
      600,
      700,
      800,
      800,
      null,
    ])
    expect([599, 600].map((now) => readable.nextActivation(null, 'r2', now))).toEqual([600, null])
    expect(readable.nextActivation(null, 'draft', 0)).toBeNull()
  })
})
