import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const root = new URL('..', import.meta.url)

/** The text of every file below `folder` whose name ends in one of `endings`, by its path. */
function textsOf(folder: string, endings: RegExp): Map<string, string> {
  const names = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' }).map(
    (name) => `${folder}/${name.replaceAll('\\', '/')}`,
  )
  const files = names.filter(
    (name) => endings.test(name) && !/^src\/generated\/|\/node_modules\//.test(name) && name !== 'src/domain/RULES.md',
  )
  return new Map(files.map((name) => [name, readFileSync(new URL(name, root), 'utf8')]))
}

const rules = readFileSync(new URL('src/domain/RULES.md', root), 'utf8')
const defined = [...rules.matchAll(/^- `([^`]+)` [A-Z`].*\.$/gm)].map((match) => match[1] ?? '')
const nouns = [...new Set(defined.map((id) => id.split('.')[0]))]

/** A noun of RULES.md, a dot, and words with hyphens between them; no file's name ends so. */
const anyId = new RegExp(`(?<![\\w./-])(?:${nouns.join('|')})\\.[a-z]+(?:-[a-z]+)+(?![\\w-]|\\.\\w)`, 'g')
const idsIn = (text: string): string[] => text.match(anyId) ?? []

const sources = textsOf('src', /\.(ts|mjs|md)$/)
const tests = textsOf('test', /\.(ts|mjs|md)$/)

/** Lines of tests that are no comments: there ids stand in titles alone, whether a call's or a table's. */
const titles = [...tests].flatMap(([name, text]) =>
  /(\.test|\.e2e|-cases)\.ts$/.test(name) ? text.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line)) : [],
)

describe('the rules of src/domain/RULES.md', () => {
  test('the rules of src/domain/RULES.md are each defined once, as one sentence with an id', () => {
    expect(rules.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(defined.length)
    expect(defined.filter((id) => idsIn(id)[0] !== id)).toEqual([])
    expect(defined.filter((id, index) => defined.indexOf(id) !== index)).toEqual([])
  })

  test('RULES.md defines every id that src, test, the data model and the README mention', () => {
    const others = ['README.md', 'prisma/schema.prisma'].map(
      (name) => [name, readFileSync(new URL(name, root), 'utf8')] as const,
    )
    const texts = [...sources, ...tests, ...others]
    const unknown = texts.flatMap(([name, text]) =>
      idsIn(text).flatMap((id) => (defined.includes(id) ? [] : [`${name}: ${id}`])),
    )
    expect(unknown).toEqual([])
  })

  test('the rules of src/domain/RULES.md are each in the title of a test', () => {
    const named = new Set(titles.flatMap(idsIn))
    expect(defined.filter((id) => !named.has(id))).toEqual([])
  })

  test('the rules of src/domain/RULES.md are each named where code implements them', () => {
    const code = [...sources].flatMap(([name, text]) => (name.endsWith('.md') ? [] : idsIn(text)))
    expect(defined.filter((id) => !code.includes(id))).toEqual([])
  })

  test('the rules of src/domain/RULES.md are hidden from clients: no id is in schema.graphql or in a string of src', () => {
    expect(idsIn(readFileSync(new URL('schema.graphql', root), 'utf8'))).toEqual([])
    const lines = [...sources].flatMap(([name, text]) => (name.endsWith('.md') ? [] : text.split('\n')))
    const code = lines
      .filter((line) => !/^(?:import\b|\s*(?:\/\/|\/?\*))/.test(line))
      .map((line) => line.replace(/ (?:\/\/|\/\*).*/, ''))
    expect(code.filter((line) => idsIn(line).length > 0)).toEqual([])
  })
})
