/** Checks of import jobs: what they tell, that they leave nothing, and that they go on. */
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { importJob } from '../../../src/import/job.ts'
import { newId } from '../../../src/persistence/database/id.ts'
import { RunEnded, takeJob } from '../../../src/persistence/imports/import-lease.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { begin, books, jobOf, lines, runUntil, send } from '../../support/import-jobs.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

beforeEach(() => reset(database))

const never = new AbortController().signal
const csv = { 'content-type': 'text/csv' }
const prices = '?type=product-price&book=Retail&on_error=skip'

async function call(name: string, id: string) {
  const { data, ...all } = await server.gql(
    `mutation ($id: ID!) { ${name}(input: { id: $id }) { importJob { state } userErrors { code message } } }`,
    { id },
  )
  if (!data) throw new Error(JSON.stringify(all))
  return data[name]
}

/** Sends a file and starts its check. */
async function beginCheck(file: string, query = '', headers = {}): Promise<string> {
  const reply = await send(server, file, query, headers)
  if (reply.status !== 201) throw new Error(reply.text)
  const { id } = reply.body.data
  expect(await call('checkImport', id)).toEqual({ importJob: { state: 'CHECKING' }, userErrors: [] })
  return id
}

async function check(file: string, query = '', headers = {}) {
  const id = await beginCheck(file, query, headers)
  return { id, job: await runUntil(server, id, ['CHECKED', 'FAILED']) }
}

async function startUntilDone(id: string) {
  expect((await call('startImport', id)).userErrors).toEqual([])
  return runUntil(server, id, ['DONE', 'FAILED'])
}

/** The changes of prices as `book sku currency before after`. */
async function changesOf(id: string, offset = 0) {
  const { data } = await server.gql(
    `query ($id: ID!, $offset: Int!) { importJob(id: $id) { priceChangeCount
      priceChanges(offset: $offset) { book sku currency before { amount } after { amount } } } }`,
    { id, offset },
  )
  const { priceChangeCount, priceChanges } = data.importJob
  const shown = priceChanges.map(({ book, sku, currency, before, after }: Change) =>
    [book, sku, currency, before?.amount ?? '-', after?.amount ?? '-'].join(' '),
  )
  return { priceChangeCount, shown }
}

interface Change {
  readonly book: string
  readonly sku: string
  readonly currency: string
  readonly before: { readonly amount: number } | null
  readonly after: { readonly amount: number } | null
}

/** All rows of all tables but those of imports, and the store's state of ids. */
async function wholeStore() {
  const tables = await database.query<{ name: string }>(
    'test-tables',
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
     AND table_name NOT LIKE 'import\\_job%' AND table_name <> 'idempotency_key' ORDER BY 1`,
  )
  const rows: Record<string, unknown> = {}
  for (const { name } of tables)
    rows[name] = await database.query(
      `test-rows-${name}`,
      `SELECT to_jsonb(t)::text AS row FROM "${name}" t ORDER BY 1`,
    )
  return rows
}

const expireLease = () =>
  database.query('test-lease-expired', `UPDATE import_job SET leased_until = now() - interval '1 minute'`)
const leftovers = async () =>
  (
    await database.query<object>(
      'test-leftovers',
      'SELECT (SELECT count(*)::int FROM import_job_earlier) AS earlier, (SELECT count(*)::int FROM import_job_key) AS keys',
    )
  )[0]
const count = (type: string, createdCount: number, updatedCount = 0, unchangedCount = 0, refusedCount = 0) => ({
  ...{ type, createdCount, updatedCount, unchangedCount, refusedCount },
})

test('job.check-tells-prices: a check tells counts, refused cells and the prices that change, and the import then does that', async () => {
  await runUntil(server, await begin(server, books('Retail')), ['DONE'])
  const first = 'sku,EUR.amount,USD.amount,sale.Now,sale.Now.EUR\nCUP,5,6,,\nMUG,12.50,,true,9\nPOT,20,,,\n'
  await runUntil(server, await begin(server, first, prices, csv), ['DONE'])
  const before = await wholeStore()
  const { id, job } = await check(
    // The sale of MUG stays, so its list price is not what shoppers pay.
    'sku,EUR.amount,USD.amount\nCUP,5.50,6\nMUG,13,\nPOT,20,\nNEW,1,2\nBAD,1.234,\n',
    `${prices}&file_name=prices.csv`,
    csv,
  )
  expect(job).toMatchObject({ state: 'CHECKED', failure: null, counts: [count('product-price', 1, 2, 1, 1)] })
  expect(await changesOf(id)).toEqual({
    priceChangeCount: 3,
    shown: ['Retail CUP EUR 500 550', 'Retail NEW EUR - 100', 'Retail NEW USD - 200'],
  })
  expect((await changesOf(id, 2)).shown).toEqual(['Retail NEW USD - 200'])
  expect((await server.rest('GET', `/imports/${id}/refused`)).text).toContain(
    'prices.csv B6: EUR.amount has 3 decimals, and EUR has 2',
  )
  expect(await wholeStore()).toEqual(before)
  expect(await startUntilDone(id)).toMatchObject({ state: 'DONE', counts: job.counts })
  // A price that is told twice would be in the file of refused objects twice.
  expect((await server.rest('GET', `/imports/${id}/refused`)).text.trim().split('\r\n')).toHaveLength(2)
})

test('job.check-equals-import: what earlier objects would create counts as there, across batches', async () => {
  const before = await wholeStore()
  const others = Array.from({ length: 450 }, (_, at) => ({
    type: 'product',
    attributes: { sku: `P-${at}`, name: `P ${at}` },
  }))
  const file = lines([
    { type: 'pricebook', attributes: { name: 'Retail', external_ref: 'book' } },
    { type: 'hierarchy', attributes: { name: 'Shop', external_ref: 'shop' } },
    { type: 'product', attributes: { name: 'Mug', sku: 'MUG', external_ref: 'mug' } },
    ...others,
    {
      type: 'node',
      attributes: { name: 'Kitchen', external_ref: 'kitchen' },
      relationships: {
        parent: { data: { type: 'hierarchy', external_ref: 'shop' } },
        products: { data: [{ type: 'product', external_ref: 'mug' }] },
      },
    },
    { type: 'product', attributes: { name: 'Mug', sku: 'MUG', description: 'Large' } },
    { type: 'product', attributes: { name: 'Other', slug: 'p-3', sku: 'OTHER' } },
    { type: 'pricebook', attributes: { name: 'Retail' } },
    ...[12, 13].map((amount) => ({
      type: 'product-price',
      pricebook_external_ref: 'book',
      attributes: { sku: 'MUG', currencies: { EUR: { amount, includes_tax: true } } },
    })),
  ])
  const { id, job } = await check(file, '?on_error=skip')
  expect(await wholeStore()).toEqual(before)
  expect(await leftovers()).toEqual({ earlier: 0, keys: 0 })
  expect(await changesOf(id)).toEqual({ priceChangeCount: 1, shown: ['Retail MUG EUR - 13'] })
  expect(job).toMatchObject({ state: 'CHECKED', failure: null })
  expect(await startUntilDone(id)).toMatchObject({ state: 'DONE', counts: job.counts })
  expect(job.counts).toContainEqual(count('node', 1))
  expect(job.counts).toContainEqual(count('product-price', 1, 1))
})

test('job.check-equals-import: rows of nodes meet the nodes of earlier rows by path', async () => {
  const shop = lines([{ type: 'hierarchy', attributes: { name: 'Shop', slug: 'shop' } }])
  await runUntil(server, await begin(server, shop), ['DONE'])
  const rows = Array.from({ length: 230 }, (_, at) => `shop/a${at},A ${at}\n`).join('')
  const file = `path,name\n${rows}shop/a0/b,B\nshop/a0/b/c,C\nshop/none/d,D\nshop/a1,A 1\nshop/a2,Renamed\n`
  const { id, job } = await check(file, '?type=node&on_error=skip', csv)
  expect(job).toMatchObject({ state: 'CHECKED', counts: [count('node', 232, 1, 1, 1)] })
  expect(await startUntilDone(id)).toMatchObject({ state: 'DONE', counts: job.counts })
})

test('job.check-goes-on: a check whose server was killed goes on behind its last batch, and tells all', async () => {
  await runUntil(server, await begin(server, books('Retail')), ['DONE'])
  const before = await wholeStore()
  const rows = Array.from({ length: 4_500 }, (_, at) => `SKU-${at % 4_400},${at + 1}\n`).join('')
  const id = await beginCheck(`sku,EUR.amount\n${rows}`, prices, csv)
  const killed = newId()
  const job = await takeJob(database, killed)
  if (!job) throw new Error('there is no job')
  const stop = new AbortController()
  const end = database.onStatement(({ text }) => {
    if (text.includes('SET progress')) stop.abort(new Error('killed'))
  })
  await expect(importJob(server.services, job, killed, stop.signal)).rejects.toThrow('killed')
  end()
  expect(await jobOf(server, id)).toMatchObject({ state: 'CHECKING', handledCount: 2_000 })
  await expireLease()
  expect(await runUntil(server, id, ['CHECKED', 'FAILED'])).toMatchObject({
    state: 'CHECKED',
    counts: [count('product-price', 4_400, 100)],
  })
  const { priceChangeCount, shown } = await changesOf(id)
  expect([priceChangeCount, shown.length, shown[0]]).toEqual([4_400, 1_000, 'Retail SKU-0 EUR - 440100'])
  expect(await wholeStore()).toEqual(before)
})

test('job.check-equals-import: a label that an earlier line gives is the same one', async () => {
  const label = (key: string, name: string) => ({
    type: 'label',
    attributes: { kind: 'sale', key, locales: { de: { name } } },
  })
  const apart = Array.from({ length: 200 }, (_, at) => label(`Sale ${at}`, 'Ausverkauf'))
  const file = lines([label('Black Friday', 'Schwarzer Freitag'), ...apart, label('Black Friday', 'Freitag')])
  const { id, job } = await check(file)
  expect(job.counts).toEqual([count('label', 201, 1)])
  expect((await startUntilDone(id)).counts).toEqual([count('label', 201, 1)])
})

test('job.check-goes-on: a cancel ends a check, and its file goes', async () => {
  const id = await beginCheck(books(...Array.from({ length: 450 }, (_, at) => `Book ${at}`)))
  expect((await call('startImport', id)).userErrors).toEqual([
    { code: 'ACTION_REFUSED', message: 'it is being checked' },
  ])
  const leaseId = newId()
  const job = await takeJob(database, leaseId)
  if (!job) throw new Error('there is no job')
  const canceled: Promise<unknown>[] = []
  const end = database.onStatement(({ text }) => {
    if (text.includes('SET progress') && canceled.length === 0) canceled.push(call('cancelImport', id))
  })
  await expect(importJob(server.services, job, leaseId, never)).rejects.toThrow(RunEnded)
  end()
  expect(await Promise.all(canceled)).toEqual([{ importJob: { state: 'CANCELED' }, userErrors: [] }])
  expect((await jobOf(server, id)).state).toBe('CANCELED')
  expect(await leftovers()).toEqual({ earlier: 0, keys: 0 })
  expect(await database.prisma.importJobChunk.count()).toBe(0)
  expect(await database.prisma.priceBook.count()).toBe(0)
})

test('job.cancel-keeps-stored: of an import that was checked and then canceled nothing is told, since nothing is stored', async () => {
  const { id, job } = await check(`${books('Mine')}{"data": {"type": "pricebook"}}\n`, '?on_error=skip')
  expect(job).toMatchObject({ state: 'CHECKED', handledCount: 2, refusedCount: 1 })
  expect(await call('cancelImport', id)).toEqual({ importJob: { state: 'CANCELED' }, userErrors: [] })
  const nothing = { handledCount: 0, refusedCount: 0, counts: [], refusedPath: null }
  expect(await jobOf(server, id)).toEqual({ state: 'CANCELED', failure: null, ...nothing })
  expect((await server.rest('GET', `/imports/${id}/refused`)).text).toBe('')
  expect(await database.query('test-refused', 'SELECT 1 FROM import_job_refused')).toEqual([])
})

test('job.check-goes-on: a check that fails says why, and can be repeated', async () => {
  const { id, job } = await check('sku,EUR.amount\nMUG,5\n', prices, csv)
  expect(job).toMatchObject({ state: 'CHECKED', failure: 'There is no price book Retail', counts: [] })
  await runUntil(server, await begin(server, books('Retail')), ['DONE'])
  await call('checkImport', id)
  expect(await runUntil(server, id, ['CHECKED'])).toMatchObject({ failure: null, counts: [count('product-price', 1)] })
})

test('job.check-equals-import: a check ends at the refused object at which the import would', async () => {
  const file = `${books('One', 'Two')}{"data": {"type": "pricebook", "attributes": {"nam": "Three"}}}\n${books('Four')}`
  const { id, job } = await check(file, '?file_name=books.jsonl')
  expect(job).toMatchObject({
    state: 'CHECKED',
    failure: expect.stringMatching(/^books\.jsonl:3: data\.attributes\.nam: /),
    counts: [count('pricebook', 2, 0, 0, 1)],
  })
  expect(await database.prisma.priceBook.count()).toBe(0)
  expect(await startUntilDone(id)).toMatchObject({ state: 'FAILED', failure: job.failure, counts: job.counts })
})

test('job.check-writes-nothing: a release is counted and not published', async () => {
  const catalogId = '0199c0de-0000-7000-8000-00000000ca7c'
  const release = '0199c0de-0000-7000-8000-00000000ca7d'
  const line = { type: 'catalog-release', id: release, attributes: { catalog_id: catalogId } }
  const file = lines([
    { type: 'catalog', id: catalogId, attributes: { name: 'Shop', hierarchy_ids: [], pricebook_ids: [] } },
    line,
    line,
  ])
  const { id, job } = await check(file)
  expect(job.counts).toEqual([count('catalog', 1), count('catalog-release', 1, 0, 1)])
  expect(await database.prisma.release.count()).toBe(0)
  expect(await startUntilDone(id)).toMatchObject({ counts: job.counts })
})

test('job.check-equals-import: the import of random sheets of prices does what the check of each told', async () => {
  await runUntil(server, await begin(server, books('Retail')), ['DONE'])
  const cell = fc.constantFrom('', '1', '2.50', '3', 'x', '-')
  const row = fc.tuple(fc.constantFrom('A', 'B', 'C', 'D', ''), cell, cell)
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      const before = await wholeStore()
      const file = `sku,EUR.amount,USD.amount\n${rows.map((cells) => `${cells.join(',')}\n`).join('')}`
      const { id, job } = await check(file, prices, csv)
      expect(await wholeStore()).toEqual(before)
      expect((await startUntilDone(id)).counts).toEqual(job.counts)
    }),
    { numRuns: 10 },
  )
})

test('import.refused-products-left-out: a node that lists refused products is taken without them by a check that another server goes on with, and by the import that was killed, with equal counts and reasons', async () => {
  const idOf = (n: number) => `0199c0de-0000-7000-8000-${String(n).padStart(12, '0')}`
  const product = (n: number, name = `P${n}`) => ({
    type: 'product',
    id: idOf(n),
    attributes: { name, sku: `S-${n}`, external_ref: `r-${n}` },
  })
  const node = (n: number, name: string, products: readonly object[]) => ({
    type: 'node',
    id: idOf(n),
    relationships: { parent: { data: { id: idOf(900) } }, products: { data: products } },
    attributes: { name },
  })
  const listed = [1, 2, 3].map((n) => ({ type: 'product', id: idOf(n) }))
  const file = lines([
    { type: 'hierarchy', id: idOf(900), attributes: { name: 'Shop' } },
    product(1, ''),
    product(2),
    node(901, 'First', listed.slice(0, 2)),
    ...Array.from({ length: 200 }, (_, at) => product(10 + at)),
    { type: 'product', attributes: { name: '', external_ref: 'r-3' } },
    node(902, 'Second', [...listed.slice(0, 2), { type: 'product', external_ref: 'r-3' }]),
    // Names the first node, which the check writes again without the product that it lacked.
    node(903, 'Below', listed.slice(1, 2)),
    {
      ...node(904, 'Deep', []),
      relationships: { parent: { data: { id: idOf(901) } }, products: { data: listed.slice(0, 2) } },
    },
  ])
  /** Ends a run when it stores its progress for the so manieth time. */
  const kill = async (id: string, saves: number) => {
    const killed = newId()
    const job = await takeJob(database, killed)
    if (!job) throw new Error('there is no job')
    const stop = new AbortController()
    let saved = 0
    const end = database.onStatement(({ text }) => {
      if (text.includes('SET progress') && ++saved === saves) stop.abort(new Error('killed'))
    })
    await expect(importJob(server.services, job, killed, stop.signal)).rejects.toThrow('killed')
    end()
    await expireLease()
    return (await jobOf(server, id)).handledCount
  }
  const id = await beginCheck(file, '?on_error=skip')
  const handled = [await kill(id, 9)]
  const job = await runUntil(server, id, ['CHECKED', 'FAILED'])
  const refused = async () => (await server.rest('GET', `/imports/${id}/refused`)).text
  const told = await refused()
  expect(job).toMatchObject({ state: 'CHECKED', failure: null })
  expect(job.counts).toContainEqual(count('product', 201, 0, 0, 2))
  expect(job.counts).toContainEqual(count('node', 4))
  await call('startImport', id)
  handled.push(await kill(id, 8))
  // Behind the first refused product and before the second one; a slow machine stores its progress more often.
  for (const count of handled) expect(count > 3 && count < 205, `${count} handled`).toBe(true)
  expect(await runUntil(server, id, ['DONE', 'FAILED'])).toMatchObject({ state: 'DONE', counts: job.counts })
  expect(await refused()).toBe(told)
  const reasons = told
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(reasons.map(({ refused: { line }, data }) => [line, data.attributes.name])).toEqual([
    ...[
      [2, ''],
      [4, 'First'],
      [205, ''],
      [206, 'Second'],
      [208, 'Deep'],
    ],
  ])
  expect(reasons[3].data.relationships.products.data).toHaveLength(3)
  expect(reasons[3].refused.problems).toEqual([
    `data.relationships.products.data.0: names product ${idOf(1)}, which was refused (import.jsonl:2): the node is taken without it (NOT_FOUND)`,
    'data.relationships.products.data.2: names product r-3, which was refused (import.jsonl:205): the node is taken without it (NOT_FOUND)',
  ])
  expect(await database.prisma.nodeProduct.count()).toBe(4)
})
