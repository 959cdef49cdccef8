import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../../../src/config/project-root.ts'
import { createRoutes, openApiText } from '../../../src/rest/routes.ts'
import { useDatabase } from '../../support/database.ts'
import { START, testAuth, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const full = useServer(database, { limits: { inFlightMax: 0 } })
const routes = createRoutes({
  config: { auth: testAuth, production: true, host: '' },
  issue: async () => ({ token: '', expires: 0 }),
  isReady: async () => true,
})
const operations = routes.flatMap((route) =>
  route.paths.map((path) => ({ path, method: route.method.toLowerCase(), route })),
)
const fetchDocument = async () => (await server.rest('GET', '/openapi.json', { token: null })).body

/** A validator of the schema that the document has for a response. */
async function answerSchema(path: string, method: string, status: number) {
  const document = await fetchDocument()
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'document')
  const pointer = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema']
  const reference = pointer
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/')
  return ajv.compile({ $ref: `document#/${reference}` })
}

describe('the OpenAPI document', () => {
  test('the OpenAPI document equals src/rest/openapi.json (npm run schema:print writes it)', async () => {
    const committed = readFileSync(join(projectRoot, 'src/rest/openapi.json'), 'utf8')
    expect(committed).toBe(openApiText())
    expect(JSON.parse(committed)).toEqual(await fetchDocument())
  })

  test('the OpenAPI document has every route and alias, and nothing else', async () => {
    const { paths } = await fetchDocument()
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method} ${path}`),
    )
    const served = operations
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => name !== 'get /openapi.json')
    expect(documented.sort()).toEqual(served.sort())
  })

  test('the OpenAPI document has these operations alone: drafts, schedules, restores, campaigns, history and webhooks are for GraphQL only', async () => {
    const { paths } = await fetchDocument()
    const methods = Object.entries(paths).map(([path, methods]) => [
      path,
      Object.keys(methods as object)
        .sort()
        .join(' '),
    ])
    const [listing, subscription] = [
      'catalogs/{catalog_id}/releases/{release_id}/hierarchies/{hierarchy_id}',
      '{subscription_id}',
    ]
    expect(Object.fromEntries(methods)).toEqual({
      '/': 'get',
      '/health': 'get',
      '/ready': 'get',
      '/oauth/access_token': 'post',
      '/v2/subscriptions/products/{product_uuid}': 'get put',
      [`/pcm/${listing}/products`]: 'get',
      [`/pcm/${listing}/relationships/products`]: 'get',
      [`/${listing}/products`]: 'get',
      [`/${listing}/relationships/products`]: 'get',
      '/catalog/hierarchies/{hierarchy_id}/products': 'get',
      '/catalog/hierarchies/{hierarchy_id}/relationships/products': 'get',
      '/pcm/pricebooks/{pricebook_id}/prices': 'get post',
      '/pcm/pricebooks/{pricebook_id}/prices/{price_id}': 'get',
      '/exports': 'post',
      '/imports': 'post',
      '/imports/{import_id}/refused': 'get',
      '/v2/subscriptions/subscriptions': 'post',
      [`/v2/subscriptions/subscriptions/${subscription}`]: 'get',
      [`/v2/subscriptions/subscriptions/${subscription}/states`]: 'post',
      '/subscriptions/subscriptions': 'post',
      [`/subscriptions/subscriptions/${subscription}`]: 'get',
      [`/subscriptions/subscriptions/${subscription}/states`]: 'post',
    })
  })

  test('the OpenAPI document has unique operation ids, all members of paths, and the failures of each operation', async () => {
    const document = await fetchDocument()
    const ids = new Set<string>()
    for (const { path, method, route } of operations.filter((one) => one.path !== '/openapi.json')) {
      const operation = document.paths[path][method]
      ids.add(operation.operationId)
      const members = operation.parameters
        .filter(({ in: place }: { in: string }) => place === 'path')
        .map(({ name }: { name: string }) => name)
      expect(members).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      const statuses = Object.keys(operation.responses)
      expect(statuses).toContain('500')
      expect(statuses).toContain('400')
      if (route.right !== 'open') expect(statuses).toEqual(expect.arrayContaining(['401', '503']))
      if (route.body) expect(statuses).toEqual(expect.arrayContaining(['400', '413', '415', '422']))
      if (route.right === 'open') expect(operation.security).toEqual([])
    }
    expect(ids.size).toBe(operations.length - 1)
  })

  test('every reference of the OpenAPI document has a target', async () => {
    const document = await fetchDocument()
    const names = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(document.components.schemas).toHaveProperty(name ?? '')
  })

  test('the OpenAPI document describes every member that it requires', async () => {
    const objects: { required: string[]; properties: object }[] = []
    JSON.stringify(await fetchDocument(), (_, part) => {
      if (part?.type === 'object' && part.required) objects.push(part)
      return part
    })
    expect(objects.length).toBeGreaterThan(50)
    expect(objects.filter(({ required, properties }) => required.some((name) => !(name in properties)))).toEqual([])
  })
})

describe('every route of the table', () => {
  const guarded = operations.filter(({ route }) => route.right !== 'open')
  const fill = (path: string) => path.replace(/\{\w+\}/g, 'x')

  test.each(guarded)('$method $path requires a token first, and other methods are 405', async ({ path, method }) => {
    expect((await server.rest(method.toUpperCase(), fill(path), { token: null })).status).toBe(401)
    const reply = await server.rest('DELETE', fill(path))
    expect([reply.status, reply.headers.get('allow')?.includes(method.toUpperCase())]).toEqual([405, true])
  })

  test.each(guarded.filter(({ route }) => route.right === 'admin'))(
    'right.shoppers-see-published-and-own: $method $path is 403 for a shopper, whatever is sent',
    async ({ path, method }) => {
      const sent = method === 'get' ? {} : { raw: '{' }
      expect((await server.rest(method.toUpperCase(), fill(path), { token: server.shopper, ...sent })).status).toBe(403)
    },
  )

  test('the failures of every route conform to the OpenAPI document', async () => {
    const valid = await answerSchema('/v2/subscriptions/products/{product_uuid}', 'put', 422)
    const path = '/v2/subscriptions/products/0198f3c1-0000-7000-8000-000000000001'
    expect(valid((await server.rest('PUT', path, { body: {} })).body)).toBe(true)
    expect(valid({ errors: [{ title: 'x' }] })).toBe(false)
  })
})

test.each(['/', '/health', '/ready'])('the response of %s conforms to the OpenAPI document', async (path) => {
  const valid = await answerSchema(path, 'get', 200)
  const { body } = await server.rest('GET', path, { token: null })
  expect(valid(body)).toBe(true)
  expect(valid({})).toBe(false)
})

test('the operations that a server with too many requests refuses are those with the status 503', async () => {
  const { paths } = await fetchDocument()
  const tried = operations.filter((one) => one.path !== '/openapi.json' && one.path !== '/ready')
  // At once, since the server pauses each connection whose request it refuses.
  const replies = await Promise.all(
    tried.map(({ path, method }) => full.rest(method.toUpperCase(), path, { token: null })),
  )
  const named = (some: typeof tried) => some.map(({ path, method }) => `${method} ${path}`)
  const refused = tried.filter((_, index) => replies[index]?.status === 503)
  expect(named(refused)).toEqual(named(tried.filter(({ path, method }) => '503' in paths[path][method].responses)))
})

test('a subscription product conforms to the OpenAPI document', async () => {
  const id = '0198f3c1-0000-7000-8000-000000000001'
  const now = new Date(START)
  await database.prisma.subscriptionProduct.create({
    data: {
      id,
      name: 'Coffee',
      sku: 'C',
      price: { USD: { amount: 0, includes_tax: true } },
      createdAt: now,
      updatedAt: now,
    },
  })
  const valid = await answerSchema('/v2/subscriptions/products/{product_uuid}', 'get', 200)
  const { body } = await server.rest('GET', `/v2/subscriptions/products/${id}`)
  valid(body)
  expect(valid.errors).toBeNull()
  delete body.data.attributes.name
  expect(valid(body)).toBe(false)
})
