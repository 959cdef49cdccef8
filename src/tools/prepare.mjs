// Preparation: generates the Prisma client, which a fresh clone lacks, from prisma/schema.prisma. A stamp of its
// sources is stored beside it, so that a call with nothing to do takes a few milliseconds. Plain JavaScript, since Node
// runs it before any build.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The absolute path of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(import.meta.url)
const client = join(root, 'src/generated/prisma')
const stampFile = join(root, 'src/generated/.stamp')

/** The text of a file; empty when there is none. */
export function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Generates the client when schema, configuration or Prisma's version has changed; returns its stamp. */
export function prepare() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (isOlder(process.version, engines.node))
    throw new Error(`Node ${engines.node} is needed, and this is ${process.version}.`)
  const cli = packageFile('prisma/build/index.js')
  const stamp = createHash('sha256')
    .update(readFileSync(join(root, 'prisma/schema.prisma')))
    .update(readFileSync(join(root, '.config/prisma.ts')))
    .update(readFileSync(require.resolve('prisma/package.json')))
    .digest('hex')
  if (readIfThere(stampFile) === stamp) return stamp

  generate(cli)
  writeFileSync(stampFile, stamp)
  return stamp
}

/**
 * Generates the client in a draft folder and moves it file by file, so that each file is always complete and no
 * simultaneous start reads or removes what another is writing.
 */
function generate(cli) {
  const draft = join(root, `.build/client.${process.pid}`)
  // The output path in the schema is relative to it.
  const schema = join(draft, 'prisma/schema.prisma')
  const made = join(draft, 'src/generated/prisma')
  try {
    cpSync(join(root, 'prisma/schema.prisma'), schema)
    const env = { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' }
    const run = spawnSync(process.execPath, [cli, 'generate', '--no-hints', '--schema', schema], {
      cwd: root,
      env,
      encoding: 'utf8',
    })
    if (run.status !== 0)
      throw new Error(`The Prisma client could not be generated.\n${run.stdout ?? ''}${run.stderr ?? ''}`)
    const files = filesIn(made)
    for (const file of files) {
      mkdirSync(dirname(join(client, file)), { recursive: true })
      renameSync(join(made, file), join(client, file))
    }
    for (const file of filesIn(client)) if (!files.includes(file)) rmSync(join(client, file), { force: true })
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Whether a version is older than the minimum of `range`, by the first two numbers of each. */
function isOlder(version, range) {
  const [major, minor = 0] = version.match(/\d+/g).map(Number)
  const [leastMajor, leastMinor = 0] = range.match(/\d+/g).map(Number)
  return major < leastMajor || (major === leastMajor && minor < leastMinor)
}

function packageFile(name) {
  try {
    return require.resolve(name)
  } catch (cause) {
    throw new Error('The packages are not installed: run npm ci first.', { cause })
  }
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare()
