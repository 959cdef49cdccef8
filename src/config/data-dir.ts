import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Data folder: creates it if it is missing, and runs `use`, which reads or writes its files. When the system denies
 * access, throws an error that says what to do.
 */
export function inDataDir<T>(folder: string, use: () => T): T {
  try {
    makeFolder(folder)
    return use()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new Error(`DATA_DIR must be a folder that this process may write to, and ${folder} is not`, { cause: error })
  }
}

/**
 * Makes a folder and those above it. Node's recursive mkdir never returns when the system reports that a parent is
 * missing (/proc).
 */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (error) {
    const parent = dirname(folder)
    if (!existsSync(parent)) {
      makeFolder(parent)
      makeFolder(folder)
    } else if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
