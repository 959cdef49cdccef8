// The end-to-end tests that `npm run check` runs: those of what changed since the base. The base is where this branch
// left main, or on main the first parent of HEAD. Uncommitted and new files count.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** Files that affect every program. */
const EVERYWHERE = /^(package(-lock)?\.json|prisma\/|src\/(main|config\/.*)\.ts$|test\/vitest\.config\.ts)/

/** The base's name, the files changed since, and all end-to-end tests, each with the reason to run it or null. */
export async function endToEndTests(root) {
  const { base, changed } = changedFiles(root)
  const sources = await importedBy(root, endToEndFiles(root))
  const tests = [...sources].map(([file, imported]) => ({ file, reason: reasonToRun(file, imported, changed) }))
  return { base, changed, tests }
}

/**
 * Why an end-to-end test runs: the first changed file that affects every program, is imported by the test, or is in the
 * src folder that the test's folder mirrors. Tests of test/system mirror all of src. Null: it need not run.
 */
export function reasonToRun(file, imported, changed) {
  const mirrored = dirname(file)
    .replace(/^test\b/, 'src')
    .replace(/^src\/system$/, 'src')
  return changed.find((one) => EVERYWHERE.test(one) || imported.includes(one) || one.startsWith(`${mirrored}/`)) ?? null
}

/** All end-to-end tests below these files or folders. */
export function endToEndFiles(root, paths = ['test']) {
  const files = readdirSync(join(root, 'test'), { recursive: true }).map((file) => `test/${file}`)
  const chosen = paths.map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''))
  return files
    .filter((file) => file.endsWith('.e2e.ts') && chosen.some((path) => file === path || file.startsWith(`${path}/`)))
    .sort()
}

/** The sources that each file imports, directly or not, and itself. */
async function importedBy(root, files) {
  const { build } = require('esbuild')
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: files.map((file) => `import './${file}'`).join('\n'), resolveDir: root },
    write: false,
    metafile: true,
    bundle: true,
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  const reach = (file, found = new Set()) => {
    if (found.has(file)) return found
    found.add(file)
    for (const { path } of metafile.inputs[file]?.imports ?? []) reach(path, found)
    return found
  }
  return new Map(files.map((file) => [file, [...reach(file)]]))
}

function changedFiles(root) {
  const git = (...args) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter((line) => line !== '')
  const first = (...attempts) => {
    for (const args of attempts) {
      try {
        return git(...args)[0]
      } catch {
        // The next one.
      }
    }
    return undefined
  }
  const head = first(['rev-parse', 'HEAD'])
  const left = first(['merge-base', 'HEAD', 'origin/main'], ['merge-base', 'HEAD', 'main'])
  const base = left !== undefined && left !== head ? left : first(['rev-parse', '--verify', 'HEAD^1'])
  if (base === undefined) return { base: null, changed: git('ls-files') }
  return {
    base: base.slice(0, 8),
    changed: [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')],
  }
}
