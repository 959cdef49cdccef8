/**
 * Random schedules: releases published, restored and withdrawn at random, as two servers with clocks of their own show
 * them.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { restoreRelease, withdrawRelease } from '../../../src/operations/catalog/release-schedule.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { contextOf } from '../../support/price-books.ts'
import { START, startTestServer, type TestServer, useServer } from '../../support/server.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()
const config = { releasesKept: 100 }
const server = useServer(database, { config })
let other: TestServer
beforeAll(async () => {
  other = await startTestServer(database, { config })
})
afterAll(() => other.stop())

/** A release becomes the latest at an instant: by its schedule, or when this was written. */
interface Activation {
  readonly sequence: number
  readonly at: number
  readonly scheduled: boolean
}

/** What the rules say of the schedule of one catalog, in the order of writing. */
class Oracle {
  published = 0
  activations: Activation[] = []

  latest(now: number): number | null {
    const begun = this.activations.filter(({ at, scheduled }) => !scheduled || at <= now)
    return begun.toSorted((one, other) => one.at - other.at).at(-1)?.sequence ?? null
  }

  isPending = ({ at, scheduled }: Activation, now: number): boolean => scheduled && at > now

  activate(sequence: number, now: number, at: number | null): void {
    this.activations = this.activations.filter(
      (one) => one.sequence !== sequence || (at !== null && !this.isPending(one, now)),
    )
    this.activations.push({ sequence, at: at ?? now, scheduled: at !== null })
  }

  publish(now: number, at: number | null): boolean {
    this.activate(++this.published, now, at)
    return true
  }

  /** False when it is refused. */
  restore(sequence: number, now: number, at: number | null): boolean {
    if (!this.activations.some((one) => one.sequence === sequence) || (at === null && this.latest(now) === sequence))
      return false
    this.activate(sequence, now, at)
    return true
  }

  withdraw(sequence: number, now: number): boolean {
    const left = this.activations.filter((one) => one.sequence !== sequence || !this.isPending(one, now))
    const isRefused = left.length === this.activations.length
    this.activations = left
    return !isRefused
  }
}

const step = fc.record({
  /** Milliseconds since the step before: few, so that instants meet. */
  wait: fc.integer({ min: 0, max: 3 }).map((count) => count * 1_000),
  action: fc.constantFrom('publish' as const, 'restore' as const, 'restore' as const, 'withdraw' as const),
  release: fc.nat({ max: 3 }),
  ahead: fc.option(fc.integer({ min: 1, max: 6 }).map((count) => count * 1_000)),
})

async function shown(on: TestServer, now: number): Promise<number | null> {
  on.now = now
  const { token } = await on.issue({ subject: 'shopper', role: 'shopper' }, Math.floor(now / 1000) * 1000)
  const { data } = await on.gql(`{ catalog(id: "${ids.catalog}") { latestRelease { sequence } } }`, {}, { token })
  return data.catalog?.latestRelease.sequence ?? null
}

describe('release.scheduled-at-its-millisecond, release.restored-as-it-is, release.withdrawn-before-its-instant', () => {
  it('random publishes, restores and withdrawals show the release that the rules say, on each side of each instant, on both servers', async () => {
    let begin = START
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
        await reset(database)
        await insertStore(database, fullStore())
        for (const { services } of [server, other]) services.releases.invalidate()
        const oracle = new Oracle()
        const releases: string[] = []
        // The clocks go on from run to run.
        begin += 60_000
        let now = begin
        const walkTo = async (end: number): Promise<void> => {
          const due = oracle.activations
            .filter((one) => oracle.isPending(one, now) && one.at <= end)
            .map(({ at }) => at)
          for (const at of new Set([now, ...due.sort((one, other) => one - other)])) {
            // The clock of the other server is a millisecond behind; none goes back.
            for (const ahead of [-1, 0, 1, 2]) {
              const [here, there] = [at + ahead, at + ahead - 1].map((instant) =>
                Math.min(Math.max(instant, now), end),
              ) as [number, number]
              if (ahead < 2)
                expect([here - begin, await shown(server, here)]).toEqual([here - begin, oracle.latest(here)])
              if (ahead > -1)
                expect([there - begin, await shown(other, there)]).toEqual([there - begin, oracle.latest(there)])
            }
          }
          now = end
        }
        for (const { wait, action, release, ahead } of [
          { ...(steps[0] as (typeof steps)[0]), action: 'publish' as const },
          ...steps,
        ]) {
          await walkTo(now + wait)
          const at = ahead === null ? null : now + ahead
          const ctx = contextOf(server.services, now)
          const sequence = (release % releases.length) + 1
          const releaseId = releases[sequence - 1] as string
          const done = {
            publish: () => oracle.publish(now, at),
            restore: () => oracle.restore(sequence, now, at),
            withdraw: () => oracle.withdraw(sequence, now),
          }
          const run = {
            publish: async () => releases.push((await publishRelease(ctx, { catalogId: ids.catalog, at })).id),
            restore: () => restoreRelease(ctx, { releaseId, at }),
            withdraw: () => withdrawRelease(ctx, { releaseId }),
          }
          const expected = done[action]()
          const succeeded = await run[action]().then(
            () => true,
            (error) => {
              expect(['conflict', 'notFound']).toContain(error.kind)
              return false
            },
          )
          expect([action, succeeded]).toEqual([action, expected])
          other.services.releases.invalidate()
        }
        await walkTo(now + 10_000)
      }),
      runs(2),
    )
  })
})
