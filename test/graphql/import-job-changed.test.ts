/** The subscription importJobChanged, on two servers that share a database. */
import { beforeEach, expect, test } from 'vitest'
import { createLogger } from '../../src/lib/log.ts'
import { newId } from '../../src/persistence/database/id.ts'
import { ImportWatch } from '../../src/persistence/imports/import-watch.ts'
import { reset, useDatabase } from '../support/database.ts'
import { begin, books, runUntil, send } from '../support/import-jobs.ts'
import { listen } from '../support/live.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const other = useServer(database)

beforeEach(() => reset(database))

const CHANGED = `subscription ($id: ID!) { importJobChanged(id: $id) {
  importJobId importJob { state handledCount counts { type createdCount } } } }`

test('live.import-until-its-end: an administrator gets an import as it is, and its end, on the server that runs it and on another', async () => {
  const id = await begin(server, books('One', 'Two'))
  const listeners = await Promise.all([server, other].map((one) => listen(one, CHANGED, { variables: { id } })))
  const first = { importJob: { state: 'RUNNING', handledCount: 0, counts: [] } }
  for (const listener of listeners) expect((await listener.next()).data.importJobChanged).toMatchObject(first)
  await runUntil(server, id, ['DONE'])
  const done = { state: 'DONE', handledCount: 2, counts: [{ type: 'pricebook', createdCount: 2 }] }
  for (const listener of listeners) {
    const events = []
    for (let event = await listener.next(); event; event = await listener.next()) events.push(event)
    expect(events.at(-1).data.importJobChanged.importJob).toEqual(done)
    expect(events.every(({ errors }) => errors === undefined)).toBe(true)
  }
  expect([server.services.importWatch?.size, other.services.importWatch?.size]).toEqual([0, 0])
})

test('live.import-until-its-end: of an import that has ended there is one event', async () => {
  const id = await begin(server, books('One'))
  await runUntil(server, id, ['DONE'])
  const listener = await listen(other, CHANGED, { variables: { id } })
  expect((await listener.next()).data.importJobChanged.importJob.state).toBe('DONE')
  expect(await listener.next()).toBeUndefined()
})

test('live.import-until-its-end: the last event of an import that is removed has none', async () => {
  const { id } = (await send(server, books('One'))).body.data
  const listener = await listen(server, CHANGED, { variables: { id } })
  expect((await listener.next()).data.importJobChanged.importJob.state).toBe('UPLOADED')
  await database.prisma.importJob.deleteMany()
  expect((await listener.next()).data.importJobChanged.importJob).toBeNull()
  expect(await listener.next()).toBeUndefined()
})

test('live.import-until-its-end, job.for-admins: an unknown import, and any for a shopper, is refused', async () => {
  const id = await begin(server, books('One'))
  const refusal = async (variables: object, token = server.admin) =>
    (await (await listen(server, CHANGED, { variables, token })).next()).errors[0]
  expect((await refusal({ id: newId() })).message).toContain('No such import')
  expect((await refusal({ id }, server.shopper)).extensions.code).toBe('FORBIDDEN')
})

test('live.import-until-its-end: streams of many imports cost one statement a look', async () => {
  let looks = 0
  const counting: typeof database.query = (...query) => {
    looks++
    return database.query(...query)
  }
  const watch = new ImportWatch({ database: { ...database, query: counting }, log: createLogger('silent') })
  const streams = Array.from({ length: 20 }, () => watch.listen(newId(), 60_000))
  const events = await Promise.all(streams.map((stream) => stream.next()))
  expect(events.map(({ value }) => value?.state)).toEqual(Array(20).fill(null))
  expect(looks).toBe(1)
  expect((await Promise.all(streams.map((stream) => stream.next()))).every(({ done }) => done)).toBe(true)
  expect(watch.size).toBe(0)
})
