/** Import jobs that run: two servers and one job, servers that are killed, and cancels. */
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { CHUNK_BYTES } from '../../../src/domain/imports/import-job.ts'
import { importJob } from '../../../src/import/job.ts'
import { newId } from '../../../src/persistence/database/id.ts'
import { RunEnded, takeJob } from '../../../src/persistence/imports/import-lease.ts'
import { ImportRunner } from '../../../src/server/imports/runner.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { begin, books, jobOf, lines, runUntil, send, untilState } from '../../support/import-jobs.ts'
import { useServer } from '../../support/server.ts'
import { workbookOf } from '../../support/workbook.ts'

const database = useDatabase()
const server = useServer(database)

beforeEach(() => reset(database))

const never = new AbortController().signal
const named = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `Book ${from + at + 1000}`)
/** The names of all price books and how often each was written, by the history. */
const written = () =>
  database.query<{ name: string; times: number; author: string }>(
    'test-written-books',
    `SELECT after ->> 'name' AS name, count(*)::int AS times, min(subject) AS author FROM change WHERE topic = 'price_book'
     GROUP BY 1 ORDER BY 1`,
  )
const once = (names: readonly string[]) => names.map((name) => ({ name, times: 1, author: 'admin' }))
/** As if the server that runs the job had been killed a minute ago. */
const expireLease = () =>
  database.query('test-lease-expired', `UPDATE import_job SET leased_until = now() - interval '1 minute'`)
const chunkCount = async () =>
  (await database.query<{ count: number }>('test-chunks', 'SELECT count(*)::int AS count FROM import_job_chunk'))[0]
    ?.count
const counts = (createdCount: number, refusedCount = 0) => [
  { type: 'pricebook', createdCount, updatedCount: 0, unchangedCount: 0, refusedCount },
]

test('job.one-at-a-time: of three servers one runs a job, each object is written once, by the author of the job', async () => {
  const names = named(0, 450)
  const id = await begin(server, gzipSync(books(...names)), '', { 'content-encoding': 'gzip' })
  expect(await runUntil(server, id, ['DONE'], 3)).toMatchObject({ failure: null, counts: counts(450) })
  expect(await written()).toEqual(once(names))
  expect(await chunkCount()).toBe(0)
})

test('job.one-at-a-time: of two jobs the one that was started first is taken, and the other not while it runs', async () => {
  const first = await begin(server, books('First'))
  server.now += 1
  const second = await begin(server, books('Second'))
  const takers = await Promise.all([1, 2, 3].map(() => takeJob(database, newId())))
  expect(takers.filter((job) => job !== null).map(({ id }) => id)).toEqual([first])
  expect(await takeJob(database, newId())).toBe(null)
  await expireLease()
  const leaseId = newId()
  const job = await takeJob(database, leaseId)
  expect(job).toMatchObject({ id: first, attempts: 2, author: 'admin' })
  if (job) await importJob(server.services, job, leaseId, never)
  expect((await jobOf(server, first)).state).toBe('DONE')
  expect((await takeJob(database, newId()))?.id).toBe(second)
})

test('job.nothing-twice: a job whose server was killed goes on behind its last batch, and its old run stores nothing more', async () => {
  const names = named(0, 650)
  const id = await begin(server, books(...names))
  const [killed, next] = [newId(), newId()]
  const job = await takeJob(database, killed)
  if (!job) throw new Error('there is no job')
  // The first run stops after its first batch, as a server that was killed there.
  const stop = new AbortController()
  const end = database.onStatement(({ text }) => {
    if (text.includes('SET progress')) stop.abort(new Error('killed'))
  })
  await expect(importJob(server.services, job, killed, stop.signal)).rejects.toThrow('killed')
  end()
  expect(await jobOf(server, id)).toMatchObject({ state: 'RUNNING', counts: counts(200) })
  expect(await written()).toEqual(once(names.slice(0, 200)))
  await expireLease()
  const taken = await takeJob(database, next)
  if (!taken) throw new Error('there is no job')
  // The killed one was only slow: what it goes on with is undone.
  await expect(importJob(server.services, job, killed, never)).rejects.toThrow(RunEnded)
  expect(await written()).toEqual(once(names.slice(0, 200)))
  await importJob(server.services, taken, next, never)
  expect(await jobOf(server, id)).toMatchObject({ state: 'DONE', counts: counts(650) })
  expect(await written()).toEqual(once(names))
})

test('job.nothing-twice: objects that are refused before and after a kill are each in the file once', async () => {
  const objects = named(0, 240).map((name, at) => ({
    type: 'pricebook',
    attributes: at % 80 === 7 ? { name, colour: 'red' } : { name },
  }))
  const id = await begin(server, lines(objects), '?on_error=skip')
  const killed = newId()
  const job = await takeJob(database, killed)
  if (!job) throw new Error('there is no job')
  const stop = new AbortController()
  const end = database.onStatement(({ text }) => {
    if (text.includes('SET progress')) stop.abort(new Error('killed'))
  })
  await expect(importJob(server.services, job, killed, stop.signal)).rejects.toThrow('killed')
  end()
  await expireLease()
  expect(await runUntil(server, id, ['DONE'])).toMatchObject({ refusedCount: 3, counts: counts(237, 3) })
  const refused = (await server.rest('GET', `/imports/${id}/refused`)).text.trim().split('\n')
  expect(refused.map((line) => JSON.parse(line).refused.line)).toEqual([8, 88, 168])
  expect(await written()).toEqual(once(named(0, 240).filter((_, at) => at % 80 !== 7)))
})

test('job.cancel-keeps-stored: what the batches before a cancel stored stays, the batch of that moment is undone, and nothing comes after', async () => {
  const names = named(0, 650)
  const id = await begin(server, books(...names))
  const leaseId = newId()
  const job = await takeJob(database, leaseId)
  if (!job) throw new Error('there is no job')
  let batches = 0
  const canceled: Promise<unknown>[] = []
  const end = database.onStatement(({ text }) => {
    if (!text.includes('SET progress') || ++batches > 1) return
    const cancel =
      'mutation ($id: ID!) { cancelImport(input: { id: $id }) { importJob { state } userErrors { message } } }'
    canceled.push(server.gql(cancel, { id }).then(({ data }) => data))
  })
  await expect(importJob(server.services, job, leaseId, never)).rejects.toThrow(RunEnded)
  end()
  expect(await Promise.all(canceled)).toEqual([{ cancelImport: { importJob: { state: 'CANCELED' }, userErrors: [] } }])
  const { state, handledCount } = await jobOf(server, id)
  expect(state).toBe('CANCELED')
  // The cancel waits for a connection on the embedded database, and for the row on a server.
  expect([200, 400, 600]).toContain(handledCount)
  expect(await written()).toEqual(once(names.slice(0, handledCount)))
  expect(await chunkCount()).toBe(0)
  const again = await server.gql(
    'mutation ($id: ID!) { startImport(input: { id: $id }) { userErrors { code message } } }',
    { id },
  )
  expect(again.data.startImport.userErrors).toEqual([{ code: 'ACTION_REFUSED', message: 'it was canceled' }])
  expect(await takeJob(database, newId())).toBe(null)
})

test('job.states-in-order: an import that stops at a refused object has failed, keeps what was before it, and says where', async () => {
  const file = `${books('One', 'Two')}{"data": {"type": "pricebook", "attributes": {"nam": "Three"}}}\n${books('Four')}`
  const id = await begin(server, file, '?file_name=books.jsonl')
  expect(await runUntil(server, id, ['FAILED'])).toEqual({
    state: 'FAILED',
    failure: expect.stringMatching(/^books\.jsonl:3: data\.attributes\.nam: /),
    handledCount: 3,
    refusedCount: 1,
    counts: counts(2, 1),
    refusedPath: `/imports/${id}/refused`,
  })
  expect((await written()).map(({ name }) => name)).toEqual(['One', 'Two'])
})

test('job.states-in-order: a kill behind the refused object at which an import stops does not take it further', async () => {
  // As large as what is stored before the end where an import goes on.
  const large = JSON.stringify({ data: { type: 'pricebook', attributes: { nam: 'x'.repeat(CHUNK_BYTES) } } })
  const id = await begin(server, `${books('One')}${large}\n${books('Three')}`)
  const killed = newId()
  const job = await takeJob(database, killed)
  if (!job) throw new Error('there is no job')
  const stop = new AbortController()
  let saves = 0
  const end = database.onStatement(({ text }) => {
    if (text.includes('SET progress') && ++saves === 2) stop.abort(new Error('killed'))
  })
  await importJob(server.services, job, killed, stop.signal).catch(() => undefined)
  end()
  await expireLease()
  expect(await runUntil(server, id, ['DONE', 'FAILED'])).toMatchObject({ state: 'FAILED', counts: counts(1, 1) })
  expect((await written()).map(({ name }) => name)).toEqual(['One'])
})

test('job.states-in-order: what PostgreSQL can not store in a name is U+FFFD in the failure and in the ignored names', async () => {
  const file = lines([{ type: 'pricebook', attributes: { name: 'One', 'co\u0000lour': 'red' } }])
  const stopped = await runUntil(server, await begin(server, file), ['DONE', 'FAILED'])
  expect(stopped).toMatchObject({ failure: expect.stringContaining('co\ufffdlour'), counts: counts(0, 1) })
  const csv = 'sku,name,co\u0000lour\nMUG,Mug,red\n'
  const id = await begin(server, csv, '?type=product&ignore_unknown=true', { 'content-type': 'text/csv' })
  expect(await runUntil(server, id, ['DONE', 'FAILED'])).toMatchObject({ state: 'DONE', failure: null })
  const ignored = await database.query<object>('test-ignored', `SELECT progress -> 'ignored' AS names FROM import_job`)
  expect(ignored).toContainEqual({ names: { 'product co\ufffdlour': 1 } })
})

test('job.refused-as-a-file: an import fails when its refused objects come to more than ten times IMPORT_MAX_MB', async () => {
  const file = lines(Array.from({ length: 120 }, () => ({ type: 'none', text: 'x'.repeat(100_000) })))
  const id = await begin(server, gzipSync(file), '?on_error=skip', { 'content-encoding': 'gzip' })
  const services = { ...server.services, config: { ...server.services.config, importMaxMb: 1 } }
  const runner = new ImportRunner(services, () => server.now)
  runner.start()
  const job = await untilState(server, id, 'DONE', 'FAILED').finally(() => runner.stop())
  expect(job).toMatchObject({ state: 'FAILED', failure: 'Its refused objects come to more than 10485760 bytes' })
  expect([job.refusedCount, job.counts.length]).toEqual([105, 1])
})

test('job.nothing-twice: prices go to the book that had the name at first, when it is renamed and the server killed', async () => {
  await runUntil(server, await begin(server, books('Retail')), ['DONE'])
  const rows = Array.from({ length: 2_001 }, (_, at) => `SKU-${at},5\n`).join('')
  const query = '?type=product-price&book=Retail'
  const id = await begin(server, `sku,EUR.amount\n${rows}`, query, { 'content-type': 'text/csv' })
  const killed = newId()
  const job = await takeJob(database, killed)
  if (!job) throw new Error('there is no job')
  const stop = new AbortController()
  const end = database.onStatement(({ text }) => {
    if (text.includes('SET progress')) stop.abort(new Error('killed'))
  })
  await expect(importJob(server.services, job, killed, stop.signal)).rejects.toThrow('killed')
  end()
  await database.query('test-rename', `UPDATE price_book SET name = 'Renamed'`)
  await expireLease()
  expect(await runUntil(server, id, ['DONE', 'FAILED'])).toMatchObject({ state: 'DONE', handledCount: 2_001 })
  expect(await database.prisma.productPrice.count()).toBe(2_001)
})

test('job.states-in-order: prices of a book that is not there fail, and prices of one that is are imported from CSV', async () => {
  const csv = { 'content-type': 'text/csv' }
  const file = 'sku;EUR.amount\nMUG;12,50\nCUP;1,234\n'
  const lost = await begin(server, file, '?type=product-price&book=Retail', csv)
  expect(await runUntil(server, lost, ['FAILED'])).toMatchObject({ failure: 'There is no price book Retail' })
  await runUntil(server, await begin(server, books('Retail')), ['DONE'])
  const id = await begin(server, file, '?type=product-price&book=Retail&on_error=skip&file_name=prices.csv', csv)
  expect(await runUntil(server, id, ['DONE'])).toMatchObject({
    counts: [{ type: 'product-price', createdCount: 1, updatedCount: 0, unchangedCount: 0, refusedCount: 1 }],
  })
  const refused = await server.rest('GET', `/imports/${id}/refused`)
  expect([refused.headers.get('content-type'), refused.text.split('\r\n')]).toEqual([
    'text/csv; charset=utf-8',
    [
      'sku;EUR.amount;refused',
      'CUP;1,234;prices.csv B3: EUR.amount has 3 decimals, and EUR has 2 (INVALID_FORMAT)',
      '',
    ],
  ])
})

test('sheet.kind-by-columns: the rows of a workbook are told by its columns, and its refused row comes as CSV', async () => {
  const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`
  const head = `<row r="1">${text('A1', 'sku')}${text('B1', 'manufacturer_part_num')}${text('C1', 'name')}</row>`
  const rows = `<row r="2">${text('A2', 'MUG')}${text('C2', 'Mug')}</row><row r="3">${text('A3', 'CUP')}${text('B3', '=1+1')}</row>`
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const id = await begin(server, workbookOf([head + rows]), '?on_error=skip', { 'content-type': type })
  expect(await runUntil(server, id, ['DONE'])).toMatchObject({
    counts: [{ type: 'product', createdCount: 1, updatedCount: 0, unchangedCount: 0, refusedCount: 1 }],
  })
  const refused = await server.rest('GET', `/imports/${id}/refused`)
  expect(refused.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(refused.text.split('\r\n')).toEqual([
    'sku,manufacturer_part_num,name,refused',
    // In CSV it would be a formula.
    "CUP,'=1+1,,import.xlsx C3: name must be given (REQUIRED)",
    '',
  ])
})

test('job.states-in-order: a job that ends each of its servers has failed after the fifth', async () => {
  const id = await begin(server, books('Poison'))
  for (let attempt = 1; attempt <= 5; attempt++) {
    expect((await takeJob(database, newId()))?.attempts).toBe(attempt)
    await expireLease()
  }
  expect(await runUntil(server, id, ['FAILED'])).toMatchObject({
    failure: 'Its servers ended again and again while they ran it',
    counts: [],
  })
})

test('job.nothing-twice: a server that stops gives its job back after the batch, and another one goes on at once', async () => {
  const names = named(0, 1250)
  const id = await begin(server, books(...names))
  const runner = new ImportRunner(server.services, () => server.now)
  runner.start()
  await expect.poll(async () => (await jobOf(server, id)).handledCount).toBeGreaterThan(0)
  await runner.stop()
  const { state, handledCount } = await jobOf(server, id)
  expect([state, handledCount < 1250]).toEqual(['RUNNING', true])
  expect(await written()).toEqual(once(names.slice(0, handledCount)))
  expect(await runUntil(server, id, ['DONE'])).toMatchObject({ counts: counts(1250) })
  expect(await written()).toEqual(once(names))
})

test('job.kept-thirty-days: jobs of more than 30 days ago are removed, but not one that runs; newer ones stay', async () => {
  const old = await begin(server, books('Old'))
  const recent = await begin(server, books('Recent'))
  await runUntil(server, recent, ['DONE'])
  const running = await begin(server, books('Running'))
  const days = (count: number) => `created_at - interval '${count} days' - interval '1 second'`
  await database.query('test-job-of-29', `UPDATE import_job SET created_at = ${days(29)} WHERE id = $1`, [recent])
  await database.query('test-jobs-of-30', `UPDATE import_job SET created_at = ${days(30)} WHERE id <> $1`, [recent])
  await runUntil(server, running, ['DONE'])
  expect(await jobOf(server, old)).toBe(null)
  expect((await jobOf(server, recent)).state).toBe('DONE')
  await runUntil(server, await begin(server, books('Next')), ['DONE'])
  expect(await jobOf(server, running)).toBe(null)
})

test('job.cancel-keeps-stored: a publish that runs at a cancel is undone', async () => {
  const catalogId = '0199c0de-0000-7000-8000-00000000ca7b'
  const file = lines([
    { type: 'catalog', id: catalogId, attributes: { name: 'Shop', hierarchy_ids: [], pricebook_ids: [] } },
    { type: 'catalog-release', attributes: { catalog_id: catalogId } },
  ])
  await begin(server, file)
  const leaseId = newId()
  const job = await takeJob(database, leaseId)
  if (!job) throw new Error('there is no job')
  let saves = 0
  const canceled: Promise<unknown>[] = []
  const end = database.onStatement(({ text }) => {
    // The second time is right before the publish.
    if (text.includes('SET progress') && ++saves === 2)
      canceled.push(database.query('test-cancel', `UPDATE import_job SET state = 'canceled'`))
  })
  await expect(importJob(server.services, job, leaseId, never)).rejects.toThrow(RunEnded)
  end()
  await Promise.all(canceled)
  expect(canceled).toHaveLength(1)
  expect(await database.prisma.release.count({ where: { catalogId, status: 'published' } })).toBe(0)
})

test('import.refused-objects-unpublished: a job publishes nothing behind a refused object, unless publish_anyway says so; its check tells the same', async () => {
  const catalogId = '0199c0de-0000-7000-8000-00000000ca7c'
  const file = lines([
    { type: 'catalog', id: catalogId, attributes: { name: 'Shop', hierarchy_ids: [], pricebook_ids: [] } },
    { type: 'pricebook', attributes: {} },
    { type: 'catalog-release', attributes: { catalog_id: catalogId } },
  ])
  const releases = (counts: readonly { type: string }[]) => counts.find(({ type }) => type === 'catalog-release')
  const published = () => database.prisma.release.count({ where: { catalogId, status: 'published' } })
  const { id } = (await send(server, file, '?on_error=skip')).body.data
  const one = { type: 'catalog-release', createdCount: 0, updatedCount: 0, unchangedCount: 0, refusedCount: 1 }
  for (const [name, state] of [
    ['checkImport', 'CHECKED'],
    ['startImport', 'DONE'],
  ] as const) {
    await server.gql(`mutation ($id: ID!) { ${name}(input: { id: $id }) { userErrors { code } } }`, { id })
    expect(releases((await runUntil(server, id, [state])).counts)).toEqual(one)
    expect(await published()).toBe(0)
  }
  const anyway = await begin(server, file, '?on_error=skip&publish_anyway=true')
  expect(releases((await runUntil(server, anyway, ['DONE'])).counts)).toEqual({
    ...one,
    createdCount: 1,
    refusedCount: 0,
  })
  expect(await published()).toBe(1)
})

test('job.nothing-twice: a release without an id is published once, when the server is killed right after it was', async () => {
  const catalogId = '0199c0de-0000-7000-8000-00000000ca7a'
  const file = lines([
    { type: 'catalog', id: catalogId, attributes: { name: 'Shop', hierarchy_ids: [], pricebook_ids: [] } },
    { type: 'catalog-release', attributes: { catalog_id: catalogId } },
    { type: 'pricebook', attributes: { name: 'After' } },
  ])
  const id = await begin(server, file)
  const killed = newId()
  const job = await takeJob(database, killed)
  if (!job) throw new Error('there is no job')
  const stop = new AbortController()
  let saves = 0
  const end = database.onStatement(({ text }) => {
    // The second time is right before the publish.
    if (text.includes('SET progress') && ++saves === 2) stop.abort(new Error('killed'))
  })
  await expect(importJob(server.services, job, killed, stop.signal)).rejects.toThrow('killed')
  end()
  expect(await database.prisma.release.count({ where: { catalogId, status: 'published' } })).toBe(1)
  await expireLease()
  expect(await runUntil(server, id, ['DONE', 'FAILED'])).toMatchObject({
    state: 'DONE',
    failure: null,
    handledCount: 3,
  })
  expect(await database.prisma.release.count({ where: { catalogId } })).toBe(1)
  expect((await written()).map(({ name }) => name)).toEqual(['After'])
})
