/** The examples of the OpenAPI document, sent to the demo store. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadDemo } from '../../../src/demo/demo-store.ts'
import { openApiText } from '../../../src/rest/routes.ts'
import { useDatabase } from '../../support/database.ts'
import { books, send } from '../../support/import-jobs.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
beforeAll(async () => {
  await loadDemo(server.services)
  // The import of the example, which the demo store lacks.
  const { id } = (await send(server, books('Sent'))).body.data
  await database.query('test-example-id', 'UPDATE import_job SET id = $1 WHERE id = $2', [importId, id])
})

/** The id in the example of an import. */
const importId = '019c5b2e-0000-7000-8000-000000000001'

interface Content {
  /** Files may have other media types. */
  readonly content?: { readonly 'application/json'?: { readonly example?: object | string } }
}
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly example?: string | number
}
interface Operation {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

const document: { paths: Record<string, Record<string, Operation>> } = JSON.parse(openApiText())
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
)
/** The document's schemas, whose objects have no members beside those that they name. */
const schemas = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(schemas)
schemas.addSchema(
  JSON.parse(openApiText(), (_, part) =>
    part?.type === 'object' && part.properties ? { additionalProperties: false, ...part } : part,
  ),
  'document',
)
const isWrite = ({ method }: { method: string }) => method !== 'GET'
// A write is sent once: at its alias it would find what it has written already.
const sent = [
  ...operations.filter((one) => !isWrite(one)),
  ...operations.filter((one) => isWrite(one) && !/Alias/.test(one.operationId)),
]
const aliases = operations.filter((one) => isWrite(one) && /Alias/.test(one.operationId))

/** What differs from run to run: instants of writing, new ids, tokens and their expiry. */
const masked = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (name, part) => {
    if (name === 'access_token') return typeof part === 'string' && part.split('.').length
    if (name === 'expires') return typeof part
    if (typeof part !== 'string' || /^(sale_expires|valid_from|valid_to)$/.test(name)) return part
    return part
      .replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 'an instant')
      .replaceAll(/(?!c0ffee)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'a new id')
  })

function requestOf({ path, parameters, requestBody }: Operation & { path: string }) {
  const given = parameters.filter(({ example }) => example !== undefined)
  const valuesIn = (place: Parameter['in']) =>
    given.filter((one) => one.in === place).map(({ name, example }) => [name, String(example)])
  const members = Object.fromEntries(valuesIn('path')) as Record<string, string>
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => members[name] ?? '')
  const query = valuesIn('query').map((pair) => pair.join('='))
  const body = requestBody?.content?.['application/json']?.example
  const raw = typeof body === 'string'
  const type = raw ? [['content-type', 'application/json']] : []
  return {
    target: `${address}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    options: {
      headers: Object.fromEntries([...valuesIn('header'), ...type]),
      ...(raw ? { raw: body } : body && { body }),
    },
  }
}

const expected = ({ responses }: Operation) => {
  const [status = ''] = Object.keys(responses)
  const content = responses[status]?.content
  const json = content?.['application/json']
  return { status: Number(status), content: json, isFile: content !== undefined && json === undefined }
}

describe('the examples of the OpenAPI document', () => {
  test.each(sent)('$method $path: the example of its request gets the example of its response', async (operation) => {
    const { target, options } = requestOf(operation)
    const { status, body } = await server.rest(operation.method, target, options)
    const { content, isFile, ...success } = expected(operation)
    expect([status, isFile ? null : masked(body)]).toEqual([success.status, masked(content?.example)])
  })

  test('exactly the operations that document 304 send an ETag, and 304 without a body to a client that has it', async () => {
    const reads = operations.filter((one) => !isWrite(one))
    for (const operation of reads) {
      const { target, options } = requestOf(operation)
      const { headers } = await server.rest('GET', target, options)
      const etag = headers.get('etag')
      expect([operation.path, etag !== null]).toEqual([operation.path, '304' in operation.responses])
      if (etag === null) continue
      const again = await server.rest('GET', target, { headers: { ...options.headers, 'If-None-Match': etag } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect(reads.filter(({ responses }) => '304' in responses)).toHaveLength(6)
  })

  test.each(operations)(
    '$method $path: its examples fit their schemas, which name every member',
    ({ path, method, responses, requestBody }) => {
      const operation = ['paths', path, method.toLowerCase()]
      const json = ['content', 'application/json']
      const bodies = Object.entries(responses).map(
        ([status, one]) => [one, [...operation, 'responses', status, ...json]] as const,
      )
      for (const [one, pointer] of [...bodies, [requestBody, [...operation, 'requestBody', ...json]] as const]) {
        const example = one?.content?.['application/json']?.example
        if (!example) continue
        const parts = [...pointer, 'schema'].map((part) => encodeURIComponent(part.replaceAll('/', '~1')))
        const valid = schemas.compile({ $ref: `document#/${parts.join('/')}` })
        valid(example)
        expect(valid.errors).toBeNull()
      }
    },
  )

  test('an alias in the OpenAPI document has the same example as the path that it is an alias of', () => {
    expect(aliases).toHaveLength(2)
    for (const alias of aliases) {
      const named = operations.find(
        ({ operationId }) => operationId === alias.operationId.replace(/Alias\d/, ''),
      ) as Operation
      for (const part of ['parameters', 'requestBody', 'responses'] as const) expect(alias[part]).toEqual(named[part])
    }
  })

  test('every operation of the OpenAPI document has an example for each member of its path, its body, and the body of its response', () => {
    const incomplete = operations.filter(({ parameters, requestBody, responses }) => {
      const bodies = [
        requestBody,
        ...Object.entries(responses).flatMap(([status, one]) => (status < '300' ? [one] : [])),
      ]
      return (
        parameters.some(({ required, example }) => required && example === undefined) ||
        bodies.some(
          (one) =>
            one?.content &&
            Object.entries(one.content).some(([type, { example }]) => type === 'application/json' && !example),
        )
      )
    })
    expect(incomplete.map(({ operationId }) => operationId)).toEqual([])
    // Each parameter that has an effect of its own is in some example.
    const names = new Set(
      operations.flatMap(({ parameters }) =>
        parameters.flatMap(({ name, example }) => (example === undefined ? [] : name)),
      ),
    )
    expect([...names]).toEqual(expect.arrayContaining(['filter', 'page[limit]', 'X-MOLTIN-CURRENCY']))
  })
})
