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
