import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { violationCodes } from '../../src/domain/input/errors.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Codes that src/rest/README.md lists by their status. */
const ofHttp = ['BAD_REQUEST', 'METHOD_NOT_ALLOWED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

test('the typed query of src/graphql/clients.md is part of the file that is compiled and run (test/typed/client.test.ts)', () => {
  const page = read('src/graphql/clients.md')
  const source = read('test/typed/client/storefront.ts')
  const [, section = ''] = page.split(/^## gql\.tada$/m)
  const [, block = ''] = /^```ts\n([\s\S]*?)^```/m.exec(section) ?? []
  expect(block).toContain('= graphql(`')
  expect(source).toContain(block)
})

test('src/graphql/clients.md promises that the graph only gets additions, by a check that CI runs', () => {
  const promises =
    read('src/graphql/clients.md').match(/^- From this release on the graph only gets additions:.*(?:\n {2}.*)*/gm) ??
    []
  expect(promises).toHaveLength(1)
  for (const addition of ['types', 'fields', 'optional arguments', 'optional members of inputs', 'values of enums'])
    expect(promises[0]?.replaceAll(/\s+/g, ' ')).toContain(addition)
  const [, script = ''] = /`npm run ([\w:]+)` fails in CI/.exec(promises[0] ?? '') ?? []
  expect(JSON.parse(read('package.json')).scripts).toHaveProperty([script])
  expect(read('.ci/run')).toMatch(new RegExp(`^ *npm run --silent ${script}$`, 'm'))
})

test('src/graphql/README.md lists the code of every top-level error, save those of HTTP and of broken rules', () => {
  const [, table = ''] = read('src/graphql/README.md').split('## Errors')
  const column = (table.split('\n## ')[0] ?? '').replace(/^(\|[^|]*\|)?.*$/gm, '$1')
  const listed = [...column.matchAll(/`([A-Z]+(?:_[A-Z]+)+|FORBIDDEN|UNAUTHENTICATED|THROTTLED)`/g)]
  const sources = ['graphql/server', 'graphql/schema'].flatMap((folder) =>
    readdirSync(new URL(`../../src/${folder}`, import.meta.url)).map((name) => read(`src/${folder}/${name}`)),
  )
  const thrown = sources.flatMap((text) => [
    ...text.matchAll(/'([A-Z]+(?:_[A-Z]+)+|FORBIDDEN|UNAUTHENTICATED|THROTTLED)'/g),
  ])
  const elsewhere = new Set([...Object.keys(violationCodes).filter((code) => code !== 'CURSOR_EXPIRED'), ...ofHttp])
  // Yoga itself makes two.
  const codes = new Set([
    ...thrown.map(([, code = '']) => code),
    'GRAPHQL_PARSE_FAILED',
    'OPERATION_RESOLUTION_FAILURE',
  ])
  const expected = [...codes].filter((code) => !elsewhere.has(code))
  expect(new Set(listed.map(([, code = '']) => code))).toEqual(new Set(expected))
})
