/** Import command: `npm run import -- [options] FILE...` (import.exit-code-and-counts).
 *
 *  It exits with 0 when all objects were taken, 1 when an object was refused, 2 when it could not run. */
import { setFlagsFromString } from 'node:v8'
import { loadConfig } from '../config/config.ts'
import { setStoreTimeZone } from '../domain/input/instant.ts'
import { createLogger } from '../lib/log.ts'
import { ReleaseCache } from '../persistence/catalog/release-cache.ts'
import { migrate } from '../persistence/database/migrate.ts'
import { openDatabase } from '../persistence/database/open-database.ts'
import type { Services } from '../request/context.ts'
import { runCommand } from '../server/run-command.ts'
import { type ImportArguments, readArguments, usage } from './arguments.ts'
import { importFiles, sizesOf } from './files.ts'
import type { Counts } from './outcome.ts'
import { Progress, summary } from './report.ts'
import type { LeftOut } from './systems/left-out.ts'
import { describeIgnored, type IgnoredCounts } from './unknown.ts'

// What a batch holds grows old before it is written. By default the heap grows to four times what is in use before old
// garbage is collected; so it grows to twice that.
setFlagsFromString('--heap-growing-percent=100')

async function run(args: ImportArguments): Promise<boolean> {
  // Missing files are reported before anything is written.
  const sizes = await sizesOf(args)
  const config = loadConfig(process.env)
  setStoreTimeZone(config.storeTimeZone)
  const log = createLogger('silent')
  const database = await openDatabase(config, log)
  const progress = new Progress(process.stderr)
  let hasObjects = false
  const onEnd = (counts: Counts, isStored: boolean, ignored: IgnoredCounts, leftOut: LeftOut): void => {
    progress.clear()
    hasObjects = counts.size > 0
    // Objects that were written before a failure stay, so they are reported.
    if (hasObjects) console.log(summary(counts))
    const ignoredText = describeIgnored(ignored)
    if (ignoredText !== undefined) console.error(ignoredText)
    const leftOutText = leftOut.describe()
    if (leftOutText !== undefined) console.error(leftOutText)
    if (!isStored) console.error(args.dryRun ? 'Dry run: nothing was stored' : 'Nothing was stored')
  }
  try {
    await migrate(database.pool)
    const services: Services = {
      config,
      database,
      releases: new ReleaseCache(database, { storeLanguage: config.storeLanguage }),
      log,
    }
    const allTaken = await importFiles(services, args, { sizes, progress, onEnd })
    if (!hasObjects) console.error('There are no objects in these files')
    return allTaken
  } finally {
    await database.close()
  }
}

await runCommand(readArguments(process.argv.slice(2)), usage, run)
