/** The runnable lines of the five operations answer on the demo store as they are. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type FieldNode, type OperationDefinitionNode, parse, type SelectionSetNode } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { loadDemo } from '../../src/demo/demo-store.ts'
import { assertHierarchyListing } from '../support/contract-schema.ts'
import { useDatabase } from '../support/database.ts'
import { codeBlocks, readPage } from '../support/markdown.ts'
import { useServer } from '../support/server.ts'

const page = readPage('src/guides/operations.md')

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any

async function answerOf(script: string): Promise<Json> {
  return JSON.parse((await promisify(execFile)('bash', ['-c', script])).stdout)
}

/** Method and path of a block for curl, with its own variables filled in and ids left out. */
function operationOf(block: string): string {
  const filled = [...block.matchAll(/^([A-Z]+)=(\S+)$/gm)].reduceRight(
    (text, [, name = '', value = '']) => text.replaceAll(`$${name}`, value),
    block,
  )
  const call = filled.slice(filled.indexOf('api '))
  const method = /-X (\w+)/.exec(call)?.[1] ?? (call.includes(" -d '") ? 'POST' : 'GET')
  return `${method} ${/\$B([^\s"?]*)/.exec(call)?.[1]?.replaceAll(/[0-9a-f-]{36}/g, '{}')}`
}

/**
 * Every field that is selected is there and nothing else; in the first two levels nothing is null, and no page is
 * empty.
 */
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

const database = useDatabase()
const server = useServer(database)
beforeAll(async () => {
  await loadDemo(server.services)
})

test('the lines for curl of the guide are the five operations, and answer on the demo store as they are typed', async () => {
  const [preparation = '', ...calls] = codeBlocks(page, 'sh')
  expect(preparation).toContain('http://127.0.0.1:4000')
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
  expect(product.data).toMatchObject({
    type: 'subscription_product',
    attributes: { price: { USD: { amount: 1900 } } },
  })
  expect(price.data).toMatchObject({ type: 'product-price', attributes: { sku: 'MUG-1', sales: { spring: {} } } })
  expect([prices.data.length, prices.data[0].attributes.sku]).toEqual([1, expect.stringMatching(/^ETH-(YIRG|GUJI)$/)])
  expect(products.data.map(({ attributes }: Json) => attributes.tags.includes('washed'))).toEqual([true, true])
  expect(subscription.data).toMatchObject({ type: 'subscription', meta: { status: 'active' } })
  assertHierarchyListing(products)
})

test('the GraphQL of the guide is the five operations, and answers on the demo store with all that it asks for', async () => {
  const operations: string[] = []
  for (const document of codeBlocks(page, 'graphql')) {
    const { data, errors } = await server.gql(document)
    expect(errors, document).toBeUndefined()
    const [definition] = parse(document).definitions as OperationDefinitionNode[]
    if (!definition) throw new Error('no operation')
    expectAnswered(data, definition.selectionSet, document)
    operations.push(...Object.keys(data))
    for (const payload of Object.values<{ userErrors?: unknown[] }>(data)) expect(payload.userErrors ?? []).toEqual([])
  }
  expect(operations).toEqual([
    'updateSubscriptionProduct',
    'addProductPrice',
    'priceBook',
    'catalog',
    'createSubscription',
  ])
})
