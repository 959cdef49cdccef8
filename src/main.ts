/**
 * Entry point of the server: reads the configuration, opens the database, listens, and shuts down gracefully on SIGTERM
 * and SIGINT.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { type Config, loadConfig } from './config/config.ts'
import { createLogger } from './lib/log.ts'
import type { Database } from './persistence/database/database.ts'
import { startEmbedded } from './persistence/database/embedded.ts'
import type { StartupState } from './server/start.ts'
import { describeStartupError } from './server/startup-error.ts'

/**
 * Milliseconds of a stop, after the drain: requests in flight get the first, and the process exits after the second at
 * the latest.
 */
const FINISH_REQUESTS_MS = 7_000
const STOP_MS = 9_500

/**
 * V8 flag --heap-growing-percent: how far the heap may grow after a garbage collection. With V8's own factor of four,
 * 200 of the costliest operations at once need 780 to 1,270 MiB, with this figure up to 670 (`npm run soak --
 * overload`); with 60 some 50 MiB less, and a twentieth more processor time for pages that are not cached.
 */
const HEAP_GROWING_PERCENT = 70

async function start(config: Config): Promise<void> {
  const log = createLogger(config.logLevel)
  const state: StartupState = { log, database: null, app: null, deliverer: null, runner: null, stopping: false }
  // The handlers are installed before anything is opened that a shutdown must close.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => stop(state, signal, config.drainSeconds))
  const [database, { listen }] = await Promise.all([open(config, state), import('./server/start.ts')])
  try {
    await listen(config, database, state)
  } catch (error) {
    // A shutdown in the meantime closed what the start needed.
    if (state.stopping) return
    state.stopping = true
    await database.close()
    throw error
  }
}

/**
 * Opens the database. The embedded one starts in its own thread while this thread loads the persistence modules; each
 * takes about half.
 */
async function open(config: Config, state: StartupState): Promise<Database> {
  const embedded = config.databaseUrl === null ? startEmbedded(config.dataDir) : undefined
  const [started, { openDatabase }] = await Promise.all([embedded, import('./persistence/database/open-database.ts')])
  state.database = await openDatabase(config, state.log, started)
  return state.database
}

/** Ends the drain. */
const secondSignal = new AbortController()

async function stop(state: StartupState, signal: NodeJS.Signals, drainSeconds: number): Promise<void> {
  // A terminal and npm may both send the same signal.
  if (state.stopping) return secondSignal.abort()
  state.stopping = true
  const { log } = state
  log.info({ signal }, 'stopping')
  await drain(state, drainSeconds)
  const giveUp = () => {
    log.error({ milliseconds: STOP_MS }, 'the graceful shutdown takes too long')
    process.exit(1)
  }
  setTimeout(giveUp, STOP_MS).unref()
  try {
    await Promise.all([state.app?.stop(FINISH_REQUESTS_MS), state.deliverer?.stop(), state.runner?.stop()])
    // A database that is not open yet is left as it is: the exit unlocks its folder, and the next start creates or
    // opens it.
    await state.database?.close()
    log.info('stopped')
    process.exit(0)
  } catch (error) {
    log.error({ err: error }, 'the graceful shutdown failed')
    process.exit(1)
  }
}

/** Goes on for a while, not ready, until load balancers have noticed and send nothing more. */
async function drain({ app, log }: StartupState, seconds: number): Promise<void> {
  if (seconds === 0 || !app?.server.listening) return
  app.drain()
  log.info({ seconds }, 'draining: a second signal ends this')
  await pause(seconds * 1_000, undefined, { signal: secondSignal.signal }).catch(() => undefined)
}

setFlagsFromString(`--heap-growing-percent=${HEAP_GROWING_PERCENT}`)
try {
  await start(loadConfig(process.env))
} catch (error) {
  console.error(describeStartupError(error))
  process.exit(1)
}
