// Template: makes an empty embedded database in .build/, which the first start and the tests copy: initdb takes three seconds, a copy a
// fifth of one. It is stamped with PGlite's version, and optional: without it the first start runs initdb.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, '.build/pglite-template')
const stampFile = `${folder}.stamp`

/** Makes the template unless there is one of the installed PGlite. */
export async function makeTemplate() {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8'))
  if (existsSync(folder) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === version) return
  const { PGlite } = await import(pathToFileURL(join(dirname(entry), 'index.js')).href)
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  const db = await PGlite.create({ dataDir: draft })
  await db.close()
  rmSync(folder, { recursive: true, force: true })
  renameSync(draft, folder)
  writeFileSync(stampFile, version)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeTemplate()
