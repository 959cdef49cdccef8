/** Embedded database: PGlite in a worker thread, with its data folder locked for this process. */
import { join } from 'node:path'
import { lockFolder } from './folder-lock.ts'
import { PgliteEngine } from './pglite-engine.ts'
import { ensureDatabaseFolder } from './pglite-folder.ts'

/** A running embedded database. */
export interface Embedded {
  readonly engine: PgliteEngine
  /** Waits for the running statement, stops the thread and unlocks the folder. */
  close(): Promise<void>
}

/**
 * Starts the database under `dataDir`, and creates it when there is none. Throws an error that names the process which
 * has it open.
 */
export async function startEmbedded(dataDir: string): Promise<Embedded> {
  const unlock = lockFolder(dataDir)
  const folder = join(dataDir, 'pglite')
  const engine = new PgliteEngine(folder)
  try {
    await ensureDatabaseFolder(folder)
    await engine.start()
  } catch (error) {
    unlock()
    throw new Error(`The embedded database in ${folder} could not be opened`, { cause: error })
  }
  return {
    engine,
    close: async () => {
      await engine.stop()
      unlock()
    },
  }
}
