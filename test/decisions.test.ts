import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../src/config/project-root.ts'

const source = join(projectRoot, 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(tsx?|mjs)$/.test(file))
const [, table = ''] = readFileSync(join(source, 'DECISIONS.md'), 'utf8').split('## Mechanisms of our own')
const rows = [...table.matchAll(/^\| ([^|]+) \| ([^|]+) \| (\d+) \|/gm)].map(([, what = '', where = '', lines]) => ({
  what,
  patterns: [...where.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  lines: Number(lines),
}))

/** Files that a path of the table means; `*` stands for the rest of a name. */
function filesOf(pattern: string): string[] {
  const form = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`)
  return files.filter((file) => form.test(file))
}

it('DECISIONS lists mechanisms of our own by files that exist', () => {
  expect(rows.length).toBeGreaterThan(20)
  const missing = rows.flatMap(({ patterns }) => patterns).filter((pattern) => filesOf(pattern).length === 0)
  expect(missing).toEqual([])
})

it('DECISIONS states the length of each mechanism of our own within ten percent', () => {
  const wrong = rows.flatMap(({ what, patterns, lines }) => {
    const found = patterns.flatMap(filesOf).map((file) => readFileSync(join(source, file), 'utf8').split('\n').length - 1)
    const sum = found.reduce((total, one) => total + one, 0)
    return Math.abs(sum - lines) > lines / 10 ? [`${what}: ${sum} lines, not ${lines}`] : []
  })
  expect(wrong).toEqual([])
})

/** Folders of which each file belongs to a mechanism or is glue. */
const folders = ['lib', 'request', 'server', 'response-cache', 'tools', 'persistence/database', 'graphql/server']
/** Files that join packages and mechanisms, describe, or are too small to be one. */
const glue = [
  ...['code-point', 'content-negotiation', 'group-by', 'log', 'lower-bound', 'position-window'].map((name) => `lib/${name}.ts`),
  ...['context', 'request-info', 'shared-caching', 'shopper-headers'].map((name) => `request/${name}.ts`),
  ...['app', 'bundled-pages', 'client-error', 'compression', 'landing-page', 'start', 'startup-banner', 'startup-error'].map(
    (name) => `server/${name}.ts`,
  ),
  ...['check.mjs', 'install.mjs', 'template.mjs', 'database-template.ts', 'graph-types.ts', 'print-schema.ts', 'schema-check.ts'].map(
    (name) => `tools/${name}`,
  ),
  'tools/graph-changes.ts',
  ...['columns', 'connection-log', 'database', 'embedded', 'id', 'json', 'open-database', 'pool', 'pooler', 'query', 'statement-name'].map(
    (name) => `persistence/database/${name}.ts`,
  ),
  'graphql/server/nothing-done.ts',
  ...['examples', 'admin-example-texts', 'storefront-example-texts', 'respond', 'result-extensions', 'server', 'suggestions', 'yoga'].map(
    (name) => `graphql/server/${name}.ts`,
  ),
]

it('DECISIONS has a row for each file of the shared folders that is no glue, and none for glue', () => {
  const inRows = new Set(rows.flatMap(({ patterns }) => patterns).flatMap(filesOf))
  const found = files.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)))
  expect(found.filter((file) => !inRows.has(file)).sort()).toEqual([...glue].sort())
})
