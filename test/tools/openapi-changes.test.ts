import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { openApiChanges } from '../../src/tools/openapi-changes.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document that tests change anywhere
type Document = any

const served = (): Document => JSON.parse(readFileSync(join(projectRoot, 'src/rest/openapi.json'), 'utf8'))

const text = () => ({ type: 'string' })
const json = (schema: object) => ({ content: { 'application/json': { schema } } })

/** A document of one path, whose order contains itself. */
const sample = (): Document => ({
  paths: {
    '/orders': {
      get: {
        parameters: [{ name: 'page', in: 'query', required: false, schema: { type: 'integer', maximum: 100 } }],
        responses: {},
      },
      post: {
        security: [],
        requestBody: {
          required: true,
          ...json({
            type: 'object',
            properties: { sku: { type: 'string', maxLength: 9 }, note: text() },
            required: ['sku'],
          }),
        },
        responses: { 201: json({ $ref: '#/components/schemas/Order' }), 404: json(text()) },
      },
    },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        properties: {
          id: { type: 'string', format: 'uuid' },
          status: { type: 'string', enum: ['open', 'paid'] },
          total: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
          tags: { type: 'array', items: text() },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
          prices: { type: 'object', additionalProperties: { type: 'integer' } },
        },
        required: ['id', 'status'],
      },
    },
  },
})

const body = (document: Document): Document =>
  document.paths['/orders'].post.requestBody.content['application/json'].schema
const order = (document: Document): Document => document.components.schemas.Order

/** What a change of the sample brings, and what undoing it would. */
function found(change: (document: Document) => void): { there: string[]; back: string[] } {
  const after = sample()
  change(after)
  const changes = (from: Document, to: Document) =>
    openApiChanges(from, to).map(({ level, place, what }) => `${level} ${place}: ${what}`)
  return { there: changes(sample(), after), back: changes(after, sample()) }
}

const removed = 'The property was removed.'

test.each<[string, (document: Document) => unknown, string[], string[]]>([
  [
    'a path',
    (it) => delete it.paths['/orders'],
    ['GET /orders: The operation was removed.', 'POST /orders: The operation was removed.'],
    [],
  ],
  ['a method', (it) => delete it.paths['/orders'].get, ['GET /orders: The operation was removed.'], []],
  [
    'a parameter',
    (it) => it.paths['/orders'].get.parameters.pop(),
    ['GET /orders query page: The parameter was removed.'],
    [],
  ],
  [
    'a success status',
    (it) => delete it.paths['/orders'].post.responses[201],
    ['POST /orders 201: The status was removed.'],
    ['dangerous POST /orders 201: The status is new.'],
  ],
  ['a failure status', (it) => delete it.paths['/orders'].post.responses[404], [], []],
  ['a property of a request', (it) => delete body(it).properties.note, [`POST /orders request.note: ${removed}`], []],
  ['a property of a response', (it) => delete order(it).properties.tags, [`response Order.tags: ${removed}`], []],
  [
    'that a property of a response is there',
    (it) => order(it).required.pop(),
    ['response Order.status: The property may be absent now.'],
    [],
  ],
  [
    'the body',
    (it) => delete it.paths['/orders'].post.requestBody,
    ['POST /orders request: application/json was removed.'],
    ['breaking POST /orders request: A body is required now.'],
  ],
])('a removal from the OpenAPI document: removing %s', (_name, change, there, back) => {
  expect(found(change)).toEqual({ there: there.map((line) => `breaking ${line}`), back })
})

test.each<[string, (document: Document) => unknown, string[], string[]]>([
  [
    'a parameter that is required now',
    (it) => {
      it.paths['/orders'].get.parameters[0].required = true
    },
    ['breaking GET /orders query page: The parameter is required now.'],
    [],
  ],
  [
    'a token that is needed now',
    (it) => delete it.paths['/orders'].post.security,
    ['breaking POST /orders: A token is needed now.'],
    [],
  ],
  [
    'a property of a request that is required now',
    (it) => body(it).required.push('note'),
    ['breaking POST /orders request.note: The property is required now.'],
    [],
  ],
  [
    'a lower limit of a parameter',
    (it) => {
      it.paths['/orders'].get.parameters[0].schema.maximum = 99
    },
    ['breaking GET /orders query page: maximum 100 became 99.'],
    [],
  ],
  [
    'values of a request',
    (it) => {
      body(it).properties.note.enum = ['a']
    },
    ['breaking POST /orders request.note: Only "a" may be sent now.'],
    [],
  ],
  [
    'a value of a response',
    (it) => order(it).properties.status.enum.push('void'),
    ['dangerous response Order.status: The value "void" was added.'],
    [],
  ],
  [
    'null in a response',
    (it) => {
      order(it).properties.tags = { anyOf: [order(it).properties.tags, { type: 'null' }] }
    },
    ['breaking response Order.tags: The type array became null.'],
    [],
  ],
  [
    'no null in a response',
    (it) => {
      order(it).properties.total = { type: 'integer' }
    },
    [],
    ['breaking response Order.total: The type integer became null.'],
  ],
  [
    'another format of a response',
    (it) => {
      order(it).properties.id.format = 'uri'
    },
    ['dangerous response Order.id: format "uuid" became "uri".'],
    ['dangerous response Order.id: format "uri" became "uuid".'],
  ],
  [
    'items of another type',
    (it) => {
      order(it).properties.tags.items = { type: 'integer' }
    },
    ['breaking response Order.tags[]: The type string became integer.'],
    ['breaking response Order.tags[]: The type integer became string.'],
  ],
  [
    'values of a map',
    (it) => {
      order(it).properties.prices.additionalProperties = { type: 'string' }
    },
    ['breaking response Order.prices.*: The type integer became string.'],
    ['breaking response Order.prices.*: The type string became integer.'],
  ],
  [
    'a property of a response that is new',
    (it) => {
      order(it).properties.name = text()
      order(it).required.push('name')
    },
    [],
    ['breaking response Order.name: The property was removed.'],
  ],
  [
    'a keyword that is not compared',
    (it) => {
      order(it).properties.tags.uniqueItems = true
    },
    ['dangerous response Order.tags: uniqueItems changed.'],
    ['dangerous response Order.tags: uniqueItems changed.'],
  ],
  [
    'a description',
    (it) => {
      order(it).properties.id.description = 'The id.'
    },
    [],
    [],
  ],
])('a change of the OpenAPI document: %s', (_name, change, there, back) => {
  expect(found(change)).toEqual({ there, back })
})

test('the served OpenAPI document compared with itself has no changes, and a change of a schema that many responses share is one', () => {
  expect(openApiChanges(served(), served())).toEqual([])
  const after = served()
  delete after.components.schemas.Error.properties.code
  expect(openApiChanges(served(), after)).toEqual([{ level: 'breaking', place: 'response Error.code', what: removed }])
})
