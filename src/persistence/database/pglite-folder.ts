import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from '../../config/project-root.ts'
import { PgliteEngine } from './pglite-engine.ts'

/** An empty database made ahead (src/tools/template.mjs), which saves initdb's three seconds. It need not be there. */
const template = join(projectRoot, '.build/pglite-template')

/**
 * Makes sure that `folder` holds a database, an empty one if there was none. It is made beside its place and moved there when complete, so
 * that a crash in between leaves nothing that could be taken for a database.
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
