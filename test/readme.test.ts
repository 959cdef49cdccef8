import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type FieldNode, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../src/config/project-root.ts'
import { loadDemo } from '../src/demo/demo-store.ts'
import { violationCodes } from '../src/domain/input/errors.ts'
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

describe('README', () => {
  const database = useDatabase()
  const server = useServer(database)
  beforeAll(async () => {
    await loadDemo(server.services)
  })

  it('lists every code that a client can meet, with its meaning', () => {
    const rows = Object.entries(violationCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
    const table = /^\| code \| meaning \|\n\|---\|---\|\n([\s\S]*?)\n\n/m.exec(readme)?.[1]
    expect(table?.split('\n')).toEqual(rows)
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

  it('its typed query is part of the file that is compiled and run (test/typed/client.test.ts)', () => {
    const source = readFileSync(join(projectRoot, 'test/typed/client/storefront.ts'), 'utf8')
    const [block = '', ...others] = blocks('ts')
    expect(others).toEqual([])
    expect(block).toContain('= graphql(`')
    expect(source).toContain(block)
  })

  it('names every variable of the configuration', () => {
    const source = readFileSync(join(projectRoot, 'src/config/config.ts'), 'utf8')
    const variables = new Set([...source.matchAll(/env\.\w+\('([A-Z_]+)'/g)].map((match) => match[1] ?? ''))
    expect(variables.size).toBeGreaterThan(15)
    expect([...variables].filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })
})
