/** The program: configuration, database, server, and a stop that loses nothing. */
import { setFlagsFromString } from 'node:v8'
import { type Config, loadConfig } from './config/config.ts'
import { createLogger, type Logger } from './lib/log.ts'
import type { Database } from './persistence/database/database.ts'
import { startEmbedded } from './persistence/database/embedded.ts'
import type { StartupState } from './server/start.ts'
import { describeStartupError } from './server/startup-error.ts'

/** A stop ends within ten seconds: requests get the most of it, the database the rest. */
const FINISH_REQUESTS_MS = 7_000
const STOP_MS = 9_500

/**
 * The heap grows by so many percent of what a collection left, instead of fourfold: 200 of the costliest operations at once, for 15 s, take
 * 440 to 590 MiB instead of 780 to 1,270 (`npm run soak -- overload`), and a page as long as before.
 */
const HEAP_GROWING_PERCENT = 60

async function start(config: Config): Promise<void> {
  const log = createLogger(config.logLevel)
  const state: StartupState = { log, database: null, app: null, stopping: false }
  // Before anything is opened that a stop must close.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(state, signal))
  state.database = open(config, log)
  const [database, { listen }] = await Promise.all([state.database, import('./server/start.ts')])
  try {
    await listen(config, database, state)
  } catch (error) {
    // A stop meanwhile has closed what this needed.
    if (state.stopping) return
    state.stopping = true
    await database.close()
    throw error
  }
}

/** The embedded database starts in its thread while this one loads the rest of the program: each takes about half of the start. */
async function open(config: Config, log: Logger): Promise<Database> {
  const embedded = config.databaseUrl === null ? startEmbedded(config.dataDir) : undefined
  const [started, { openDatabase }] = await Promise.all([embedded, import('./persistence/database/open-database.ts')])
  return openDatabase(config, log, started)
}

async function stop(state: StartupState, signal: NodeJS.Signals): Promise<void> {
  // A terminal and npm may both pass on the same signal.
  if (state.stopping) return
  state.stopping = true
  const { log } = state
  log.info({ signal }, 'stopping')
  setTimeout(() => process.exit(1), STOP_MS).unref()
  try {
    await state.app?.stop(FINISH_REQUESTS_MS)
    await (await state.database)?.close()
    log.info('stopped')
    process.exit(0)
  } catch (error) {
    log.error({ err: error }, 'could not stop in order')
    process.exit(1)
  }
}

setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`)
try {
  await start(loadConfig(process.env))
} catch (error) {
  console.error(describeStartupError(error))
  process.exit(1)
}
