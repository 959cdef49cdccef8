import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isServed,
  type Knowledge,
  type KnowledgeEvent,
  type KnowledgeState,
  MAX_STALE_MS,
  standbyMayServe,
  transition,
  unknown,
} from '../../../src/persistence/catalog/release-knowledge.ts'

/** Knowledge of 10 000, as 10 100 finds it. */
const at = (state: KnowledgeState): Knowledge =>
  state === 'UNKNOWN' ? unknown : { state, since: 10_000, readAt: state === 'INVALIDATED' ? 9_000 : 10_000 }

const came = (begunAt: number, isFromStandby = false): KnowledgeEvent => ({ begunAt, isFromStandby })

describe('what is known of the published releases', () => {
  it.each<[KnowledgeState, 'wanted' | 'begun' | 'failed', number, KnowledgeState]>([
    ['UNKNOWN', 'wanted', 10_000, 'UNKNOWN'],
    ['UNKNOWN', 'begun', 10_000, 'UNKNOWN'],
    ['UNKNOWN', 'failed', 10_000, 'UNKNOWN'],
    ['FRESH', 'wanted', 10_599, 'FRESH'],
    ['FRESH', 'wanted', 10_600, 'AGEING'],
    ['FRESH', 'wanted', 11_000, 'STALE'],
    ['FRESH', 'begun', 10_599, 'FRESH'],
    ['FRESH', 'failed', 10_600, 'AGEING'],
    ['AGEING', 'wanted', 10_999, 'AGEING'],
    ['AGEING', 'begun', 10_999, 'AGEING'],
    ['AGEING', 'failed', 10_999, 'AGEING'],
    ['AGEING', 'wanted', 11_000, 'STALE'],
    ['STALE', 'wanted', 99_000, 'STALE'],
    ['STALE', 'begun', 99_000, 'STALE'],
    ['STALE', 'failed', 99_000, 'STALE'],
    ['INVALIDATED', 'wanted', 99_000, 'INVALIDATED'],
    ['INVALIDATED', 'begun', 99_000, 'INVALIDATED'],
    ['INVALIDATED', 'failed', 99_000, 'INVALIDATED'],
  ])('is after %s, with a read %s at %i, %s, of the same instants', (from, event, now, to) => {
    expect(transition(at(from), event, now)).toEqual({ ...at(from), state: to })
  })

  it.each<KnowledgeState>(['UNKNOWN', 'FRESH', 'AGEING', 'STALE', 'INVALIDATED'])(
    'is INVALIDATED since a write of this server, after %s too',
    (from) => {
      const { readAt } = at(from)
      expect(transition(at(from), 'written', 10_100)).toEqual({
        state: 'INVALIDATED',
        since: 10_100,
        readAt,
      })
    },
  )

  it.each<[KnowledgeState, string, KnowledgeEvent, number, Knowledge]>([
    ['UNKNOWN', 'first', came(1), 5, { state: 'FRESH', since: 1, readAt: 1 }],
    ['UNKNOWN', 'slow first', came(1), 700, { state: 'AGEING', since: 1, readAt: 1 }],
    ['UNKNOWN', 'too slow first', came(1), 1_001, { state: 'STALE', since: 1, readAt: 1 }],
    ['AGEING', 'later', came(10_700), 10_710, { state: 'FRESH', since: 10_700, readAt: 10_700 }],
    ['STALE', 'later', came(12_000), 12_010, { state: 'FRESH', since: 12_000, readAt: 12_000 }],
    ['FRESH', 'earlier', came(9_999), 10_100, at('FRESH')],
    ['STALE', "standby's", came(12_000, true), 14_000, { state: 'FRESH', since: 14_000, readAt: 10_000 }],
    ['FRESH', "standby's earlier", came(9_999, true), 10_100, at('FRESH')],
    ['INVALIDATED', 'later', came(10_001), 10_010, { state: 'FRESH', since: 10_001, readAt: 10_001 }],
    ['INVALIDATED', 'overtaken', came(9_999), 10_010, { state: 'INVALIDATED', since: 10_000, readAt: 9_999 }],
    ['INVALIDATED', 'twice overtaken', came(8_999), 10_010, at('INVALIDATED')],
    ['INVALIDATED', "standby's overtaken", came(9_999, true), 10_010, at('INVALIDATED')],
  ])('after %s takes from a %s read what it may', (from, _, event, now, to) => {
    expect(transition(at(from), event, now)).toEqual(to)
  })

  it('is served while it is FRESH or AGEING, and confirmed by a standby unless it is UNKNOWN or INVALIDATED', () => {
    const states: KnowledgeState[] = ['UNKNOWN', 'FRESH', 'AGEING', 'STALE', 'INVALIDATED']
    expect(states.filter((state) => isServed(at(state)))).toEqual(['FRESH', 'AGEING'])
    expect(states.filter((state) => standbyMayServe(at(state)))).toEqual(['FRESH', 'AGEING', 'STALE'])
  })
})

/** A read that was begun, and the version of the releases that the primary had then. */
interface Read {
  readonly begunAt: number
  readonly mayUseStandby: boolean
  readonly version: number
}

type Step =
  | { readonly kind: 'wanted' | 'begun' | 'written' | 'others' }
  | { readonly kind: 'came' | 'failed' | 'standby'; readonly place: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('wanted' as const, 'begun', 'others') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('written' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('came' as const, 'failed', 'standby'), place: fc.nat(5) }),
  },
)

/** A server whose reads end in any order, and the instants of all writes: `versions[v]` is that of version v. */
class Server {
  now = 1
  known: Knowledge = unknown
  /** The version of the releases that the server has; -1 for none. */
  has = -1
  readonly versions = [0]
  /** The last version that this server wrote. */
  lastOwn = 0
  readonly reads: Read[] = []
  /** The last instant at which a standby confirmed what is known. */
  confirmedAt = Number.NEGATIVE_INFINITY

  take(event: KnowledgeEvent): void {
    this.known = transition(this.known, event, this.now)
  }

  run(one: Step): void {
    if (one.kind === 'wanted') this.take('wanted')
    else if (one.kind === 'others') this.versions.push(this.now)
    else if (one.kind === 'written') this.write()
    else if ('place' in one) this.end(one.kind, one.place)
    else this.begin()
  }

  private write(): void {
    this.lastOwn = this.versions.push(this.now) - 1
    this.take('written')
  }

  private begin(): void {
    this.take('begun')
    const version = this.versions.length - 1
    this.reads.push({ begunAt: this.now, mayUseStandby: standbyMayServe(this.known), version })
  }

  private end(kind: 'came' | 'failed' | 'standby', place: number): void {
    const [read] = this.reads.splice(place % Math.max(this.reads.length, 1), 1)
    if (!read) return
    if (kind === 'failed' || (kind === 'standby' && !read.mayUseStandby)) {
      this.take('failed')
      return
    }
    const isFromStandby = kind === 'standby'
    const before = this.known
    this.take({ begunAt: read.begunAt, isFromStandby })
    if (isFromStandby && this.known.since !== before.since) this.confirmedAt = this.now
    if (!isFromStandby && this.known.readAt === read.begunAt) this.has = read.version
  }
}

const runs = fc.array(fc.tuple(fc.integer({ min: 1, max: 700 }), step), { minLength: 1, maxLength: 60 })

function inAnyOrder(
  check: (server: Server, before: { readonly has: number; readonly known: Knowledge }) => void,
): void {
  fc.assert(
    fc.property(runs, (steps) => {
      const server = new Server()
      for (const [pause, one] of steps) {
        server.now += pause
        const before = { has: server.has, known: server.known }
        server.run(one)
        check(server, before)
      }
    }),
    { numRuns: 3_000 },
  )
}

describe('what is known of the published releases, with reads that end in any order', () => {
  it('release.seen-within-a-second: has every write of its own server, and while no standby confirms it, each other of more than a second ago', () => {
    inAnyOrder((server) => {
      server.take('wanted')
      if (!isServed(server.known)) return
      expect(server.has).toBeGreaterThanOrEqual(server.lastOwn)
      const missed = server.versions[server.has + 1] ?? Number.POSITIVE_INFINITY
      if (server.confirmedAt < server.now - MAX_STALE_MS) expect(server.now - missed).toBeLessThanOrEqual(MAX_STALE_MS)
    })
  })

  it('release.seen-within-a-second: never goes back to an older state of the releases', () => {
    inAnyOrder((server, before) => expect(server.has).toBeGreaterThanOrEqual(before.has))
  })

  it('replica.serves-what-it-has: goes on to be served after an answer of a standby, but never once this server has written', () => {
    inAnyOrder((server, before) => {
      if (server.confirmedAt !== server.now) return
      expect([server.has, server.known.state]).toEqual([before.has, 'FRESH'])
      expect(['UNKNOWN', 'INVALIDATED']).not.toContain(before.known.state)
    })
  })
})
