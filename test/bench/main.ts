/**
 * `npm run bench`: builds the data in a database of its own, measures every contender, prints one table and writes the
 * chart. `--quick` takes about six minutes. `storefront` measures the storefront's listings alone, `shop` drafts,
 * differences, campaigns and what the change log costs, `explore` how soon that page can be used, in Chromium. Needs a
 * PostgreSQL server at DATABASE_URL (default: 127.0.0.1:5432, user postgres).
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgreedPage } from './agreed.ts'
import { stolenTimeReport } from './calm.ts'
import { measureCarries } from './carries.ts'
import { measureChangeLog } from './change-log.ts'
import { chart } from './chart.ts'
import { type Contender, contenders } from './contenders.ts'
import { addressOf, buildDatabase, dropDatabase, openAt, PRODUCTS, publish } from './data.ts'
import { measureDepth } from './depth.ts'
import { measureExplore } from './explore.ts'
import { measureImports } from './imports.ts'
import { drive, type LoadResult } from './load.ts'
import {
  ask,
  connectionCounts,
  type Entrant,
  enter,
  type Measured,
  measureInTurns,
  warm,
  warmClient,
} from './measure.ts'
import { hotPage } from './pages.ts'
import { script, startProcess } from './process.ts'
import { measurePublishing } from './publishing.ts'
import { goalLines, machineLines, tableLines, type Wire } from './report.ts'
import { measureRunningTheShop } from './running-the-shop.ts'
import { measureScale } from './scale.ts'
import { measureSteps } from './steps.ts'
import { measureOwn } from './storefront/own.ts'
import { measureVersus } from './storefront/versus.ts'
import { measureWrites } from './writes.ts'

const NAME = `commerce_graph_bench_${process.pid}`
const quick = process.argv.includes('--quick')
const storefrontAlone = process.argv.includes('storefront')
const shopAlone = process.argv.includes('shop')
const exploreAlone = process.argv.includes('explore')
const seconds = quick ? 2 : 8
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-bench-'))

const print = (lines: readonly string[]): void => console.log(['', ...lines].join('\n'))

/** The bytes of a contender's page from memory. */
async function measureWire(contender: Contender): Promise<Wire> {
  const running = await contender.start(addressOf(NAME))
  if (!running) throw new Error(`${contender.name} did not start`)
  const file = join(folder, 'body')
  writeFileSync(file, (await ask(running.url, contender.request(hotPage))).text)
  await running.stop()
  const wire = await startProcess(script('contenders/wire-server.ts'), { BODY_FILE: file })
  const results: Record<number, LoadResult> = {}
  const load = { url: wire.url, requests: [contender.request(hotPage)] }
  await warm(load, seconds)
  for (const connections of connectionCounts) results[connections] = await drive({ ...load, connections, seconds })
  await wire.stop()
  return { of: contender.name, results }
}

/** All of them run at once, so that they are driven in turns; those without a load wait. */
async function measureContenders(): Promise<Measured[]> {
  const references: AgreedPage[] = []
  const entrants: Entrant[] = []
  try {
    for (const contender of contenders) {
      const entrant = await enter(contender, addressOf(NAME), references)
      if (entrant) entrants.push(entrant)
    }
    console.log(`Measuring ${entrants.map(({ contender }) => contender.name).join(', ')} in turns ...`)
    return await measureInTurns(
      entrants,
      quick ? { turns: 3, seconds: 2, warmUp: 6 } : { turns: 5, seconds: 3, warmUp: 10 },
    )
  } finally {
    for (const { running } of entrants) await running.stop()
  }
}

async function measureStorefront(): Promise<void> {
  await warmClient()
  print(await measureVersus(NAME, seconds / 2))
  print(await measureOwn(NAME, seconds / 2))
}

async function measureShop(): Promise<void> {
  console.log(`Building ${PRODUCTS} products in ${NAME} ...`)
  await buildDatabase(NAME)
  const database = await openAt(NAME)
  await publish(database)
  await database.close()
  print(await measureRunningTheShop(NAME))
  print(await measureCarries(NAME))
  print(await measureImports(NAME))
  print(await measureChangeLog(NAME))
  print([stolenTimeReport()])
}

async function measurePage(): Promise<void> {
  print(await measureExplore())
}

async function measureAll(): Promise<void> {
  console.log(`Building ${PRODUCTS} products in ${NAME} ...`)
  await buildDatabase(NAME)
  print(await measurePublishing(NAME))
  await warmClient()
  const measured = await measureContenders()
  const wires: Wire[] = []
  for (const contender of contenders.filter(({ name }) => name.startsWith('ours')))
    wires.push(await measureWire(contender))
  print(tableLines(measured))
  print(goalLines(measured, wires))
  const file = quick ? join(folder, 'chart.svg') : fileURLToPath(new URL('./chart.svg', import.meta.url))
  writeFileSync(file, chart(measured))
  print([`The chart is ${file}`])
  if (!quick) {
    print(await measureSteps(NAME, seconds))
    print(await measureDepth(NAME, seconds))
    print(await measureRunningTheShop(NAME))
    print(await measureCarries(NAME))
    print(await measureImports(NAME))
    print(await measureChangeLog(NAME))
    print(await measureWrites(NAME))
    print(await measureScale(NAME))
    await measureStorefront()
  }
  print([stolenTimeReport()])
}

try {
  const database = await openAt('postgres')
  const { rows } = await database.pool.query<{ version: string }>(
    "SELECT 'PostgreSQL ' || current_setting('server_version') AS version",
  )
  await database.close()
  print(machineLines(rows[0]?.version ?? ''))
  await (exploreAlone
    ? measurePage()
    : shopAlone
      ? measureShop()
      : storefrontAlone
        ? measureStorefront()
        : measureAll())
} finally {
  await dropDatabase(NAME)
}
