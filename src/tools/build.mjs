// Bundles the sources into .build/ when they changed since the last time. One file instead of some hundred modules of packages halves the
// time to the first answer.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { prepare, readIfThere, root } from './prepare.mjs'

const builds = join(root, '.build')
/** How many builds stay: a server that runs from an older one may still have to load a part of it. */
const BUILDS_KEPT = 3
const require = createRequire(import.meta.url)

// The programs that run from a bundle, and the worker which PGlite runs in (its address is taken relative to the module that starts it).
const entries = ['src/main.ts', 'src/import/main.ts', 'src/persistence/database/pglite-worker.mjs']

/** The name of an entry in .build/: `src/import/main.ts` is `import-main`, the worker keeps its own. */
const outputName = (entry) => (entry.endsWith('.mjs') ? 'pglite-worker' : entry.slice('src/'.length, -'.ts'.length).replaceAll('/', '-'))

/** Every source file in a fixed order, with its content, the versions of the packages, and what the client was generated from. */
function stampOf(clientStamp) {
  const hash = createHash('sha256')
    .update(clientStamp)
    .update(readIfThere(join(root, 'package-lock.json')))
  const files = readdirSync(join(root, 'src'), { recursive: true }).filter(
    (file) => /\.(ts|mjs|json|html)$/.test(file) && !file.startsWith('generated'),
  )
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, 'src', file)))
  return hash.digest('hex')
}

/**
 * Generates the client and bundles the programs, as far as either is not done yet; answers the folder of the bundles. A build appears
 * under its own name at once or not at all, so that of several starts at one time none runs what another has half written.
 */
export async function build() {
  const folder = join(builds, `program-${stampOf(prepare()).slice(0, 16)}`)
  if (existsSync(folder)) return folder
  const making = `${folder}.${process.pid}`
  await bundle(making)
  try {
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  removeOld()
  return folder
}

async function bundle(folder) {
  const esbuild = require('esbuild')
  mkdirSync(folder, { recursive: true })
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: entries.filter((entry) => existsSync(join(root, entry))).map((entry) => ({ in: entry, out: outputName(entry) })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // graphql must be one module however it is imported, so its CommonJS and its ESM form may not both come in.
    mainFields: ['main', 'module'],
    // PGlite finds its data files beside its own module; pg-native is an optional package that pg asks for; GraphiQL is nine megabytes of
    // text that most servers never show.
    external: ['@electric-sql/pglite', 'pg-native', '@graphql-yoga/render-graphiql/*'],
    banner: { js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);" },
    sourcemap: 'linked',
    legalComments: 'none',
    logLevel: 'error',
  })
}

/** All but the newest builds. Another start may be removing the same. */
function removeOld() {
  const made = readdirSync(builds).filter((name) => /^program-[0-9a-f]+$/.test(name))
  const age = (name) => statSync(join(builds, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const old = made.sort((left, right) => age(right) - age(left)).slice(BUILDS_KEPT)
  for (const name of old) rmSync(join(builds, name), { recursive: true, force: true })
}

/** Where the bundle of an entry lies in a build. */
export const outputFile = (folder, entry) => join(folder, `${outputName(entry)}.mjs`)
