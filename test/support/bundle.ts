/**
 * Bundle of a run's tests: vitest imports some 700 modules of a test of the server one by one, which takes seconds;
 * esbuild makes one file of them and of all that they share, in a fraction of one. It evaluates a module when a test
 * first imports it, as before. Packages are imported from node_modules.
 */
import { readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { build, type Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { socketOf } from './database-address.ts'
import { shortLived } from './start-command.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const output = join(root, `.build/tests.${process.pid}.mjs`)

/** The test files in the bundle, and when it is complete, with the paths of its sources. */
let bundled: { readonly files: ReadonlySet<string>; readonly sources: Promise<string[]> } | undefined

/** Order of the test files. Those of a run are bundled, and their databases start, while the workers start. */
export class Bundling extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const names = sorted.map(({ moduleId }) => moduleId)
    bundled = { files: new Set(names), sources: bundle(names) }
    if (files.length <= SHORT_RUN) for (const flag of shortLived) setFlagsFromString(flag)
    const { databases } = this.ctx.getRootProject().getProvidedContext()
    bundled.sources.then(
      (sources) => {
        if (databases?.kind !== 'embedded' || !sources.includes('test/support/database.ts')) return
        wake(databases.folder, Math.min(files.length, this.ctx.config.maxWorkers))
      },
      // Each load of a test file reports it.
      () => {},
    )
    return sorted
  }
}

/** Files of a run that ends before optimized WebAssembly would pay. */
const SHORT_RUN = 4

/** Starts the databases of the first workers, which a connection does. */
function wake(folder: string, workers: number): void {
  for (let worker = 1; worker <= workers; worker++) {
    const socket = connect(socketOf(folder, worker), () => socket.end())
    socket.on('error', () => {})
  }
}

/** A plugin in whose place of a test file stands an import from the bundle; `Bundling` must order the files. */
export const bundleTests: Plugin = {
  name: 'bundle-tests',
  enforce: 'pre',
  // Node itself imports the bundle, so that its packages are those that Node finds.
  config: () => ({ test: { server: { deps: { external: [/\.build\/tests\./] } } } }),
  async load(id) {
    if (!bundled?.files.has(id)) return undefined
    await bundled.sources
    const code = `import { tests } from ${JSON.stringify(pathToFileURL(output).href)}\nawait tests[${JSON.stringify(id)}]()`
    return { code, map: { mappings: '' } }
  },
}

/** Bundles test files and returns the paths of all sources in the bundle. */
async function bundle(files: readonly string[]): Promise<string[]> {
  process.once('exit', () => {
    for (const file of [output, `${output}.map`]) rmSync(file, { force: true })
  })
  const imports = files.map((file) => `${JSON.stringify(file)}: () => import(${JSON.stringify(file)})`)
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: `export const tests = {\n${imports.join(',\n')}\n}`, resolveDir: root },
    outfile: output,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    plugins: [ownAddresses],
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    logLevel: 'error',
  })
  return Object.keys(metafile.inputs)
}

/** Keeps what modules know of their own place: in the bundle it would be that of the bundle. */
const ownAddresses: EsbuildPlugin = {
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|test)\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' }
    })
  },
}
