/** README and the links of all pages; what single pages say has tests of its own beside their folders. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildSchema } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../src/config/project-root.ts'
import { loadDemo } from '../src/demo/demo-store.ts'
import { useDatabase } from './support/database.ts'
import { anchorsOf, codeBlocks, pages, readPage, tableRows, withoutCode } from './support/markdown.ts'
import { useServer } from './support/server.ts'

const readme = readPage('README.md')
const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> }

/** The paragraphs and items of lists of a page. */
function paragraphsOf(text: string): string[] {
  const blocks = withoutCode(text).split(/\n\n|\n(?=- )/)
  return blocks.map((block) => block.trim()).filter((block) => !/^([#|<]|\[[^\]]+\]: )/.test(block))
}

/** Where a page's links lead to: in the text, by reference, and of pictures. */
function linksOf(text: string): string[] {
  const forms = [/\]\(([^)\s]+)\)/g, /^\[[^\]]+\]: (\S+)$/gm, /\bsrc(?:set)?="([^"]+)"/g]
  return forms.flatMap((form) => [...withoutCode(text).matchAll(form)].map(([, link = '']) => link))
}

describe('README', () => {
  const database = useDatabase()
  const server = useServer(database)
  beforeAll(async () => {
    await loadDemo(server.services)
  })

  it('README has at most 120 lines of at most 120 characters, and no paragraph of more than three sentences', () => {
    const lines = readme.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(120)
    expect(lines.filter((line) => line.length > 120)).toEqual([])
    const paragraphs = paragraphsOf(readme)
    expect(paragraphs.length).toBeGreaterThan(12)
    expect(paragraphs.filter((text) => (text.match(/[.?!](?=\s|$)/g) ?? []).length > 3)).toEqual([])
  })

  it('README starts and tests the project by two lines to copy', () => {
    const [lines = '', ...others] = codeBlocks(readme, 'sh')
    expect(others).toEqual([])
    expect(lines.split('\n').map((line) => line.replace(/ *#.*/, ''))).toEqual([
      'npm ci && npm start',
      'npm ci && npm test',
      '',
    ])
  })

  it('README shows the response of its query as it is', async () => {
    const [query = '', ...otherQueries] = codeBlocks(readme, 'graphql')
    const [shown = '', ...others] = codeBlocks(readme, 'json')
    expect([...otherQueries, ...others]).toEqual([])
    expect(JSON.parse(shown)).toEqual({ data: (await server.gql(query, {}, { token: server.shopper })).data })
  })

  it('README lists the five operations by REST paths and fields that there are', () => {
    const { paths } = JSON.parse(readPage('src/rest/openapi.json')) as { paths: Record<string, object> }
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{id}')}`),
    )
    const types = Object.values(buildSchema(readPage('schema.graphql')).getTypeMap())
    const fields = new Set(types.flatMap((type) => ('getFields' in type ? Object.keys(type.getFields()) : [])))
    const [, section = ''] = readme.split('## The five operations\n')
    const rows = tableRows(section.split('\n## ')[0] ?? '').map((cells) =>
      cells.map((cell) => cell.replaceAll('`', '')),
    )
    expect(rows).toHaveLength(5)
    expect(rows.filter(([, path = '', field = '']) => !served.includes(path) || !fields.has(field))).toEqual([])
  })
})

describe('every README', () => {
  const texts = pages().map((page) => [page, readPage(page)] as const)

  it.each(texts)('%s links to files and headings that exist', (page, text) => {
    const local = linksOf(text).filter((link) => !/^https?:/.test(link))
    const missing = local.filter((link) => {
      const [path = '', anchor] = link.split('#')
      const file = join(dirname(page), path)
      if (path !== '' && !existsSync(join(projectRoot, file))) return true
      return anchor !== undefined && !anchorsOf(path === '' ? text : readPage(file)).includes(anchor)
    })
    expect(missing).toEqual([])
  })

  it.each(texts)('%s defines every link that it makes by reference, and makes every one that it defines', (_, text) => {
    const prose = withoutCode(text).replaceAll(/^ {4}.*$|`[^`]*`/gm, '')
    const defined = [...prose.matchAll(/^\[([^\]]+)\]: /gm)].map(([, name]) => name)
    const made = [...prose.matchAll(/\]\[([^\]]+)\]|\[([^\]]+)\](?![[(:])/g)].map(([, name, short]) => name ?? short)
    expect([...new Set(made)].sort()).toEqual(defined.sort())
  })

  it.each(texts)('%s names scripts of npm that exist', (_, text) => {
    const named = [...text.matchAll(/\bnpm\s+(?:run\s+(?:-s\s+|--silent\s+)?([\w:]+)|(start|test)\b)/g)]
    const names = named.map(([, script, short]) => script ?? short ?? '')
    expect(names.filter((name) => !(name in scripts))).toEqual([])
  })

  it('test/README.md names tests that exist, and a test or a command for each promise', () => {
    const text = readFileSync(join(projectRoot, 'test/README.md'), 'utf8')
    const [, table = ''] = text.split('|---|---|---|\n')
    const rows = table.trim().split('\n')
    const named = [...table.matchAll(/`(test\/[^`]+)`/g)].map((match) => match[1] ?? '')
    expect(rows.length).toBeGreaterThan(25)
    expect(rows.filter((row) => !/`(test\/|npm run|\.ci\/run)/.test(row.split(' | ').at(-1) ?? ''))).toEqual([])
    expect(named.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([])
  })

  it('src/README.md names every layer', () => {
    const text = readFileSync(join(projectRoot, 'src/README.md'), 'utf8')
    const [, section = ''] = text.split('## Layers\n')
    const table = section.split('\n').filter((line) => line.startsWith('| `'))
    const layers = readdirSync(join(projectRoot, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(
      layers
        .map(({ name }) => name)
        .filter((name) => !['generated', 'guides'].includes(name) && !table.some((row) => row.includes(`\`${name}\``))),
    ).toEqual([])
  })

  it.each(['src/README.md', 'src/DECISIONS.md'])('%s names files that exist', (page) => {
    const text = readFileSync(join(projectRoot, page), 'utf8')
    const named = [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)+\.\w+)`/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(40)
    expect(
      named.filter((file) => !existsSync(join(projectRoot, 'src', file)) && !existsSync(join(projectRoot, file))),
    ).toEqual([])
  })

  it('src/README.md names functions and types that exist', () => {
    const text = readFileSync(join(projectRoot, 'src/README.md'), 'utf8')
    const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    const code = sources.map((file) => readFileSync(join(projectRoot, 'src', file), 'utf8')).join('\n')
    const named = [...text.matchAll(/`([A-Za-z]+[a-z][A-Z][A-Za-z]*)`/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([])
  })
})
