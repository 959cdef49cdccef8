/** The recipes as a whole: they compile, and src/graphql/clients.md shows them as they run here. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { compileErrors } from '../support/compile.ts'

const page = new URL('../../src/graphql/clients.md', import.meta.url)
const text = readFileSync(page, 'utf8')

test('the recipes of clients.md and their tests compile', async () => {
  expect(await compileErrors(fileURLToPath(new URL('.', import.meta.url)))).toEqual([])
})

test('every snippet of clients.md stands in the file that the line before it links to', () => {
  const blocks = [...text.matchAll(/^```(?!sh$)\w+\n([\s\S]*?)^```$/gm)]
  const shown = [...text.matchAll(/\]\(([^)]+)\)[^\n]*:\n\n```\w+\n([\s\S]*?)^```$/gm)]
  expect(shown).toHaveLength(blocks.length)
  for (const [, link = '', snippet = ''] of shown)
    expect(readFileSync(new URL(link, page), 'utf8'), link).toContain(snippet)
})

test('every version that clients.md installs is the one that is tested', () => {
  const { devDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
  const installed = [...text.matchAll(/ (@?[a-z][\w./-]*)@(\d+)/g)]
  expect(installed.length).toBeGreaterThan(2)
  for (const [, name = '', major] of installed)
    expect([name, devDependencies[name]?.split('.')[0]]).toEqual([name, major])
})
