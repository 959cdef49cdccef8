/** Import command: `npm run import -- [--on-error stop|skip] FILE...` (import.exit-code-and-counts).
 *
 *  It exits with 0 when all objects were taken, 1 when an object was refused, 2 when it could not run. */
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { loadConfig } from '../config/config.ts'
import { createLogger } from '../lib/log.ts'
import { ReleaseCache } from '../persistence/catalog/release-cache.ts'
import { migrate } from '../persistence/database/migrate.ts'
import { openDatabase } from '../persistence/database/open-database.ts'
import { refreshStatistics } from '../persistence/demo-state.ts'
import type { Services } from '../request/context.ts'
import { describeStartupError } from '../server/startup-error.ts'
import { type ImportArguments, readArguments, usage } from './arguments.ts'
import { Progress, summary } from './report.ts'
import { type Counts, importObjects } from './run.ts'
import { readObjects } from './source.ts'

async function run({ files, onError }: ImportArguments): Promise<boolean> {
  // Missing files are reported before anything is written.
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const config = loadConfig(process.env)
  const log = createLogger('silent')
  const database = await openDatabase(config, log)
  const counts: Counts = new Map()
  const progress = new Progress(process.stderr)
  try {
    await migrate(database.pool)
    const services: Services = { config, database, releases: new ReleaseCache(database), log }
    let allTaken = true
    for (const [index, file] of files.entries()) {
      let read = 0
      const onRead = (bytes: number): void => {
        read = bytes
        progress.show(basename(file), read / (sizes[index] || 1), countObjects(counts))
      }
      const onRefused = (line: number, problems: readonly string[]): void => {
        for (const problem of problems) progress.line(`${file}:${line}: ${problem}`)
      }
      allTaken = (await importObjects(services, readObjects(file, onRead), counts, { onError, onRefused })) && allTaken
      if (!allTaken && onError === 'stop') break
    }
    await refreshStatistics(database, countWritten(counts))
    return allTaken
  } finally {
    progress.clear()
    // Objects that were written before a failure stay, so they are reported.
    if (counts.size > 0) console.log(summary(counts))
    await database.close()
  }
}

function countWritten(counts: Counts): number {
  return [...counts.values()].reduce((sum, { created, updated }) => sum + created + updated, 0)
}

function countObjects(counts: Counts): number {
  let all = 0
  for (const { created, updated, unchanged, refused } of counts.values()) all += created + updated + unchanged + refused
  return all
}

const args = readArguments(process.argv.slice(2))
if (typeof args === 'string') {
  console.error(`${args}\n\n${usage}`)
  process.exitCode = 2
} else {
  try {
    process.exitCode = (await run(args)) ? 0 : 1
  } catch (error) {
    console.error(describeStartupError(error))
    process.exitCode = 2
  }
}
