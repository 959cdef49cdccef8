import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../src/root.ts'

const sourceRoot = join(projectRoot, 'src')
const files = readdirSync(sourceRoot, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|mjs)$/.test(file) && !file.startsWith('generated/'))
  .map((file) => file.replaceAll('\\', '/'))

/** Imports run one way (design: domain <- persistence <- operations <- graphql | rest | import <- app). '' is src itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  'response-cache': ['domain', ''],
  auth: ['domain', ''],
  persistence: ['domain', 'response-cache', 'generated', ''],
  operations: ['domain', 'persistence', ''],
  graphql: ['domain', 'operations', 'auth', 'persistence', 'response-cache', ''],
  rest: ['domain', 'operations', 'auth', 'persistence', 'response-cache', ''],
  import: ['domain', 'operations', 'persistence', ''],
  tools: ['graphql', 'persistence', 'import', ''],
  '': ['domain', 'auth', 'persistence', 'operations', 'response-cache', 'graphql', 'rest', 'import'],
}

/** Of persistence the edges know the two failures that they translate, and types; everything else goes through operations and loaders. */
const edgesMayImport = ['persistence/failures.ts']

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const imports: Import[] = files.flatMap((file) =>
  [...readFileSync(join(sourceRoot, file), 'utf8').matchAll(/^(?:import|export)\s(type\s)?[^'";]*?from\s+'(\.[^']+)'/gms)].map((match) => ({
    from: file,
    to: relative(sourceRoot, resolve(dirname(join(sourceRoot, file)), match[2] ?? '')),
    typeOnly: match[1] !== undefined,
  })),
)

const layerOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] ?? '') : '')

describe('architecture', () => {
  it('imports run one way between layers', () => {
    const wrong = imports.filter(({ from, to }) => layerOf(from) !== layerOf(to) && !mayImport[layerOf(from)]?.includes(layerOf(to)))
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('edges reach the database only through operations and loaders', () => {
    const edges = imports.filter(({ from, to }) => ['graphql', 'rest'].includes(layerOf(from)) && layerOf(to) === 'persistence')
    const wrong = edges.filter(({ to, typeOnly }) => !typeOnly && !edgesMayImport.includes(to))
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
  })

  it('models are called and SQL is sent in persistence alone', () => {
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

  it('there are no import cycles, types apart', () => {
    const reached = (file: string): string[] => imports.filter(({ from, typeOnly }) => from === file && !typeOnly).map(({ to }) => to)
    const state = new Map<string, 'open' | 'done'>()
    const cycles: string[] = []
    const visit = (file: string, trail: readonly string[]): void => {
      if (state.get(file) === 'open') cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '))
      if (state.has(file)) return
      state.set(file, 'open')
      for (const to of reached(file)) visit(to, [...trail, file])
      state.set(file, 'done')
    }
    for (const file of files) visit(file, [])
    expect(cycles).toEqual([])
  })

  it('no file has more than 200 lines, exports a default, or re-exports another', () => {
    const wrong = files.flatMap((file) => {
      const text = readFileSync(join(sourceRoot, file), 'utf8')
      const lines = text.split('\n').length - 1
      return [
        ...(lines > 200 ? [`${file}: ${lines} lines`] : []),
        ...(/^export default/m.test(text) ? [`${file}: default export`] : []),
        ...(/^export (\*|\{[^}]*\}) from/m.test(text) ? [`${file}: re-export`] : []),
      ]
    })
    expect(wrong).toEqual([])
  })

  it('the top level holds what the layout names and nothing else', () => {
    const tracked = execFileSync('git', ['ls-files'], { cwd: projectRoot, encoding: 'utf8' }).trim().split('\n')
    const top = new Set(tracked.map((file) => file.split('/')[0] ?? ''))
    const named = ['package.json', 'package-lock.json', 'tsconfig.json', 'prisma', 'src', 'test', 'schema.graphql', 'README.md', 'LICENSE']
    expect([...top].filter((entry) => !entry.startsWith('.') && !named.includes(entry))).toEqual([])
  })
})
