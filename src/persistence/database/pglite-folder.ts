/** Data folder of the embedded database, created from a template where there is one. */
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from '../../config/project-root.ts'
import { PgliteEngine } from './pglite-engine.ts'

/** An empty database made in advance (src/tools/template.mjs), which saves the three seconds of initdb. It is optional. */
const template = join(projectRoot, '.build/pglite-template')

/**
 * Creates an empty database in `folder` unless it exists. It is created under another name and renamed when complete, so that a crash
 * leaves no partial database.
 */
export async function ensureDatabaseFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(dirname(folder), { recursive: true })
  if (existsSync(template)) {
    cpSync(template, draft, { recursive: true })
  } else {
    const engine = new PgliteEngine(draft)
    await engine.start()
    await engine.stop()
  }
  renameSync(draft, folder)
}
