import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../src/config/project-root.ts'

interface Package {
  readonly version?: string
  readonly optionalDependencies?: Record<string, string>
}

const read = (file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8'))

/** The project's own package, and those of clients and a storefront which only tests use. */
const folders = ['.', 'test/clients', 'test/browser/storefront']

it.each(folders)(
  'the lockfile of %s lists every package of other platforms, without which npm ci refuses it',
  (folder) => {
    const packages = read(`${folder}/package-lock.json`).packages as Record<string, Package>
    const listed = new Set(
      Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)),
    )
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
    expect(wanted.filter((name) => !listed.has(name))).toEqual([])
  },
)

it.each(folders)('the lockfile of %s names no host', (folder) => {
  expect(readFileSync(join(projectRoot, folder, 'package-lock.json'), 'utf8')).not.toContain('"resolved"')
})

it.each(folders)('every version of a dependency of %s is pinned', (folder) => {
  const { dependencies, devDependencies, overrides } = read(`${folder}/package.json`) as Record<
    string,
    Record<string, string>
  >
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...overrides })
  expect(versions.filter(([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version))).toEqual([])
})

/** The packages that the source imports, the generated Prisma client and the plain JavaScript of the tools among it. */
function importedPackages(): Set<string> {
  const folder = join(projectRoot, 'src')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(tsx?|mjs)$/.test(file))
  const specifier =
    /(?:\bfrom|\bimport|\bimport\(|\brequire\(|\brequire\.resolve\()\s*['"]((?:@[\w.-]+\/)?\w[\w.:-]*)[\w./-]*['"]/g
  return new Set(
    files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(specifier)].map((match) => match[1] ?? ''),
    ),
  )
}

it('the source imports every package that the order of the project names', () => {
  const { dependencies } = read('package.json') as Record<string, Record<string, string>>
  const named = ['graphql-yoga', '@pothos/core', '@pothos/plugin-relay', '@prisma/client', 'dataloader']
  const imported = importedPackages()
  expect(named.filter((name) => !imported.has(name) || !dependencies?.[name])).toEqual([])
})

it('every dependency is imported by the source, none by tests alone', () => {
  const imported = importedPackages()
  expect(Object.keys(read('package.json').dependencies).filter((name) => !imported.has(name))).toEqual([])
})

it('the source imports no package that is a dependency of development, or of another package alone', () => {
  const { dependencies } = read('package.json')
  // Tools that write migrations and types or compare schemas are run by developers; of gql.tada the page /explore
  // imports types alone.
  const migrations = ['pglite-prisma-adapter', '@prisma/schema-engine-wasm', '@prisma/driver-adapter-utils']
  const tools = [...migrations, '@graphql-inspector/core', 'gql.tada']
  const foreign = [...importedPackages()].filter(
    (name) => !name.startsWith('node:') && !(name in dependencies) && !tools.includes(name),
  )
  expect(foreign).toEqual([])
})

it('src/README.md says in one line what each dependency is for, and lists no other', () => {
  const { dependencies, devDependencies } = read('package.json') as Record<string, Record<string, string>>
  const [, section = ''] = readFileSync(join(projectRoot, 'src/README.md'), 'utf8').split(/^## Dependencies$/m)
  const listed = [...section.matchAll(/^\| `([^`]+)` \| .+ \|$/gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort())
})
