/** The guide to a storefront shows the files of the example as they are; test/browser follows it in an empty folder. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { projectRoot } from '../../src/config/project-root.ts'
import { codeBlocks, readPage } from '../support/markdown.ts'
import { example, shownFiles, storefrontPage } from '../support/storefront-guide.ts'

const page = readPage(storefrontPage)
const read = (file: string): string => readFileSync(join(example, file), 'utf8')

test('the guide to a storefront shows every file of the example to the byte, or copies it', () => {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: example, encoding: 'utf8' })
  const [, copies = ''] = /^cp schema\.graphql (.*) \.\.\/storefront$/m.exec(page) ?? []
  const copied = copies.split(' ').map((path) => relative(example, join(projectRoot, path)))
  const shown = shownFiles()
  expect([...shown.map(({ file }) => file), ...copied, 'package-lock.json', 'package.json'].sort()).toEqual(
    listed.trim().split('\n').sort(),
  )
  for (const { file, text } of shown) expect(text, file).toBe(read(file))
})

test('the guide to a storefront installs the packages of the example, in the versions that are tested', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>
  const installed = (line: RegExp) =>
    (line.exec(page)?.[1] ?? '').split(' ').map((name) => /^(.+)@([^@]+)$/.exec(name)?.slice(1))
  expect(installed(/^npm install --save-exact (?!--)(.*)$/m)).toEqual(Object.entries(dependencies ?? {}))
  expect(installed(/^npm install --save-exact --save-dev (.*)$/m)).toEqual(Object.entries(devDependencies ?? {}))
})

test('the guide to a storefront starts a server that the browser may call from the page', () => {
  const [start = ''] = codeBlocks(page, 'sh')
  const [, origin = ''] = /^CORS_ORIGINS=(\S+) npm start\n$/.exec(start) ?? []
  expect(loadConfig({ CORS_ORIGINS: origin }, () => 'made').corsOrigins).toEqual(['http://localhost:5173'])
  expect(page).toContain(`Open <${origin}>`)
})
