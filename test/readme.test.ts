import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  buildSchema,
  type FieldNode,
  getNamedType,
  isObjectType,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../src/config/project-root.ts'
import { loadDemo } from '../src/demo/demo-store.ts'
import { variablesOfConfig } from './support/config-variables.ts'
import { assertHierarchyListing } from './support/contract-schema.ts'
import { useDatabase } from './support/database.ts'
import { useServer } from './support/server.ts'

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')

function blocks(language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')
  return [...readme.matchAll(block)].map((match) => match[1] ?? '')
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any

async function answerOf(script: string): Promise<Json> {
  return JSON.parse((await promisify(execFile)('bash', ['-c', script])).stdout)
}

/** Method and path of a line for curl, ids left out. */
function operationOf(call: string): string {
  const method = /-X (\w+)/.exec(call)?.[1] ?? (call.includes(" -d '") ? 'POST' : 'GET')
  return `${method} ${/\$B([^\s"?]*)/.exec(call)?.[1]?.replace(/[0-9a-f-]{36}/g, '{}')}`
}

/** Every field that is selected is there and nothing else; in the first two levels nothing is null, and no page is empty. */
function expectAnswered(value: Json, { selections }: SelectionSetNode, document: string, depth = 0): void {
  const fields = selections as readonly FieldNode[]
  expect(Object.keys(value), document).toEqual(fields.map(({ name }) => name.value))
  for (const { name, selectionSet } of fields) {
    const member = value[name.value]
    if (depth < 2) expect(member, `${name.value} of ${document}`).not.toBeNull()
    if (!selectionSet || member === null) continue
    const list: Json[] = Array.isArray(member) ? member : [member]
    if (name.value === 'nodes') expect(list, document).not.toHaveLength(0)
    for (const one of list) expectAnswered(one, selectionSet, document, depth + 1)
  }
}

type Edge = readonly [from: string, field: string, to: string]

/** The edges of a line of the drawing, in which one may follow another: `A -- field --> B -- field --> C`. */
function edgesOf(line: string): Edge[] {
  const names = line.trim().split(/ -- | --> /)
  return names.flatMap((from, at): Edge[] => (at % 2 === 0 && names[at + 2] ? [[from, names[at + 1] ?? '', names[at + 2] ?? '']] : []))
}

const schema = buildSchema(readFileSync(join(projectRoot, 'schema.graphql'), 'utf8'))

/** The name of the type that a field leads to: of a connection, that of its nodes. */
function targetOf(from: string, field: string): string | undefined {
  const type = schema.getType(from)
  const target = isObjectType(type) ? type.getFields()[field]?.type : undefined
  const named = target && getNamedType(target)
  const nodes = isObjectType(named) && named.name.endsWith('Connection') ? named.getFields().nodes : undefined
  return nodes ? getNamedType(nodes.type).name : named?.name
}

describe('README', () => {
  const database = useDatabase()
  const server = useServer(database)
  beforeAll(async () => {
    await loadDemo(server.services)
  })

  it('has at most 150 lines, none longer than 300 characters outside tables', () => {
    const lines = readme.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(150)
    expect(lines.filter((line) => line.length > 300 && !line.startsWith('|'))).toEqual([])
  })

  it('draws edges that are fields of the graph', () => {
    const [drawing = ''] = blocks('mermaid')
    const edges = drawing.split('\n').flatMap(edgesOf)
    expect(edges.length).toBeGreaterThan(15)
    expect(edges.filter(([from, field, to]) => targetOf(from, field) !== to)).toEqual([])
  })

  it('its curl lines are the five operations, and answer on the demo store as they are typed', async () => {
    const [preparation = '', ...calls] = blocks('sh')
    const [product, price, prices, products, subscription] = await Promise.all(
      calls.map((call) => answerOf(`${preparation.replace('http://127.0.0.1:4000', server.url)}\n${call}`)),
    )
    expect(calls.map(operationOf)).toEqual([
      'PUT /v2/subscriptions/products/{}',
      'POST /pcm/pricebooks/{}/prices',
      'GET /pcm/pricebooks/{}/prices',
      'GET /pcm/catalogs/{}/releases/latest/hierarchies/{}/products',
      'POST /v2/subscriptions/subscriptions',
    ])
    expect([product, price, prices, products, subscription].map((body) => Object.keys(body))).toEqual([
      ['data'],
      ['data', 'links'],
      ['meta', 'data', 'links'],
      ['meta', 'data', 'links'],
      ['data'],
    ])
    expect(product.data).toMatchObject({ type: 'subscription_product', attributes: { price: { USD: { amount: 1900 } } } })
    expect(price.data).toMatchObject({ type: 'product-price', attributes: { sku: 'MUG-1', sales: { spring: {} } } })
    expect([prices.data.length, prices.data[0].attributes.sku]).toEqual([1, expect.stringMatching(/^ETH-(YIRG|GUJI)$/)])
    expect(products.data.map(({ attributes }: Json) => attributes.tags.includes('washed'))).toEqual([true, true])
    expect(subscription.data).toMatchObject({ type: 'subscription', meta: { status: 'active' } })
    assertHierarchyListing(products)
  })

  it('its GraphQL is the five operations, and answers on the demo store with all that it asks for', async () => {
    const operations: string[] = []
    for (const document of blocks('graphql')) {
      const { data, errors } = await server.gql(document)
      expect(errors, document).toBeUndefined()
      const [definition] = parse(document).definitions as OperationDefinitionNode[]
      if (!definition) throw new Error('no operation')
      expectAnswered(data, definition.selectionSet, document)
      operations.push(...Object.keys(data))
      for (const payload of Object.values<{ userErrors?: unknown[] }>(data)) expect(payload.userErrors ?? []).toEqual([])
    }
    expect(operations).toEqual(['catalog', 'updateSubscriptionProduct', 'addProductPrice', 'priceBook', 'createSubscription'])
  })

  it('shows the response of its first query as it is', async () => {
    const [query = ''] = blocks('graphql')
    const [shown = '', ...others] = blocks('json')
    expect(others).toEqual([])
    expect(JSON.parse(shown)).toEqual({ data: (await server.gql(query)).data })
  })

  it('its lines for a browser get products with prices', async () => {
    const [lines = '', ...others] = blocks('js')
    expect(others).toEqual([])
    const script = `const token = '${server.shopper}'\n${lines}\nconsole.log(JSON.stringify({ data, errors }))`
    const node = [process.execPath, '--input-type=module', '-e', script.replace('http://127.0.0.1:4000', server.url)] as const
    const { data, errors } = JSON.parse((await promisify(execFile)(node[0], node.slice(1))).stdout)
    expect(errors).toBeUndefined()
    expect(data.storefront.latestRelease.products.nodes.map(({ price }: Json) => price.amount.formatted.replace('\u00a0', ' '))).toEqual([
      '25,00 €',
      '50,00 €',
      '65,00 €',
    ])
  })

  it('names every variable of the configuration', () => {
    const variables = variablesOfConfig()
    expect(variables.length).toBeGreaterThan(40)
    expect(variables.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })
})

describe('every README', () => {
  const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  const texts = pages
    .trim()
    .split('\n')
    .map((page) => [page, readFileSync(join(projectRoot, page), 'utf8')] as const)

  it.each(texts)('%s links to what exists', (page, text) => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
    const local = links.filter((link) => !/^(https?:|#)/.test(link)).map((link) => link.replace(/#.*/, ''))
    expect(local.filter((link) => !existsSync(join(projectRoot, dirname(page), link)))).toEqual([])
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

  it('src/README.md names every layer, and files that exist', () => {
    const text = readFileSync(join(projectRoot, 'src/README.md'), 'utf8')
    const [, section = ''] = text.split('## Layers\n')
    const table = section.split('\n').filter((line) => line.startsWith('| `'))
    const layers = readdirSync(join(projectRoot, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(
      layers.map(({ name }) => name).filter((name) => name !== 'generated' && !table.some((row) => row.includes(`\`${name}\``))),
    ).toEqual([])
    const named = [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)+\.\w+)`/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((file) => !existsSync(join(projectRoot, 'src', file)) && !existsSync(join(projectRoot, file)))).toEqual([])
  })

  it('src/README.md names functions and types that exist', () => {
    const text = readFileSync(join(projectRoot, 'src/README.md'), 'utf8')
    const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    const code = sources.map((file) => readFileSync(join(projectRoot, 'src', file), 'utf8')).join('\n')
    const named = [...text.matchAll(/`([A-Za-z]+[a-z][A-Z][A-Za-z]*)`/g)].map((match) => match[1] ?? '')
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([])
  })
})
