/**
 * What imports of 100,000 prices take, as JSON lines, CSV and XLSX, each of which changes every price; and how many
 * pages a server answers while it imports them, of those before.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '../../src/config/project-root.ts'
import { startCommand } from '../support/start-command.ts'
import { ourGraphql } from './contenders/our-graphql.ts'
import { adminHeaders, startOurs } from './contenders/our-server.ts'
import { addressOf, openAt, PRODUCTS } from './data.ts'
import { driveOnce, type LoadResult } from './load.ts'
import { allPages } from './pages.ts'
import type { Running } from './process.ts'
import { markdown, shown } from './report.ts'
import { sender } from './running-the-shop.ts'

const SHEET = ['--type', 'product-price', '--book', 'Retail']
const CONNECTIONS = 10
const WARM_SECONDS = 10
/** Short enough to end while a file is imported. */
const LOAD_SECONDS = 4

interface Ran {
  readonly seconds: number
  /** The most memory that the program had resident, in megabytes. */
  readonly memory: number
}

/** Runs `npm run import` or `export` to its end. */
async function run(script: 'import' | 'export', options: readonly string[], databaseUrl: string): Promise<Ran> {
  const [node, ...flags] = startCommand(script)
  const begun = performance.now()
  const child = spawn(node, [...flags, ...options], {
    cwd: projectRoot,
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let memory = 0
  const sampling = setInterval(() => {
    memory = Math.max(memory, highWater(child.pid ?? 0))
  }, 50)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(sampling)
  if (code !== 0) throw new Error(`${script} ${options.join(' ')} ended with ${code}`)
  return { seconds: (performance.now() - begun) / 1000, memory }
}

/** Megabytes; 0 once the process has ended. */
function highWater(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** The prices among the lines of an export. */
async function pricesIn(file: string, to: string): Promise<void> {
  const output = createWriteStream(to)
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (line.includes('"type":"product-price"')) output.write(`${line}\n`)
  }
  output.end()
  await once(output, 'close')
}

export async function measureImports(name: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-bench-imports-'))
  const at = (file: string): string => join(folder, file)
  const url = addressOf(name)
  const database = await openAt(name)
  /** So that an import of what was exported changes every price. */
  const change = () =>
    database.pool.query(
      `UPDATE product_price SET currencies = jsonb_set(currencies, '{USD,amount}', '1'), updated_at = now()`,
    )
  try {
    await run('export', [at('prices.csv'), ...SHEET], url)
    await run('export', [at('prices.xlsx'), ...SHEET], url)
    await run('export', [at('all.jsonl')], url)
    await pricesIn(at('all.jsonl'), at('prices.jsonl'))
    const imported: Ran[] = []
    for (const options of [[at('prices.jsonl')], [at('prices.csv'), ...SHEET], [at('prices.xlsx'), ...SHEET]]) {
      await change()
      imported.push(await run('import', options, url))
    }
    const [lines, csv, workbook] = imported as [Ran, Ran, Ran]
    const of = ({ seconds, memory }: Ran): string =>
      `${shown(seconds)} s, ${shown(PRODUCTS / seconds)} a second, ${shown(memory)} MB`
    await change()
    const [calm, busy] = await pagesBesideImport(url, at('prices.csv'))
    return [
      'Imports of 100,000 prices with a sale each, their start included; every price changes.',
      '',
      ...markdown(
        ['', 'measured', 'goal'],
        [
          ['JSON lines', of(lines), ''],
          ['CSV', `${of(csv)}, ${shown(lines.seconds / csv.seconds)} of their rate`, '0.8'],
          ['XLSX', of(workbook), '60 s, 600 MB'],
          [
            'spread pages while the server imports the CSV',
            `${shown(busy.perSecond)} of ${shown(calm.perSecond)} a second, ${shown(busy.perSecond / calm.perSecond)}; p99 ${shown(busy.p99)} ms, ${shown(calm.p99)} before`,
            '0.8',
          ],
        ],
      ),
    ]
  } finally {
    await database.close()
    rmSync(folder, { recursive: true })
  }
}

/** Pages before an import and during it. */
async function pagesBesideImport(databaseUrl: string, file: string): Promise<[LoadResult, LoadResult]> {
  const running = await startOurs(databaseUrl)
  try {
    const requests = allPages().map((page) => ourGraphql.request(page))
    const load = { url: running.url, connections: CONNECTIONS, requests }
    await driveOnce({ ...load, seconds: WARM_SECONDS })
    const calm = await driveOnce({ ...load, seconds: LOAD_SECONDS })
    const state = await begin(running, file)
    const busy = await driveOnce({ ...load, seconds: LOAD_SECONDS })
    if ((await state()) !== 'RUNNING') throw new Error(`the import was ${await state()} before the load ended`)
    while ((await state()) === 'RUNNING') await sleep(100)
    if ((await state()) !== 'DONE') throw new Error(`the import ended as ${await state()}`)
    return [calm, busy]
  } finally {
    await running.stop()
  }
}

/** Sends a file and starts its import; tells its state. */
async function begin(running: Running, file: string): Promise<() => Promise<string>> {
  const response = await fetch(`${running.url}/imports?type=product-price&book=Retail`, {
    method: 'POST',
    headers: { ...(await adminHeaders(running)), 'content-type': 'text/csv' },
    body: readFileSync(file),
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`the file was answered ${response.status}: ${text}`)
  const { id } = (JSON.parse(text) as { data: { id: string } }).data
  const send = await sender(running)
  await send(`mutation { startImport(input: { id: "${id}" }) { userErrors { message } } }`)
  return async () => {
    const { data } = await send(`{ importJob(id: "${id}") { state } }`)
    return (data as unknown as { importJob: { state: string } }).importJob.state
  }
}
