/**
 * Writes and starts: prices one by one against a prepared insert, the import, and how long a process takes to its first
 * answer.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../src/config/project-root.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { startCommand } from '../support/start-command.ts'
import { calmly } from './calm.ts'
import { adminHeaders, production, startOurs } from './contenders/our-server.ts'
import { addressOf, made, openAt } from './data.ts'
import { ask } from './measure.ts'
import { type Running, startProcess } from './process.ts'
import { markdown, shown } from './report.ts'

/**
 * In turns, since the machine is not equally fast all the time, after both ways were gone so often that their code is
 * compiled.
 */
const ONE_BY_ONE = { warm: 3_000, turns: 4, each: 500 }
const IMPORTED = 100_000

const currencies = { USD: { amount: 1000, includes_tax: false }, EUR: { amount: 900, includes_tax: true } }

export async function measureWrites(name: string): Promise<string[]> {
  const { inserted, added } = await addOneByOne(name)
  const imported = importPrices(name)
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-bench-'))
  const fresh = await startEmbedded(folder)
  const existing = await calmly(() => startEmbedded(folder))
  rmSync(folder, { recursive: true, force: true })
  const rows = [
    [
      'prices added one by one over REST',
      `${Math.round(added)}/s, ${shown(added / inserted)} of a prepared insert`,
      '0.5',
    ],
    ['prices imported, the start of the process included', `${Math.round(imported)}/s`, '20,000/s'],
    ['first answer, fresh embedded database', `${shown(fresh)} s`, '5 s'],
    ['first answer, existing embedded database', `${shown(existing)} s`, '1.5 s'],
  ]
  return markdown(['', 'measured', 'goal'], rows)
}

/** Prices a second, by a prepared insert and over REST, one after another on one connection. */
async function addOneByOne(name: string): Promise<{ inserted: number; added: number }> {
  const database = await openAt(name)
  const running = await startOurs(addressOf(name))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ways = [inserting(database), adding(running, await adminHeaders(running), agent)]
  let number = 0
  const times = async (each: number): Promise<number[]> => {
    const taken: number[] = []
    for (const add of ways) {
      const begun = performance.now()
      for (let count = 0; count < each; count++) await add(`ADD-${number++}`)
      taken.push(performance.now() - begun)
    }
    return taken
  }
  await times(ONE_BY_ONE.warm)
  const turns: number[][] = []
  for (let turn = 0; turn < ONE_BY_ONE.turns; turn++) turns.push(await calmly(() => times(ONE_BY_ONE.each)))
  agent.destroy()
  await running.stop()
  await database.close()
  const rateOf = (way: number): number =>
    (ONE_BY_ONE.turns * ONE_BY_ONE.each * 1000) / turns.reduce((sum, taken) => sum + (taken[way] ?? 0), 0)
  return { inserted: rateOf(0), added: rateOf(1) }
}

type Add = (sku: string) => Promise<unknown>

function inserting({ pool }: Database): Add {
  const text =
    'INSERT INTO product_price (id, price_book_id, sku, currencies, created_at, updated_at) VALUES (gen_random_uuid(), $1, $2, $3, now(), now())'
  return (sku) => pool.query({ name: 'insert', text, values: [made('book', 1), sku, currencies] })
}

function adding({ url }: Running, admin: Record<string, string>, agent: Agent): Add {
  const headers = { ...admin, 'content-type': 'application/json' }
  const path = `${url}/pcm/pricebooks/${made('book', 1)}/prices`
  return async (sku) => {
    const sent = request(path, { method: 'POST', headers, agent })
    sent.end(JSON.stringify({ data: { type: 'product-price', attributes: { sku, currencies } } }))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = Buffer.concat(await response.toArray()).toString()
    if (response.statusCode !== 201) throw new Error(text)
  }
}

function importPrices(name: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-bench-'))
  const file = join(folder, 'prices.jsonl')
  const book = { data: { type: 'pricebook', attributes: { name: 'Imported', external_ref: 'imported' } } }
  const lines = Array.from({ length: IMPORTED }, (_, index) =>
    JSON.stringify({
      data: {
        type: 'product-price',
        attributes: { sku: `IMP-${index}`, currencies },
        pricebook_external_ref: 'imported',
      },
    }),
  )
  writeFileSync(file, [JSON.stringify(book), ...lines].join('\n'))
  const begun = performance.now()
  const [node, ...command] = startCommand('import')
  execFileSync(node, [...command, file], {
    cwd: projectRoot,
    env: { ...process.env, ...production, DATABASE_URL: addressOf(name) },
    stdio: 'ignore',
  })
  const rate = IMPORTED / ((performance.now() - begun) / 1000)
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
