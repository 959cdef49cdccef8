/** POST /imports and GET /imports/{id}/refused: what is taken, what is refused, and what stays of it. */
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { CHUNK_BYTES } from '../../../src/domain/imports/import-job.ts'
import { removeOldJobs } from '../../../src/persistence/imports/import-upload.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { begin, books, jobOf, runUntil, send } from '../../support/import-jobs.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { config: { importMaxMb: 2 } })
const LIMIT = 2 * CHUNK_BYTES

beforeEach(() => reset(database))

const stored = () =>
  database.query<{ state: string; bytes: number; chunks: number[] }>(
    'test-stored-jobs',
    `SELECT state, bytes, coalesce((SELECT array_agg(length(c.bytes) ORDER BY number) FROM import_job_chunk c WHERE c.job_id = j.id), '{}') AS chunks
     FROM import_job j ORDER BY id`,
  )
const refusal = (status: number, title: string, code: string, ...details: string[]) => [
  status,
  { errors: details.map((detail) => ({ title, status: String(status), detail, code })) },
]

test('job.upload-whole-or-nothing: a file is stored in chunks of a mebibyte, as it was sent', async () => {
  const file = books('Sent').padEnd(LIMIT - 5, '\n')
  const reply = await send(server, file, '?file_name=sent.jsonl&on_error=skip')
  expect([reply.status, reply.body]).toEqual([
    201,
    {
      data: {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        type: 'import_job',
        attributes: {
          file_name: 'sent.jsonl',
          format: 'json',
          bytes: LIMIT - 5,
          state: 'uploaded',
          created_at: '2026-01-15T12:00:00.000Z',
        },
      },
    },
  ])
  expect(await stored()).toEqual([{ state: 'uploaded', bytes: LIMIT - 5, chunks: [CHUNK_BYTES, CHUNK_BYTES - 5] }])
  expect(await jobOf(server, reply.body.data.id)).toEqual({
    state: 'UPLOADED',
    failure: null,
    handledCount: 0,
    refusedCount: 0,
    counts: [],
    refusedPath: null,
  })
})

test('job.upload-limits: a file of as many bytes as are allowed is taken, and one byte more is refused', async () => {
  const tooLarge = refusal(413, 'Payload Too Large', 'PAYLOAD_TOO_LARGE', `The body must be at most ${LIMIT} bytes`)
  expect((await send(server, ' '.repeat(LIMIT))).status).toBe(201)
  const declared = await send(server, ' '.repeat(LIMIT + 1))
  expect([declared.status, declared.body]).toEqual(tooLarge)
  const pieces = [' '.repeat(LIMIT), ' ']
  const stream = new ReadableStream({
    pull(controller) {
      const next = pieces.shift()
      if (next === undefined) controller.close()
      else controller.enqueue(Buffer.from(next))
    },
  })
  const streamed = await send(server, stream)
  expect([streamed.status, streamed.body]).toEqual(tooLarge)
  expect((await stored()).map(({ state }) => state)).toEqual(['uploaded'])
})

test('job.upload-limits: a gzipped file may be ten times as large when it is unpacked, and not a byte more', async () => {
  const gzip = { 'content-encoding': 'gzip' }
  expect((await send(server, gzipSync(Buffer.alloc(10 * LIMIT, ' ')), '', gzip)).status).toBe(201)
  const bomb = await send(server, gzipSync(Buffer.alloc(10 * LIMIT + 1, ' ')), '', gzip)
  expect([bomb.status, bomb.body]).toEqual(
    refusal(
      413,
      'Payload Too Large',
      'PAYLOAD_TOO_LARGE',
      `The body must be at most ${10 * LIMIT} bytes when it is unpacked`,
    ),
  )
  expect(await stored()).toHaveLength(1)
})

const json = { 'content-type': 'application/x-ndjson' }
const gzip = { ...json, 'content-encoding': 'gzip' }
const csv = { 'content-type': 'text/csv' }
const badRequest = (...details: string[]) => refusal(400, 'Bad Request', 'BAD_REQUEST', ...details)
const unsupported = (detail: string) => refusal(415, 'Unsupported Media Type', 'UNSUPPORTED_MEDIA_TYPE', detail)
const wrongOption = (code: string, detail: string) => refusal(400, 'Bad Request', code, detail)
const types = 'product-price product node subscription_product subscription_plan'
const cases: [string, string | Uint8Array, string, Record<string, string>, unknown[]][] = [
  ['nothing', '', '', json, badRequest('The body is empty')],
  ['no gzip', 'no gzip at all', '', gzip, badRequest('The body is not gzip, or broken')],
  ['half of a gzip', gzipSync(books('Half')).subarray(0, 40), '', gzip, badRequest('The body is not gzip, or broken')],
  [
    'a gzip without its header',
    gzipSync(books('Bare')),
    '',
    json,
    badRequest('The body is compressed: Content-Encoding: gzip must say so'),
  ],
  [
    'another compression',
    'x',
    '',
    { ...json, 'content-encoding': 'br' },
    unsupported('Content-Encoding must be gzip, or absent'),
  ],
  [
    'another media type',
    'x',
    '',
    { 'content-type': 'multipart/form-data' },
    unsupported(
      'Content-Type must be one of application/json, application/x-ndjson, application/jsonl, text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ),
  ],
  [
    'an unknown option',
    'x',
    '?on_eror=skip',
    json,
    wrongOption(
      'UNKNOWN_FIELD',
      'on_eror: must not be given; there are file_name, on_error, ignore_unknown, publish_anyway, type, book, decimal',
    ),
  ],
  [
    'all or nothing',
    'x',
    '?on_error=rollback',
    json,
    wrongOption('INVALID_VALUE', 'on_error: must be one of stop skip'),
  ],
  ['a book without a sheet', 'x', '?book=Retail', json, wrongOption('INVALID_VALUE', 'book: is for sheets alone')],
  ['a type that no sheet has', 'x', '?type=price', csv, wrongOption('INVALID_VALUE', `type: must be one of ${types}`)],
  [
    'prices without a book',
    'x',
    '?type=product-price',
    csv,
    wrongOption('REQUIRED', 'book: must be given with product-price'),
  ],
  [
    'an option twice',
    'x',
    '?type=node&type=node',
    csv,
    refusal(400, 'Bad Request', 'DUPLICATE', 'type: must be given once'),
  ],
]
test.each(cases)('job.upload-limits: %s is refused, and leaves nothing', async (_, file, query, headers, expected) => {
  const reply = await send(server, file, query, headers)
  expect([reply.status, reply.body]).toEqual(expected)
  expect(await stored()).toEqual([])
})

test('job.upload-limits: zeros behind a gzipped file are its end, and it is imported', async () => {
  const file = Buffer.concat([gzipSync(books('Padded')), Buffer.alloc(512)])
  const id = await begin(server, file, '', { 'content-encoding': 'gzip' })
  expect(await runUntil(server, id, ['DONE', 'FAILED'])).toMatchObject({ state: 'DONE', handledCount: 1 })
  const far = Buffer.concat([gzipSync(books('Far')), Buffer.alloc(CHUNK_BYTES)])
  expect((await send(server, far, '', { 'content-encoding': 'gzip' })).status).toBe(201)
})

test('job.upload-whole-or-nothing: an upload that breaks off is not a job that can be started, and is removed', async () => {
  const headers = { ...json, authorization: `Bearer ${server.admin}`, 'content-length': String(LIMIT) }
  const client = request(`${server.url}/imports`, { method: 'POST', headers })
  client.on('error', () => undefined)
  client.write(' '.repeat(CHUNK_BYTES + 1))
  await expect.poll(async () => (await stored()).map(({ chunks }) => chunks.length)).toEqual([1])
  const [job] = await database.query<{ id: string }>('test-job-id', 'SELECT id FROM import_job')
  const started = await server.gql(
    'mutation ($id: ID!) { startImport(input: { id: $id }) { userErrors { code message } } }',
    { id: job?.id },
  )
  expect(started.data.startImport.userErrors).toEqual([
    { code: 'ACTION_REFUSED', message: 'its file is still on its way' },
  ])
  client.destroy()
  await database.query('test-upload-old', `UPDATE import_job SET leased_until = now() - interval '1 second'`)
  // Whatever the request still does, the runner removes it.
  await runUntil(server, await begin(server, books('Next')), ['DONE'])
  expect((await stored()).map(({ state }) => state)).toEqual(['done'])
})

test.each([
  ['before a further mebibyte', CHUNK_BYTES - 1],
  ['before its end', 1],
])(
  'job.upload-at-its-pace: an upload that counts as broken %s has come is removed, and its sender told to send less',
  async (_, rest) => {
    let goOn = (): void => {}
    const removed = new Promise<void>((resolve) => (goOn = resolve))
    const file = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new Uint8Array(CHUNK_BYTES + 1))
        await removed
        controller.enqueue(new Uint8Array(rest))
        controller.close()
      },
    })
    const sent = send(server, file)
    await expect.poll(async () => (await stored()).map(({ chunks }) => chunks.length)).toEqual([1])
    const silentFor = (seconds: number) =>
      database.query(
        'test-upload-silent',
        `UPDATE import_job SET leased_until = leased_until - make_interval(secs => ${seconds})`,
      )
    await silentFor(60)
    await removeOldJobs(database, 0)
    expect(await stored()).toHaveLength(1)
    await silentFor(60)
    await removeOldJobs(database, 0)
    expect(await stored()).toEqual([])
    goOn()
    const { status, body } = await sent
    const detail = 'The upload was removed, since a mebibyte took longer than 120 s: compress it, or send smaller files'
    expect([status, body]).toEqual(refusal(409, 'Conflict', 'ACTION_REFUSED', detail))
    expect(await stored()).toEqual([])
  },
)

test('job.for-admins: a shopper neither sends a file nor reads refused objects, nor imports in the graph', async () => {
  const token = server.shopper
  const forbidden = refusal(403, 'Forbidden', 'FORBIDDEN', 'The token lacks the role admin')
  const sent = await server.rest('POST', '/imports', { token, raw: books('Mine'), headers: json })
  expect([sent.status, sent.body]).toEqual(forbidden)
  const id = await begin(server, books('Ours'))
  const read = await server.rest('GET', `/imports/${id}/refused`, { token })
  expect([read.status, read.body]).toEqual(forbidden)
  const { data, errors } = await server.gql('query ($id: ID!) { importJob(id: $id) { id } }', { id }, { token })
  expect([data, errors[0].extensions.code]).toEqual([{ importJob: null }, 'FORBIDDEN'])
  expect(await stored()).toHaveLength(1)
})

test('job.twenty-open-at-most: of twenty imports that have not ended one must end before another file is taken', async () => {
  for (let number = 0; number < 20; number++) expect((await send(server, books('Same'))).status).toBe(201)
  const reply = await send(server, books('Same'))
  expect([reply.status, reply.body]).toEqual(
    refusal(409, 'Conflict', 'TOO_MANY', 'A store has at most 20 imports that have not ended: cancel one'),
  )
  const { data } = await server.gql('{ importJobs(first: 1) { totalCount nodes { id } } }')
  expect(data.importJobs.totalCount).toBe(20)
  await server.gql('mutation ($id: ID!) { cancelImport(input: { id: $id }) { userErrors { code } } }', {
    id: data.importJobs.nodes[0].id,
  })
  expect((await send(server, books('Same'))).status).toBe(201)
})

test('job.refused-as-a-file: the refused objects are a file in the format of the one that was sent', async () => {
  const file = `${books('Taken')}{"data": {"type": "pricebook"}}\nnothing\n`
  const id = await begin(server, file, '?on_error=skip&file_name=books.jsonl')
  const empty = await server.rest('GET', `/imports/${id}/refused`)
  expect([empty.status, empty.text, empty.headers.get('content-type')]).toEqual([200, '', 'application/x-ndjson'])
  expect(await runUntil(server, id, ['DONE'])).toEqual({
    state: 'DONE',
    failure: null,
    handledCount: 3,
    refusedCount: 2,
    counts: [
      { type: 'pricebook', createdCount: 1, updatedCount: 0, unchangedCount: 0, refusedCount: 1 },
      { type: '(unreadable)', createdCount: 0, updatedCount: 0, unchangedCount: 0, refusedCount: 1 },
    ],
    refusedPath: `/imports/${id}/refused`,
  })
  const refused = await server.rest('GET', `/imports/${id}/refused`)
  expect([refused.status, refused.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  expect(refused.text.split('\n')).toEqual([
    '{"refused":{"file":"books.jsonl","line":2,"problems":["data.attributes: must be given (REQUIRED)"]},"data": {"type": "pricebook"}}',
    '{"refused":{"file":"books.jsonl","line":3,"problems":["is not a JSON object"],"text":"nothing"}}',
    '',
  ])
  const none = await server.rest('GET', '/imports/019c5b2e-0000-7000-8000-000000000001/refused')
  expect([none.status, none.body]).toEqual(refusal(404, 'Not Found', 'NOT_FOUND', 'No such import'))
})
