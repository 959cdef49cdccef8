import { beforeAll, describe, expect, it } from 'vitest'
import { createReadPage } from '../../src/graphql/warm-up.ts'
import { warmUp } from '../../src/operations/warm-up.ts'
import { ReleaseStore } from '../../src/persistence/release-store.ts'
import { countStatements, useDatabase } from '../support/database.ts'
import { fullStore, ids } from '../support/full-store.ts'
import { listingPath, publishStore } from '../support/published.ts'
import { START, standingTime, useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: standingTime() })

describe('what a process reads before it listens', () => {
  beforeAll(() => publishStore(server, fullStore()))

  it('is what its first page needs: no statement is left', async () => {
    await warmUp(server.services, START)
    const { result, count } = await countStatements(database, () => server.rest('GET', listingPath(ids.catalog, ids.hierarchy)))
    expect([result.status, count]).toEqual([200, 0])
  })

  it('is read through the graph too, by a query that has no error', async () => {
    const read = createReadPage()
    const asked: object[] = []
    await warmUp(server.services, START, async (ctx, page) => {
      asked.push(page)
      await read(ctx, page)
      expect(ctx.cachePolicy.releases).toHaveLength(1)
    })
    expect(server.logs.filter(({ msg }) => msg === 'could not read releases ahead')).toEqual([])
    expect(asked).toHaveLength(20)
    expect(asked[0]).toEqual({ catalog: ids.catalog, hierarchy: ids.hierarchy })
  })

  it('ends without a word when the process ends meanwhile, as when its port is taken', async () => {
    server.logs.length = 0
    const process = { stopping: false }
    let readings = 0
    // A closed pool, as the graph meets it: read in the background, since a start waits for a second alone.
    const closed = new Proxy(database, {
      get: (target, member) =>
        process.stopping && member === 'query'
          ? () => Promise.reject(new Error('Cannot use a pool after calling end on the pool'))
          : Reflect.get(target, member),
    })
    const services = { ...server.services, database: closed, releases: new ReleaseStore(closed) }
    const read = createReadPage()
    const ended = new Promise<void>((resolve) => {
      void warmUp(
        services,
        START,
        async (ctx, page) => {
          readings++
          process.stopping = true
          services.releases.forget()
          await read(ctx, page).finally(resolve)
        },
        process,
      )
    })
    await ended
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect([readings, server.logs]).toEqual([1, []])
  })

  it('keeps nobody from starting when it fails', async () => {
    const broken = new Proxy(database, {
      get: () => {
        throw new Error('away')
      },
    })
    await warmUp({ ...server.services, database: broken, releases: new ReleaseStore(broken) }, START)
    expect(server.logs.at(-1)).toMatchObject({ msg: 'could not read releases ahead' })
  })
})
