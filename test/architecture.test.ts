import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../src/config/project-root.ts'

const sourceRoot = join(projectRoot, 'src')
const files = readdirSync(sourceRoot, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.startsWith('generated/'))

/** Layers, lowest first: a layer imports only those before it. src/README.md says what each owns. */
const layers = [
  ...[
    'generated',
    'explore',
    'lib',
    'config',
    'domain',
    'auth',
    'response-cache',
    'persistence',
    'request',
    'operations',
  ],
  ...['import', 'export', 'demo', 'pages', 'graphql', 'rest', 'server', 'tools'],
]
/** The edges beside each other: none of them imports another. */
const besideEachOther = [
  ['graphql', 'rest'],
  ['graphql', 'import'],
  ['graphql', 'export'],
]
/** The programs, which start everything. */
const programs = ['main.ts', 'import/main.ts', 'export/main.ts', 'auth/main.ts']

/** Areas, the same in each layer, lowest first; before them what all areas of the layer share. */
const areas = ['pricing', 'products', 'catalog', 'subscriptions', 'changes', 'imports']
const shared: Readonly<Record<string, readonly string[]>> = {
  domain: ['input', 'language'],
  persistence: ['database', 'loading'],
  graphql: ['schema'],
  rest: ['http'],
}

/**
 * Of persistence the edges know the failures that they translate, and types; everything else goes through operations
 * and loaders.
 */
const edgesMayImport = ['persistence/database/failures.ts']

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join(sourceRoot, file), 'utf8')
  const named = [...text.matchAll(/^(?:import|export)\s(type\s)?[^'";]*?from\s+'(\.[^']+)'/gms)]
  const bare = [...text.matchAll(/^import\s+'(\.[^']+)'/gm)].map(([, path]) => [undefined, undefined, path])
  return [...named, ...bare].map(([, type, path = '']) => ({
    from: file,
    to: relative(sourceRoot, resolve(dirname(join(sourceRoot, file)), path)),
    typeOnly: type !== undefined,
  }))
})

const describeImport = ({ from, to }: Import): string => `${from} -> ${to}`
const layerOf = (file: string): string => file.split('/')[0] ?? ''
const areaOf = (file: string): string => (file.split('/').length > 2 ? (file.split('/')[1] ?? '') : '')

/** Files that can be reached from themselves, each circle once. */
function circlesOf(edges: readonly Import[]): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const circles: string[] = []
  const visit = (file: string, trail: readonly string[]): void => {
    if (state.get(file) === 'open') circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
    if (state.has(file)) return
    state.set(file, 'open')
    for (const { to } of edges.filter(({ from }) => from === file)) visit(to, [...trail, file])
    state.set(file, 'done')
  }
  for (const file of files) visit(file, [])
  return circles
}

describe('architecture', () => {
  it('src contains main.ts, README.md, DECISIONS.md, guides and the folders of the layers, nothing else', () => {
    const loose = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], {
      cwd: projectRoot,
      encoding: 'utf8',
    })
    const entries = new Set(
      loose
        .trim()
        .split('\n')
        .map((file) => file.split('/')[1] ?? ''),
    )
    expect([...entries].filter((entry) => !layers.includes(entry)).sort()).toEqual([
      'DECISIONS.md',
      'README.md',
      'guides',
      'main.ts',
    ])
  })

  it('layers import only lower layers', () => {
    const wrong = imports
      .filter(({ from, to }) => !programs.includes(from) && layerOf(from) !== layerOf(to))
      .filter(
        ({ from, to }) =>
          layers.indexOf(layerOf(to)) > layers.indexOf(layerOf(from)) ||
          besideEachOther.some((edges) => edges.includes(layerOf(from)) && edges.includes(layerOf(to))),
      )
    expect(wrong.map(describeImport)).toEqual([])
  })

  it('areas of a layer import only areas before them', () => {
    const order = (file: string): number => [...(shared[layerOf(file)] ?? []), ...areas].indexOf(areaOf(file))
    const within = imports.filter(({ from, to }) => layerOf(from) === layerOf(to) && order(from) >= 0 && order(to) >= 0)
    expect(within.length).toBeGreaterThan(500)
    expect(within.filter(({ from, to }) => order(to) > order(from)).map(describeImport)).toEqual([])
  })

  it('the edges reach the database only through operations and loaders', () => {
    const edges = imports.filter(
      ({ from, to }) => ['graphql', 'rest'].includes(layerOf(from)) && layerOf(to) === 'persistence',
    )
    const wrong = edges.filter(({ to, typeOnly }) => !typeOnly && !edgesMayImport.includes(to))
    expect(wrong.map(describeImport)).toEqual([])
  })

  it('the edges use loaders and operations, neither the release cache nor the database of the context', () => {
    const direct = /\bctx\.(releases|database)\b|\{[^{}]*\b(releases|database)\b[^{}]*\}: Context\b/
    const texts = files
      .map((file) => [file, readFileSync(join(sourceRoot, file), 'utf8')] as const)
      .filter(([, text]) => direct.test(text))
    expect(texts.some(([file]) => layerOf(file) === 'operations')).toBe(true)
    expect(texts.map(([file]) => file).filter((file) => ['graphql', 'rest'].includes(layerOf(file)))).toEqual([])
  })

  it('Prisma models are called and SQL is sent in persistence only', () => {
    const door =
      /\.\$(query|execute)Raw|\b(tx|prisma|client)\.[a-z]\w*\.(create|update|delete|find|count|upsert|aggregate|groupBy)|\.query[<(]/
    const lines = files.flatMap((file) =>
      readFileSync(join(sourceRoot, file), 'utf8')
        .split('\n')
        .map((line) => `${file}: ${line.trim()}`),
    )
    const found = lines.filter((line) => door.test(line))
    expect(found.length).toBeGreaterThan(50)
    expect(found.filter((line) => layerOf(line) !== 'persistence')).toEqual([])
  })

  it('there are no import circles, types included', () => {
    expect(circlesOf(imports)).toEqual([])
  })

  it('no file has more than 240 lines, a default export or a re-export', () => {
    const wrong = files.flatMap((file) => {
      const text = readFileSync(join(sourceRoot, file), 'utf8')
      const lines = text.split('\n').length - 1
      return [
        ...(lines > 240 ? [`${file}: ${lines} lines`] : []),
        ...(/^export default/m.test(text) ? [`${file}: default export`] : []),
        ...(/^export (\*|\{[^}]*\}) from/m.test(text) ? [`${file}: re-export`] : []),
      ]
    })
    expect(wrong).toEqual([])
  })

  it('tests are in the folder of the code or the guides that they test, or in test/system', () => {
    const tests = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'test'], {
      cwd: projectRoot,
      encoding: 'utf8',
    })
    const folders = tests
      .split('\n')
      .map((file) => file.replace(/^test\//, ''))
      .filter((file) => /\.(test|e2e)\.ts$/.test(file))
      .map((file) => dirname(file))
    const known = new Set(['.', 'system', 'typed', 'clients', 'guides', ...files.map((file) => dirname(file))])
    expect([...new Set(folders)].filter((folder) => !known.has(folder))).toEqual([])
  })

  it('the top level contains the named files and folders and nothing else', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: projectRoot, encoding: 'utf8' }).trim().split('\n')
    const top = new Set(tracked.map((file) => file.split('/')[0] ?? ''))
    const named = [
      'package.json',
      'package-lock.json',
      'tsconfig.json',
      'prisma',
      'src',
      'test',
      'schema.graphql',
      'README.md',
      'LICENSE',
    ]
    expect([...top].filter((entry) => !entry.startsWith('.') && !named.includes(entry))).toEqual([])
  })
})
