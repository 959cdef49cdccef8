/** The check for changes that break clients, in git repositories of its own. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkSchemas } from '../../src/tools/schema-check.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commerce-graph-schema-check-'))
  mkdirSync(join(folder, 'src/rest'), { recursive: true })
  git('init', '--quiet', '--initial-branch=main')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function git(...args: string[]): string {
  const settings = ['user.name=Ada', 'user.email=ada@example.com', 'commit.gpgsign=false', 'tag.gpgsign=false']
  return execFileSync('git', [...settings.flatMap((one) => ['-c', one]), ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trim()
}

/** Writes a graph with these fields, and a document with these paths. */
function write(fields: string, ...paths: string[]): void {
  const operation = { get: { responses: {} } }
  const document = { paths: Object.fromEntries(paths.map((path) => [path, operation])), components: { schemas: {} } }
  writeFileSync(join(folder, 'schema.graphql'), `type Query { ${fields} }\n`)
  writeFileSync(join(folder, 'src/rest/openapi.json'), JSON.stringify(document))
}

function commit(message: string): string {
  git('add', '.')
  git('commit', '--quiet', '--allow-empty', '-m', message)
  return git('rev-parse', '--short', 'HEAD')
}

test.each([false, true])(
  'schema:check without a tag and a parent compares nothing, says so, and fails in CI (CI: %s)',
  async (isCi) => {
    write('a: Int')
    commit('first')
    expect(await checkSchemas(folder, undefined, isCi)).toEqual({
      passed: !isCi,
      lines: [
        'Nothing was compared: there is no tag here, and no parent of HEAD (a shallow clone has none). Fetch the tags and the history (git fetch --tags --unshallow), or name a commit: npm run schema:check -- origin/main',
      ],
    })
  },
)

test('schema:check without a tag compares with the first parent of HEAD', async () => {
  write('a: Int b: Int', '/a')
  const first = commit('first')
  write('a: Int', '/a')
  commit('second')
  expect(await checkSchemas(folder)).toEqual({
    passed: false,
    lines: [
      `Compared with HEAD^1 (${first}; the first parent of HEAD, since there is no tag here):`,
      'schema.graphql:',
      "  breaking: Query.b: Field 'b' was removed from object type 'Query'",
      'src/rest/openapi.json: nothing breaking or dangerous.',
      '',
      expect.stringMatching(/^Breaking changes that nobody acknowledged: 1\./),
      'Breaking-Change: Query.b',
    ],
  })
})

test('schema:check compares the last tag with the files as they are, committed or not', async () => {
  write('a: Int b: Int c: Int', '/a', '/b')
  commit('first')
  git('tag', 'v1')
  write('a: Int b: Int', '/a', '/b')
  const second = commit('second')
  git('tag', '-a', 'v2', '-m', 'two')
  commit('third')
  expect(await checkSchemas(folder)).toMatchObject({
    passed: true,
    lines: [`Compared with v2 (${second}; the last tag):`, {}, {}],
  })
  write('a: Int b: Int', '/a')
  const { lines, passed } = await checkSchemas(folder)
  expect([passed, lines.at(-1)]).toEqual([false, 'Breaking-Change: GET /b'])
  expect((await checkSchemas(folder, 'v1')).lines.slice(-2)).toEqual([
    'Breaking-Change: Query.c',
    'Breaking-Change: GET /b',
  ])
})

test('a trailer of a commit since the base acknowledges its place and what is inside, and no other', async () => {
  write('a(x: Int): Int ab: Int', '/a', '/b')
  commit('first\n\nBreaking-Change: Query.ab')
  git('tag', 'v1')
  write('a(y: Int!): Int', '/a')
  commit('Change a\n\nNobody used it.\n\nBreaking-Change: Query.a\nBreaking-Change: GET /b')
  const { lines, passed } = await checkSchemas(folder)
  expect(passed).toBe(false)
  expect(lines.filter((line) => line.startsWith('Breaking-Change'))).toEqual(['Breaking-Change: Query.ab'])
  expect(lines.filter((line) => line.includes('breaking, acknowledged')).map((line) => line.split(': ')[1])).toEqual([
    'Query.a.x',
    'Query.a.y',
    'GET /b',
  ])
  commit('Remove ab\n\nBreaking-Change: Query.ab')
  expect(await checkSchemas(folder)).toMatchObject({ passed: true })
})

test('schema:check does not compare a file that the base lacks, and fails for a base that is not there', async () => {
  write('a: Int', '/a')
  rmSync(join(folder, 'src/rest/openapi.json'))
  commit('first')
  git('tag', 'v1')
  write('a: Int', '/a')
  expect((await checkSchemas(folder)).lines.at(-1)).toBe('src/rest/openapi.json: not there then, so not compared.')
  expect(await checkSchemas(folder, 'v9')).toEqual({ passed: false, lines: ['There is no commit v9 here.'] })
})
