import { mkdirSync } from 'node:fs'

/**
 * Data folder: makes it if it is missing and runs `use`, which reads or writes its files. Throws an error that says what to do when the
 * system denies access.
 */
export function inDataDir<T>(folder: string, use: () => T): T {
  try {
    mkdirSync(folder, { recursive: true })
    return use()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new Error(`DATA_DIR must be a folder that this process may write to, and ${folder} is not`, { cause: error })
  }
}
