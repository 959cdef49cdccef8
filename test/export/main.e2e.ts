import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { readArguments } from '../../src/export/arguments.ts'
import { shortLived } from '../support/start-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-export-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a program on a store of its own; with `output` its standard output is that file. */
function run(program: 'import' | 'export', args: readonly string[], output?: string, store = 'data'): Promise<Run> {
  const { DATABASE_URL: _, ...inherited } = process.env
  const env = { ...inherited, NODE_ENV: 'development', DATA_DIR: join(folder, store) }
  const child = spawn(process.execPath, [...shortLived, 'src/tools/run.mjs', `${program}/main`, ...args], {
    ...{ cwd: projectRoot, env },
    stdio: ['ignore', output === undefined ? 'pipe' : openSync(output, 'w'), 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout?.on('data', (data: Buffer) => {
    out += data.toString()
  })
  child.stderr?.on('data', (data: Buffer) => {
    err += data.toString()
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}

it.each([
  [[], { file: null, sheet: null, subscriptions: false, help: false }],
  [['a.jsonl'], { file: 'a.jsonl', sheet: null, subscriptions: false, help: false }],
  [['--help'], { file: null, sheet: null, subscriptions: false, help: true }],
  [['a.jsonl', '--subscriptions'], { file: 'a.jsonl', sheet: null, subscriptions: true, help: false }],
  [['a.csv', '--subscriptions'], '--subscriptions writes JSON lines: name a file that does not end in .csv or .xlsx'],
  [['a.jsonl', '--subscriptions=no'], '--subscriptions takes no value'],
  [['a', 'b'], 'An export has one file'],
  [
    ['a.csv', '--type', 'product-price', '--book', 'Retail'],
    { file: 'a.csv', sheet: { type: 'product-price', book: 'Retail' }, subscriptions: false, help: false },
  ],
  [['a.csv', '--type', 'product'], { file: 'a.csv', sheet: { type: 'product' }, subscriptions: false, help: false }],
  [
    ['a.csv'],
    'A sheet needs --type with what its rows are: product-price, product, node, subscription_product, subscription_plan',
  ],
  [['--output', 'a'], 'There is no option --output; there are --type, --book, --subscriptions, --help'],
])('the command line %j of an export means %j', (args, meaning) => {
  expect(readArguments(args)).toEqual(meaning)
})

describe('npm run export', () => {
  const line = '{"data":{"type":"pricebook","id":"0199aaaa-0000-7000-8000-00000000000a","attributes":'
  const text = `${line}{"external_ref":null,"name":"Über","description":null}}}\n`
  beforeAll(async () => {
    const file = join(folder, 'book.jsonl')
    writeFileSync(file, text)
    expect((await run('import', [file])).code).toBe(0)
  })

  it('export.file-is-whole-and-private: npm run export writes a file that only its owner may read, compressed by its name', async () => {
    for (const name of ['store.jsonl', 'store.jsonl.gz']) {
      const file = join(folder, name)
      expect(await run('export', [file])).toEqual({ code: 0, out: '', err: '1 objects\n' })
      const bytes = readFileSync(file)
      expect((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()).toBe(text)
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('export.subscriptions-restored, export.file-is-whole-and-private: npm run export --subscriptions writes the subscriptions alone, readable by their owner, and npm run import takes them', async () => {
    const file = join(folder, 'subscriptions.jsonl')
    const [goods, moved] = [join(folder, 'goods.jsonl'), join(folder, 'moved.jsonl')]
    const refs = (type: string, id: string) => ({ data: [{ type, id }] })
    const [product, plan, offering] = [1, 2, 3].map((n) => `0199aaaa-0000-7000-8000-00000000001${n}`) as [
      string,
      string,
      string,
    ]
    const price = { USD: { amount: 500, includes_tax: true } }
    const terms = { billing_interval_type: 'month', billing_frequency: 1, trial_period: 0, plan_length: 12 }
    const free = { end_behavior: 'roll', can_pause: true, can_resume: true, can_cancel: true }
    const who = { account_id: product, currency: 'USD', name: 'Ada', email: 'ada@example.com' }
    const lines = [
      { type: 'subscription_product', id: product, attributes: { name: 'Paper', price } },
      { type: 'subscription_plan', id: plan, attributes: { name: 'Monthly', ...terms, ...free } },
      {
        ...{ type: 'subscription_offering', id: offering, attributes: { name: 'Club' } },
        relationships: { products: refs('subscription_product', product), plans: refs('subscription_plan', plan) },
      },
      { type: 'subscription', id: product, attributes: { ...who, offering_id: offering, plan_id: plan } },
    ]
    writeFileSync(goods, lines.map((data) => JSON.stringify({ data })).join('\n'))
    const data = 'subscribed'
    expect((await run('import', [goods], undefined, data)).code).toBe(0)
    expect(await run('export', [file, '--subscriptions'], undefined, data)).toEqual({
      ...{ code: 0, out: '', err: '1 objects\n' },
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await run('import', [file], undefined, 'moved')).out).toMatch(/subscription +1 +0 +0 +0/)
    expect((await run('export', [moved, '--subscriptions'], undefined, 'moved')).code).toBe(0)
    expect(readFileSync(moved, 'utf8')).toBe(readFileSync(file, 'utf8'))
  })

  it('npm run export writes to standard output without a file, and exits with 2 when it can not run', async () => {
    expect(await run('export', [])).toEqual({ code: 0, out: text, err: '1 objects\n' })
    const missing = join(folder, 'none', 'store.jsonl')
    const failed = await run('export', [missing])
    expect([failed.code, failed.out, existsSync(missing)]).toEqual([2, '', false])
    expect(failed.err).toContain('no such file or directory')
    expect((await run('export', ['--all'])).err).toContain(
      'There is no option --all; there are --type, --book, --subscriptions, --help\n\nUsage: npm run export',
    )
    expect((await run('export', ['--help'])).out).toContain('Usage: npm run export')
  })

  it('npm run export says that what it writes to is full, and exits with 2', async () => {
    const err = "Standard output can't be written: ENOSPC: no space left on device, write\n"
    expect(await run('export', [], '/dev/full')).toEqual({ code: 2, out: '', err })
  })

  it('npm run export refuses to put its file in the place of a folder or a pipe, before it reads the store', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const place of [folder, pipe]) {
      expect(await run('export', [place])).toEqual({
        code: 2,
        out: '',
        err: `${place} is no file, and an export replaces only a file\n`,
      })
    }
  })

  it('sheet.export-restores-it: npm run export writes the prices of a book as CSV, and npm run import takes them', async () => {
    const [file, again] = [join(folder, 'prices.csv'), join(folder, 'again.csv')]
    const options = ['--type', 'product-price', '--book', 'Über']
    writeFileSync(file, 'sku;EUR.amount;EUR.tier.6\nMUG;12,50;11,00\n')
    expect((await run('import', [...options, file])).code).toBe(0)
    const said = '1 prices, without the names of tiers and without attributes\n'
    expect(await run('export', [...options, file])).toEqual({ code: 0, out: '', err: said })
    expect(readFileSync(file, 'utf8')).toBe(
      '\ufeffsku,external_ref,EUR.amount,EUR.includes_tax,EUR.tier.6\r\nMUG,,12.50,false,11.00\r\n',
    )
    expect((await run('import', [...options, file])).code).toBe(0)
    await run('export', [...options, again])
    expect(readFileSync(again)).toEqual(readFileSync(file))
    expect(await run('export', ['--type', 'product-price', '--book', 'None', again])).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no price book None'),
    })
  })
  it('sheet.export-restores-it: npm run export writes the prices of a book as a workbook, and npm run import takes them and refuses a wrong one by its cell', async () => {
    const [file, bad] = [join(folder, 'prices.xlsx'), join(folder, 'bad.xlsx')]
    const options = ['--type', 'product-price', '--book', 'Über']
    expect((await run('export', [...options, file])).code).toBe(0)
    expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { code, out } = await run('import', [...options, file])
    expect([code, out]).toEqual([0, expect.stringMatching(/product-price +0 +0 +1 +0/)])
    expect(
      await run('import', [...options, '--refused', bad, join(projectRoot, 'test/import/libreoffice/errors.xlsx')]),
    ).toMatchObject({
      code: 1,
      err: expect.stringContaining('errors.xlsx B2: external_ref is the error of a formula'),
    })
    expect(readFileSync(bad).subarray(0, 2).toString()).toBe('PK')
  })
  it('sheet.export-counts-what-it-leaves-out: npm run export writes the products as CSV, and npm run import takes them', async () => {
    const [file, again] = [join(folder, 'products.csv'), join(folder, 'products-again.csv')]
    const lines = [
      '{"sku":"MUG","name":"Mug","extensions":{"products(care)":{"wash":"cold"}}}',
      '{"sku":"CUP","name":"Cup"}',
    ]
    const store = join(folder, 'products.jsonl')
    writeFileSync(store, lines.map((attributes) => `{"data":{"type":"product","attributes":${attributes}}}\n`).join(''))
    expect((await run('import', [store])).code).toBe(0)
    const said = '2 records of type product; left out: extensions of 1\n'
    expect(await run('export', ['--type', 'product', file])).toEqual({ code: 0, out: '', err: said })
    const { code, out } = await run('import', ['--type', 'product', file])
    expect([code, out]).toEqual([0, expect.stringMatching(/product +0 +0 +2 +0/)])
    await run('export', ['--type', 'product', again])
    expect(readFileSync(again)).toEqual(readFileSync(file))
  })
})
