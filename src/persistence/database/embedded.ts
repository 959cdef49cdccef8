import { join } from 'node:path'
import { lockFolder } from './folder-lock.ts'
import { type Engine, PgliteEngine } from './pglite-engine.ts'
import { ensureDatabaseFolder } from './pglite-folder.ts'

/** The embedded database, which runs in a thread of its own. */
export interface Embedded {
  readonly engine: Engine
  /** Lets the running statement end, and the folder go. */
  close(): Promise<void>
}

/** Starts the database under `dataDir`; it is made when there is none, and refused with the name of the process that has it open. */
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
