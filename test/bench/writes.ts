/** Writes and starts: prices one by one against a prepared insert, the import, and how long a process takes to its first answer. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../src/root.ts'
import { startCommand } from '../support/start-command.ts'
import { adminHeaders, production, startOurs } from './contenders/our-server.ts'
import { addressOf, made, openAt } from './data.ts'
import { ask } from './measure.ts'
import { startProcess } from './process.ts'
import { markdown, shown } from './report.ts'

const ONE_BY_ONE = 500
const IMPORTED = 100_000

const currencies = { USD: { amount: 1000, includes_tax: false }, EUR: { amount: 900, includes_tax: true } }

export async function measureWrites(name: string): Promise<string[]> {
  const inserted = await insertRaw(name)
  const added = await addOverRest(name)
  const imported = importPrices(name)
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-bench-'))
  const fresh = await startEmbedded(folder)
  const existing = await startEmbedded(folder)
  rmSync(folder, { recursive: true, force: true })
  const rows = [
    ['prices added one by one over REST', `${Math.round(added)}/s, ${shown(added / inserted)} of a prepared insert`, '0.5'],
    ['prices imported, the start of the process included', `${Math.round(imported)}/s`, '20,000/s'],
    ['first answer, fresh embedded database', `${shown(fresh)} s`, '5 s'],
    ['first answer, existing embedded database', `${shown(existing)} s`, '1.5 s'],
  ]
  return markdown(['', 'measured', 'goal'], rows)
}

const perSecond = (count: number, since: number): number => count / ((performance.now() - since) / 1000)

async function insertRaw(name: string): Promise<number> {
  const database = await openAt(name)
  const text =
    'INSERT INTO product_price (id, price_book_id, sku, currencies, created_at, updated_at) VALUES (gen_random_uuid(), $1, $2, $3, now(), now())'
  const insert = (sku: string) => database.pool.query({ name: 'insert', text, values: [made('book', 1), sku, currencies] })
  for (let count = 0; count < ONE_BY_ONE; count++) await insert(`RAW-WARM-${count}`)
  const begun = performance.now()
  for (let count = 0; count < ONE_BY_ONE; count++) await insert(`RAW-${count}`)
  const rate = perSecond(ONE_BY_ONE, begun)
  await database.close()
  return rate
}

async function addOverRest(name: string): Promise<number> {
  const running = await startOurs(addressOf(name))
  const headers = { ...(await adminHeaders(running)), 'content-type': 'application/json' }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const path = `${running.url}/pcm/pricebooks/${made('book', 1)}/prices`
  const add = async (sku: string): Promise<void> => {
    const sent = request(path, { method: 'POST', headers, agent })
    sent.end(JSON.stringify({ data: { type: 'product-price', attributes: { sku, currencies } } }))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = Buffer.concat(await response.toArray()).toString()
    if (response.statusCode !== 201) throw new Error(text)
  }
  for (let count = 0; count < ONE_BY_ONE; count++) await add(`WARM-${count}`)
  const begun = performance.now()
  for (let count = 0; count < ONE_BY_ONE; count++) await add(`REST-${count}`)
  const rate = perSecond(ONE_BY_ONE, begun)
  agent.destroy()
  await running.stop()
  return rate
}

function importPrices(name: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-bench-'))
  const file = join(folder, 'prices.jsonl')
  const book = { data: { type: 'pricebook', attributes: { name: 'Imported', external_ref: 'imported' } } }
  const lines = Array.from({ length: IMPORTED }, (_, index) =>
    JSON.stringify({
      data: { type: 'product-price', attributes: { sku: `IMP-${index}`, currencies }, pricebook_external_ref: 'imported' },
    }),
  )
  writeFileSync(file, [JSON.stringify(book), ...lines].join('\n'))
  const begun = performance.now()
  execFileSync(process.execPath, ['src/tools/run.mjs', 'import/main', file], {
    cwd: projectRoot,
    env: { ...process.env, ...production, DATABASE_URL: addressOf(name) },
    stdio: 'ignore',
  })
  const rate = perSecond(IMPORTED, begun)
  rmSync(folder, { recursive: true, force: true })
  return rate
}

/** Seconds from the start of the process to its first answer. */
async function startEmbedded(folder: string): Promise<number> {
  const env = { ...production, DATABASE_URL: '', DATA_DIR: folder }
  const running = await startProcess(startCommand(), env)
  const { milliseconds } = await ask(running.url, { method: 'GET', path: '/ready', headers: {} })
  await running.stop()
  return running.startedIn + milliseconds / 1000
}
