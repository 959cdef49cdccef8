import { execFileSync, spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { lockFolder } from '../../src/persistence/database/folder-lock.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { shortLived } from '../support/start-command.ts'

const samples = process.env.SAMPLE_DATA_DIR
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function run(
  dataDir: string,
  args: readonly string[],
  killAfter?: () => Promise<unknown>,
  input: string | Buffer = '',
): Promise<Run> {
  const { DATABASE_URL: _, ...inherited } = process.env
  const env = { ...inherited, NODE_ENV: 'development', DATA_DIR: join(folder, dataDir) }
  const child = spawn(process.execPath, [...shortLived, 'src/tools/run.mjs', 'import/main', ...args], {
    cwd: projectRoot,
    env,
  })
  child.stdin.end(input)
  let [out, err] = ['', '']
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString()
  })
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString()
  })
  void killAfter?.().then(() => child.kill('SIGKILL'))
  // What a slow machine says of its progress is left out.
  const withoutProgress = () => err.replace(/^.*: (\d+ % read, )?\d+ objects done\n/gm, '')
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err: withoutProgress() })))
}

/** The number of rows that plans of the embedded database reckon with; -1 when it never looked. */
async function rowsPlanned(dataDir: string, table: string): Promise<number> {
  const config = { databaseUrl: null, dataDir: join(folder, dataDir), poolMax: 1, statementTimeoutMs: 0 }
  const database = await openDatabase(config, { warn: () => undefined })
  try {
    return (await database.pool.query('SELECT reltuples FROM pg_class WHERE relname = $1', [table])).rows[0].reltuples
  } finally {
    await database.close()
  }
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** The counts of one type, or undefined when the summary lacks it: created, updated, unchanged, refused. */
function countsOf({ out }: Run, type: string): number[] | undefined {
  const line = out.split('\n').find((text) => text.startsWith(`${type} `))
  return line?.slice(type.length).trim().split(/\s+/).map(Number)
}

const book = (name: string, more: object = {}) => ({ data: { type: 'pricebook', attributes: { name, ...more } } })

describe('npm run import', () => {
  it('import.exit-code-and-counts: npm run import imports objects by line, indented and gzipped, prints a summary and exits with 0', async () => {
    const lines = file('lines.jsonl', `${JSON.stringify(book('One'))}\n${JSON.stringify(book('Two'))}\n`)
    const indented = file(
      'indented.json',
      [book('Three'), book('One')].map((object) => JSON.stringify(object, null, 2)).join('\n'),
    )
    const zipped = file('zipped.jsonl.gz', gzipSync(JSON.stringify(book('Four'))))
    const first = await run('plain', [lines, indented, zipped])
    expect([first.code, first.err, countsOf(first, 'pricebook')]).toEqual([0, '', [4, 0, 1, 0]])
    expect(await rowsPlanned('plain', 'price_book')).toBe(4)
  })

  it('import.exit-code-and-counts: npm run import stops at the first refused object, reports its file and line, and exits with 1', async () => {
    const path = file(
      'bad.jsonl',
      [book('Five'), book(''), book('Six')].map((object) => JSON.stringify(object)).join('\n'),
    )
    const stopped = await run('plain', [path])
    expect([stopped.code, stopped.err]).toEqual([
      1,
      `${path}:2: data.attributes.name: must be 1 to 1024 characters (TOO_SHORT)\n`,
    ])
    expect(countsOf(stopped, 'pricebook')).toEqual([1, 0, 0, 1])
    const skipped = await run('plain', ['--on-error', 'skip', path])
    expect([skipped.code, countsOf(skipped, 'pricebook')]).toEqual([1, [1, 0, 1, 1]])
  })

  it('import.exit-code-and-counts: npm run import exits with 2 when it can not run: no file, an unknown option, a missing file', async () => {
    expect((await run('plain', [])).code).toBe(2)
    const unknown = await run('plain', ['--force', 'x'])
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('Usage: npm run import')])
    const nothing = join(folder, 'nothing.jsonl')
    const missing = await run('plain', [nothing])
    expect([missing.code, missing.err]).toEqual([
      2,
      expect.stringMatching(`^${nothing} can't be read: ENOENT: no such file or directory`),
    ])
    const damaged = file('damaged.jsonl.gz', gzipSync(JSON.stringify(book('One'))).subarray(0, -9))
    const unreadable = await run('plain', [file('one.jsonl', JSON.stringify(book('One'))), damaged])
    expect([unreadable.code, unreadable.err]).toEqual([2, `${damaged} can't be read: unexpected end of file\n`])
    expect(await run('plain', [folder])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${folder} can't be read`),
    })
  })

  it('import.from-elastic-path: npm run import takes lists of another system from standard input, and prints what is not taken', async () => {
    const lists = [
      [{ type: 'pricebook', id: 'e1a571c0-0000-4000-8000-000000000001', attributes: { name: 'Retail' } }],
      [{ type: 'file', id: 'e1a571c0-0000-4000-8000-000000000002' }],
    ]
    const stream = lists.map((data) => JSON.stringify({ data })).join('\n')
    const args = ['--from', 'elasticpath-pcm', '-']
    const taken = await run('piped', args, undefined, gzipSync(stream))
    expect([taken.code, taken.err, countsOf(taken, 'pricebook')]).toEqual([
      0,
      'Not taken as it stands there:\n  file: 1 times\n',
      [1, 0, 0, 0],
    ])
    expect((await run('piped', ['--from', 'shopify-csv', '-'])).code).toBe(2)
    expect(await run('piped', args)).toMatchObject({ code: 0, err: 'There are no objects in these files\n' })
  })

  it('import.exit-code-and-counts: npm run import says that a file without objects has none', async () => {
    expect(await run('empty', [file('empty.jsonl', '\n')])).toEqual({
      code: 0,
      out: '',
      err: 'There are no objects in these files\n',
    })
  })

  it('import.exit-code-and-counts: npm run import names the process that has the embedded database open, and exits', async () => {
    const unlock = lockFolder(join(folder, 'held'))
    const refused = await run('held', [file('one.jsonl', JSON.stringify(book('One')))])
    unlock()
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(`is in use by process ${process.pid}`)])
  })

  it('a killed import leaves whole objects only, and reaches the same state when it is run again', async () => {
    const prices = Array.from({ length: 12_000 }, (_, index) => ({
      data: {
        type: 'product-price',
        pricebook_external_ref: 'b',
        attributes: {
          sku: `S-${index}`,
          currencies: { USD: { amount: index } },
          sales: { always: { currencies: { USD: { amount: 1 } } } },
        },
      },
    }))
    const lines = [book('Book', { external_ref: 'b' }), ...prices].map((object) => `${JSON.stringify(object)}\n`)
    // A pipe gives only as fast as the import takes: when it has taken 4 MiB of blanks behind half of the objects, the
    // first of those are written.
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const fed = createWriteStream(pipe)
    const killed = await run(
      'killed',
      [pipe],
      () => new Promise((resolve) => fed.write(lines.slice(0, 6_000).join('') + ' '.repeat(4 * 1024 * 1024), resolve)),
    )
    fed.destroy()
    const again = await run('killed', [file('many.jsonl', lines.join(''))])
    const [created = 0, updated, unchanged = 0, refused] = countsOf(again, 'product-price') ?? []
    // A price without its sale would be updated, an unfinished batch refused.
    expect([killed.code, again.code, updated, refused, created + unchanged]).toEqual([null, 0, 0, 0, 12_000])
    expect(created).toBeGreaterThan(6_000)
    expect(unchanged).toBeGreaterThan(1_000)
  })

  it('import.resumes-where-it-was: a killed import goes on where it was, and creates no object twice', async () => {
    // Objects without a key, which an import from the start would create again.
    const objects = Array.from({ length: 1_500 }, (_, index) => ({
      data: { type: 'hierarchy', attributes: { name: `Root ${index}` } },
    }))
    const lines = objects.map((object) => `${JSON.stringify(object)}\n`)
    const path = join(folder, 'hierarchies.jsonl')
    execFileSync('mkfifo', [path])
    const fed = createWriteStream(path)
    const killed = await run(
      'resumed',
      [path],
      () => new Promise((resolve) => fed.write(lines.slice(0, 1_000).join('') + ' '.repeat(4 * 1024 * 1024), resolve)),
    )
    fed.destroy()
    rmSync(path)
    writeFileSync(path, lines.join(''))
    const resumed = await run('resumed', ['--resume', path])
    const [, place = '0'] = /^Goes on after (\d+) objects of /.exec(resumed.err) ?? []
    expect([killed.code, resumed.code, countsOf(resumed, 'hierarchy')]).toEqual([null, 0, [1_500, 0, 0, 0]])
    expect([Number(place) >= 200, Number(place) <= 1_000, Number(place) % 200]).toEqual([true, true, 0])
    expect(await rowsPlanned('resumed', 'catalog_node')).toBe(1_500)
  })
})

describe.runIf(samples)('the sample files [needs sample data]', () => {
  const files = ['price-books.json-stream', 'subscriptions.jsonl'].map((name) => join(samples ?? '', name))
  let first: Run
  let second: Run
  beforeAll(async () => {
    first = await run('samples', ['--ignore-unknown', ...files])
    second = await run('samples', ['--ignore-unknown', ...files])
  })

  // Their plans have a status, which plans here do not have.
  const ignored = 'Ignored unknown members:\n  subscription_plan data.attributes.status: 56 times\n'

  it('import.exit-code-and-counts: the sample files are imported without a refused object, but for what plans here do not have', () => {
    expect([first.code, first.err]).toEqual([0, ignored])
    const kinds = ['pricebook', 'product-price', 'subscription_product', 'subscription_plan', 'total']
    expect(kinds.map((kind) => countsOf(first, kind))).toEqual([
      [5, 0, 0, 0],
      [7, 2, 0, 0],
      [56, 0, 0, 0],
      [56, 0, 0, 0],
      [124, 2, 0, 0],
    ])
  })

  it('import.repeat-changes-nothing: a second import of the sample files updates only the two keys that occur twice with other amounts', () => {
    expect([second.code, second.err]).toEqual([0, ignored])
    expect(['product-price', 'total'].map((kind) => countsOf(second, kind))).toEqual([
      [0, 4, 5, 0],
      [0, 4, 122, 0],
    ])
  })
})
