import { describe, expect, it } from 'vitest'
import { warmUp } from '../../src/operations/warm-up.ts'
import { ReleaseStore } from '../../src/persistence/release-store.ts'
import { countStatements, useDatabase } from '../support/database.ts'
import { fullStore, ids } from '../support/full-store.ts'
import { listingPath, publishStore } from '../support/published.ts'
import { START, standingTime, useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: standingTime() })

describe('what a process reads before it listens', () => {
  it('is what its first page needs: no statement is left', async () => {
    await publishStore(server, fullStore())
    await warmUp(server.services, START)
    const { result, count } = await countStatements(database, () => server.rest('GET', listingPath(ids.catalog, ids.hierarchy)))
    expect([result.status, count]).toEqual([200, 0])
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
