import { mkdirSync } from 'node:fs'

/** Makes the folder when it is missing and runs what uses its files; where the system refuses, the error says what to do about it. */
export function inDataDir<T>(folder: string, use: () => T): T {
  try {
    mkdirSync(folder, { recursive: true })
    return use()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    throw new Error(`DATA_DIR must be a folder that this process may write to, and ${folder} is not`, { cause: error })
  }
}
