// Build: bundles the sources, and those of the pages /explore, /sign-in and /docs, into .build/ when they have changed.
// A bundle instead of some hundred modules halves the time to the first response.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { prepare, readIfThere, root } from './prepare.mjs'

const builds = join(root, '.build')
/** Builds that are kept: a server that runs from an older one may still load parts of it. */
const BUILDS_MAX = 3
const require = createRequire(import.meta.url)

// The programs that run from a bundle, and the threads, which are loaded relative to the module that starts them.
const programs = [
  'src/main.ts',
  'src/import/main.ts',
  'src/export/main.ts',
  'src/auth/main.ts',
  'src/tools/database-template.ts',
]
/** The pages that are bundled, by their names. */
const pages = { explore: 'src/explore/main.tsx', 'sign-in': 'src/explore/sign-in.ts', docs: 'src/pages/docs.mjs' }
const threads = ['src/persistence/database/pglite-worker.mjs', 'src/persistence/catalog/name-order-worker.mjs']
const entries = [...programs, ...threads]

/** The name of an entry in .build/: `import-main` for `src/import/main.ts`; a thread keeps its name. */
const outputName = (entry) =>
  entry.endsWith('.mjs') ? basename(entry, '.mjs') : entry.slice('src/'.length, -'.ts'.length).replaceAll('/', '-')

/** A hash of every source file, the versions of the packages, and what the Prisma client was generated from. */
function stampOf(clientStamp) {
  const hash = createHash('sha256')
    .update(clientStamp)
    .update(readIfThere(join(root, 'package-lock.json')))
  const files = readdirSync(join(root, 'src'), { recursive: true }).filter(
    (file) => /\.(tsx?|mjs|json|html|css)$/.test(file) && !file.startsWith('generated'),
  )
  for (const file of files.sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, 'src', file)))
  return hash.digest('hex')
}

/**
 * Generates the Prisma client and bundles the programs unless that is done; returns the folder of the bundles. A build
 * is renamed when it is complete, so that no simultaneous start runs a part of it.
 */
export async function build() {
  const folder = join(builds, `program-${stampOf(prepare()).slice(0, 16)}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  await Promise.all([
    bundle(draft),
    ...Object.entries(pages).map(([name, entry]) => bundlePage(entry, join(draft, name))),
  ])
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
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
    entryPoints: entries
      .filter((entry) => existsSync(join(root, entry)))
      .map((entry) => ({ in: entry, out: outputName(entry) })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // graphql must be a single module, so its CommonJS and ESM forms must not both be bundled.
    mainFields: ['main', 'module'],
    // PGlite loads data files beside its own module; pg-native is an optional package of pg; GraphiQL is nine megabytes
    // of text that most servers never serve.
    external: ['@electric-sql/pglite', 'pg-native', '@graphql-yoga/render-graphiql/*'],
    banner: {
      js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
    },
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'error',
  })
}

/** Bundles a page for browsers: its script and its style. */
async function bundlePage(entry, folder) {
  const esbuild = require('esbuild')
  if (!existsSync(join(root, entry))) return
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [{ in: entry, out: 'main' }],
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error',
  })
}

/** Removes all but the newest builds; a simultaneous start may remove the same. */
function removeOld() {
  const made = readdirSync(builds).filter((name) => /^program-[0-9a-f]+$/.test(name))
  const age = (name) => statSync(join(builds, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const old = made.sort((left, right) => age(right) - age(left)).slice(BUILDS_MAX)
  for (const name of old) rmSync(join(builds, name), { recursive: true, force: true })
}

/** The path of an entry's bundle in a build. */
export const outputFile = (folder, entry) => join(folder, `${outputName(entry)}.mjs`)
