import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { violationCodes } from '../../../src/domain/input/errors.ts'

test('src/domain/input/README.md lists every violation code with its meaning', () => {
  const readme = readFileSync(new URL('../../../src/domain/input/README.md', import.meta.url), 'utf8')
  const rows = Object.entries(violationCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  const table = /^\| code \| meaning \|\n\|---\|---\|\n([\s\S]*?)\n\n/m.exec(readme)?.[1]
  expect(table?.split('\n')).toEqual(rows)
})
