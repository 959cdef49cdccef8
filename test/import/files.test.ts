/**
 * The options of an import: dry run, all or nothing, the file of refused objects, and going on with an import that
 * ended early.
 */
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { reset, useDatabase } from '../support/database.ts'
import { useImportFolder } from '../support/import-files.ts'
import { idOf } from '../support/products.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)
beforeEach(() => reset(database))

const { folder, run, write, linesOf } = useImportFolder(services)
const book = (name: string, more: object = {}) => ({ type: 'pricebook', attributes: { name, ...more } })
const plan = {
  type: 'subscription_plan',
  attributes: {
    ...{
      name: 'Plan',
      billing_interval_type: 'month',
      billing_frequency: 1,
      trial_period: 0,
      plan_length: 12,
      end_behavior: 'roll',
    },
    ...{ can_pause: true, can_resume: true, can_cancel: true },
  },
}
const price = (sku: string, amount: number) => ({
  type: 'product-price',
  pricebook_external_ref: 'b',
  attributes: { sku, currencies: { USD: { amount } } },
})
const catalog = (n: number) => ({
  type: 'catalog',
  id: idOf(n),
  attributes: { name: `Shop ${n}`, hierarchy_ids: [], pricebook_ids: [] },
})
const release = (id: number, catalogId: number) => ({
  type: 'catalog-release',
  id: idOf(id),
  attributes: { catalog_id: idOf(catalogId) },
})

/** The number of rows of every table that has any. */
async function rowCounts(): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = quote_ident(current_schema())::regnamespace AND NOT relispartition
     AND relname <> '_prisma_migrations'`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    const count = (await database.pool.query(`SELECT count(*)::int AS count FROM ${name}`)).rows[0].count
    if (count > 0) counts[name] = count
  }
  return counts
}

const names = async (): Promise<string[]> =>
  (await database.pool.query('SELECT name FROM price_book ORDER BY 1')).rows.map(({ name }) => name)

it('an import reports what is read at once, and what is done as it is, also when it goes on', async () => {
  let now = 0
  const clock = () => {
    now += 5_000
    return now
  }
  write('many.jsonl', [...Array.from({ length: 201 }, (_, at) => book(`B${at}`)), book('')])
  const { reported } = await run('many.jsonl', clock)
  expect(reported.split('\n').slice(0, 3)).toEqual(
    [0, 200, 201].map((done) => `many.jsonl: 100 % read, ${done} objects done`),
  )
  write(
    'many.jsonl',
    Array.from({ length: 202 }, (_, at) => book(`B${at}`)),
  )
  const resumed = await run('--resume many.jsonl', clock)
  expect(resumed.reported.split('\n')).toEqual([
    'Goes on after 201 objects of many.jsonl',
    ...[201, 202].map((done) => `many.jsonl: 100 % read, ${done} objects done`),
    '',
  ])
})

describe('a release behind refused objects', () => {
  const refusal = (at: string, count: string) =>
    `${at}: data: is not published, since ${count} refused: correct them, or give --publish-anyway (ACTION_REFUSED)\n`
  const statuses = async () => (await database.pool.query('SELECT id, status FROM release ORDER BY id')).rows

  it('import.refused-objects-unpublished: a release behind refused objects, also of an earlier file, is refused with their number, and publishes nothing', async () => {
    write('one.jsonl', [catalog(1), release(2, 1), book(''), release(3, 1)])
    write('two.jsonl', [book('Two'), price('', 1), release(4, 1)])
    const end = await run('--on-error skip one.jsonl two.jsonl')
    expect(end.allTaken).toBe(false)
    expect(end.counts['catalog-release']).toEqual([1, 0, 0, 2])
    expect(end.reported).toContain(refusal('one.jsonl:4', '1 object before it was'))
    // A release that was refused is not counted.
    expect(end.reported).toContain(refusal('two.jsonl:3', '2 objects before it were'))
    expect(await statuses()).toEqual([{ id: idOf(2), status: 'published' }])
    expect((await run('--dry-run --on-error skip one.jsonl two.jsonl')).counts['catalog-release']).toEqual([0, 0, 1, 2])
  })

  it('import.refused-objects-unpublished: with --publish-anyway it is published, and the import counts as one with refused objects', async () => {
    write('one.jsonl', [catalog(1), book(''), release(3, 1)])
    const end = await run('--on-error skip --publish-anyway one.jsonl')
    expect([end.allTaken, end.counts['catalog-release']]).toEqual([false, [1, 0, 0, 0]])
    expect(await statuses()).toEqual([{ id: idOf(3), status: 'published' }])
  })
})

describe('a dry run', () => {
  it('import.dry-run-equals-run: a dry run of an import stores nothing, and counts and refuses what the import then does', async () => {
    writeFileSync(join(folder, 'demo.jsonl'), readFileSync(join(projectRoot, 'prisma/demo.jsonl')))
    const more = [book('New', { external_ref: 'b' }), price('S', 5), price('', 5), price('S', 6), release(50, 404)]
    write('more.jsonl', more)
    const dry = await run('--dry-run --on-error skip demo.jsonl more.jsonl')
    expect(await rowCounts()).toEqual({})
    const real = await run('--on-error skip demo.jsonl more.jsonl')
    expect([dry.counts, dry.reported, dry.allTaken, dry.isStored]).toEqual([real.counts, real.reported, false, false])
    expect(real.counts['catalog-release']).toEqual([2, 0, 0, 1])
    const after = await rowCounts()
    expect((await run('--dry-run --on-error skip demo.jsonl more.jsonl')).counts['product-price']).toEqual([
      0, 2, 49, 1,
    ])
    expect(await rowCounts()).toEqual(after)
  })

  it('import.dry-run-equals-run: a dry run of an import ends at the first refused object unless it is to go on', async () => {
    write('bad.jsonl', [book('One'), book(''), book('Two'), book('')])
    expect((await run('--dry-run bad.jsonl')).counts).toEqual({ pricebook: [1, 0, 0, 1] })
    expect((await run('--dry-run --on-error skip bad.jsonl')).counts).toEqual({ pricebook: [2, 0, 0, 2] })
    expect(await rowCounts()).toEqual({})
  })
})

describe('--on-error rollback', () => {
  it('import.all-or-nothing: --on-error rollback reports every refused object of all files, and stores nothing', async () => {
    write('one.jsonl', [book('One', { external_ref: 'b' }), price('S', 1), catalog(1), release(2, 1)])
    write('two.jsonl', [book(''), price('S', 2), book('One'), book('One', { external_ref: 'c' })])
    const end = await run('--on-error rollback one.jsonl two.jsonl')
    expect(end).toMatchObject({ allTaken: false, isStored: false })
    expect(end.reported).toBe(
      'two.jsonl:1: data.attributes.name: must be 1 to 1024 characters (TOO_SHORT)\n' +
        'two.jsonl:4: data.attributes.name: A price book with the name already exists (NAME_TAKEN)\n'.replace(
          'name: A price',
          'name: A price',
        ),
    )
    expect(await rowCounts()).toEqual({})
  })

  it('import.all-or-nothing: --on-error rollback stores all when nothing is refused, and publishes each catalog when it is stored', async () => {
    write('one.jsonl', [book('One', { external_ref: 'b' }), price('S', 1), catalog(1), release(2, 1), catalog(3)])
    write('two.jsonl', [price('S', 2), release(2, 1), release(4, 3)])
    const end = await run('--on-error rollback one.jsonl two.jsonl')
    expect(end).toMatchObject({ allTaken: true, isStored: true, reported: '' })
    expect(end.counts).toEqual({
      pricebook: [1, 0, 0, 0],
      'product-price': [1, 1, 0, 0],
      catalog: [2, 0, 0, 0],
      'catalog-release': [2, 0, 1, 0],
    })
    const { rows } = await database.pool.query('SELECT id, catalog_id, status FROM release ORDER BY id')
    expect(rows).toEqual([
      { id: idOf(2), catalog_id: idOf(1), status: 'published' },
      { id: idOf(4), catalog_id: idOf(3), status: 'published' },
    ])
    write('taken.jsonl', [book('Three'), release(2, 3)])
    expect(await run('--on-error rollback taken.jsonl')).toMatchObject({
      isStored: false,
      reported: 'taken.jsonl:2: data.id: A record with the id already exists (ID_TAKEN)\n',
    })
    expect(await names()).toEqual(['One'])
  })
})

describe('--refused', () => {
  it('import.refused-file: --refused writes the refused objects as they were given, which are taken once they are corrected', async () => {
    const text = [
      '{"data":{"type":"pricebook","attributes":{"name":"One","external_ref":"b"}}}',
      '{\n  "data": {\n    "type": "product-price", "pricebook_external_ref": "b",\n    "attributes": {"sku": "S", "currencies": {"USD": {"amount": 9007199254740993}}}\n  }\n}',
      '{"meta":"\\u00e9", "data":{"type":"pricebook","attributes":{"name":""}}}',
      '{"data":{"type":"pricebook","attributes":{"name":"Two"}}}',
      '{}',
      '{"data":{"type":"pricebook",}}',
      'oops',
    ]
    writeFileSync(join(folder, 'in.jsonl'), text.join('\n'))
    const first = await run('--on-error skip --refused refused.jsonl in.jsonl')
    expect(first.counts).toEqual({
      pricebook: [2, 0, 0, 1],
      'product-price': [0, 0, 0, 1],
      '(unreadable)': [0, 0, 0, 3],
    })
    const reason = (line: number, problem: unknown) => ({ file: join(folder, 'in.jsonl'), line, problems: [problem] })
    const lines = linesOf('refused.jsonl')
    expect(lines).toHaveLength(5)
    expect(lines.map((line) => JSON.parse(line).refused)).toEqual([
      reason(2, expect.stringContaining('data.attributes.currencies.USD.amount: must be')),
      reason(8, 'data.attributes.name: must be 1 to 1024 characters (TOO_SHORT)'),
      reason(10, 'data: must be given (REQUIRED)'),
      { ...reason(11, expect.stringContaining('is not JSON')), text: '{"data":{"type":"pricebook",}}' },
      { ...reason(12, 'is not a JSON object'), text: 'oops' },
    ])
    expect(lines[0]).toContain(
      '},"data": { "type": "product-price", "pricebook_external_ref": "b", "attributes": {"sku": "S", "currencies": {"USD": {"amount": 9007199254740993}}} } }',
    )
    expect(lines[1]).toContain('},"meta":"\\u00e9", "data":{"type":"pricebook","attributes":{"name":""}}}')
    expect(lines[2]?.endsWith('}}')).toBe(true)
    expect(statSync(join(folder, 'refused.jsonl')).mode & 0o777).toBe(0o600)

    // Imported as it is, all is refused again, with the reason of now in place of the former one.
    const again = await run('--on-error skip --refused again.jsonl refused.jsonl')
    expect(again.allTaken).toBe(false)
    expect(linesOf('again.jsonl')[0]).toBe(
      lines[0]?.replace('in.jsonl', 'refused.jsonl').replace('"line":2', '"line":1'),
    )
    const corrected = [lines[0]?.replace('9007199254740993', '5'), lines[1]?.replace('"name":""', '"name":"Three"')]
    writeFileSync(join(folder, 'corrected.jsonl'), corrected.join('\n'))
    expect((await run('--refused rest.jsonl corrected.jsonl')).counts).toEqual({
      'product-price': [1, 0, 0, 0],
      pricebook: [1, 0, 0, 0],
    })
    expect([await names(), linesOf('rest.jsonl')]).toEqual([['One', 'Three', 'Two'], []])
  })

  it('import.refused-file: --refused does not overwrite a file to import', async () => {
    write('own.jsonl', [book('One')])
    await expect(run('--refused own.jsonl own.jsonl')).rejects.toThrow('own.jsonl would overwrite a file to import')
    expect(linesOf('own.jsonl')).toHaveLength(1)
  })

  it('import.refused-file: --refused replaces the file of an earlier import of a pipe, which has no path', async () => {
    write('piped.jsonl', [book('')])
    const fd = openSync(join(folder, 'piped.jsonl'), 'r')
    rmSync(join(folder, 'piped.jsonl'))
    for (const line of [1, 2]) {
      await run(`--refused piped-refused.jsonl /proc/self/fd/${fd}`)
      expect([line, linesOf('piped-refused.jsonl').length]).toEqual([line, 1])
    }
    closeSync(fd)
  })
})

describe('--resume', () => {
  it('import.resumes-where-it-was: --resume goes on at the object that stopped the import, once that is corrected, and counts on', async () => {
    write('first.jsonl', [plan, book('One')])
    write('second.jsonl', [plan, book(''), plan])
    const stopped = await run('--refused refused.jsonl first.jsonl second.jsonl')
    expect(stopped.counts).toEqual({ subscription_plan: [2, 0, 0, 0], pricebook: [1, 0, 0, 1] })
    expect(linesOf('refused.jsonl')).toHaveLength(1)
    write('second.jsonl', [plan, book('Two'), plan])
    const resumed = await run('--resume --refused refused.jsonl first.jsonl second.jsonl')
    expect(resumed.reported).toBe('Goes on after 1 objects of second.jsonl\n')
    // Objects without a key would be created again by an import from the start.
    expect(resumed.counts).toEqual({ subscription_plan: [3, 0, 0, 0], pricebook: [2, 0, 0, 0] })
    expect((await rowCounts()).plan).toBe(3)
    expect(linesOf('refused.jsonl')).toEqual([])
    const anew = await run('--resume first.jsonl second.jsonl')
    expect(anew.reported).toBe('No unfinished import of these files is stored: it begins at their start\n')
    expect(anew.counts).toEqual({ subscription_plan: [3, 0, 0, 0], pricebook: [0, 0, 2, 0] })
  })

  it('import.resumes-where-it-was: --resume refuses files that have changed before the place, or are shorter', async () => {
    write('some.jsonl', [book('One'), book('Two'), book('')])
    await run('some.jsonl')
    for (const objects of [[book('Other'), book('Two'), book('Three')], [book('One')]]) {
      write('some.jsonl', objects)
      await expect(run('--resume some.jsonl')).rejects.toThrow(
        'its first 2 objects, which were imported before, have changed',
      )
    }
    write('some.jsonl', [book('One'), book('Two'), book('Three')])
    expect((await run('--resume some.jsonl')).counts).toEqual({ pricebook: [3, 0, 0, 0] })
  })

  it('an import without --resume begins anew', async () => {
    write('some.jsonl', [book('One'), book('')])
    await run('some.jsonl')
    write('some.jsonl', [book('One'), book('Two')])
    expect((await run('some.jsonl')).counts).toEqual({ pricebook: [1, 0, 1, 0] })
    expect((await rowCounts()).import_checkpoint).toBe(undefined)
  })
})
