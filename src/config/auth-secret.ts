import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inDataDir } from './data-dir.ts'

/**
 * Auth secret, which signs tokens outside production. It is made once and stored in `dataDir`, where only the owner may
 * read it (token.secret-made-once). Throws when the file is empty, or can't be read or written.
 */
export function storedAuthSecret(dataDir: string): string {
  const file = join(dataDir, 'auth-secret')
  return inDataDir(dataDir, () => read(file) ?? make(file))
}

/**
 * The secret is written to a file of its own and linked into place, so that processes that start together all use the
 * first secret.
 */
function make(file: string): string {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return read(file) ?? fail(file)
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function fail(file: string): never {
  throw new Error(`${file} holds no secret: remove it, and a new one is made`)
}
