import { gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { Unavailable } from '../../../src/domain/input/errors.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { GRAPHQL_BODY_MAX } from '../../../src/graphql/server/params.ts'
import { CachePolicy } from '../../../src/response-cache/cache-policy.ts'
import { type GraphReply, useGraph } from '../../support/graph.ts'
import { fetched, frameSchema, SECRET_CAUSE, thingId } from '../../support/graph-nouns.ts'

const graph = useGraph(frameSchema)
const limited = useGraph(frameSchema, {}, { rateLimit: (token) => (token === 'shopper' ? 7 : null) })
const keyless = useGraph(
  frameSchema,
  {},
  {
    authenticate: () =>
      Promise.reject(new Unavailable('the signing keys are not available', { cause: new Error(SECRET_CAUSE) })),
  },
)

/** Bodies that a client may post, and what both paths must make of them alike. */
const bodies: [string, unknown][] = [
  ['a query', { query: '{ hello }' }],
  [
    'variables',
    {
      query: 'query($long: Long, $at: DateTime) { echo(long: $long, at: $at) }',
      variables: { long: 9007199254740991, at: '2026-01-31T10:00:00+02:00' },
    },
  ],
  ['null members', { query: '{ hello }', variables: null, operationName: null, extensions: null }],
  ['an operation name', { query: 'query A { hello } query B { instant }', operationName: 'B' }],
  ['no operation name of several', { query: 'query A { hello } query B { instant }' }],
  ['an unknown operation name', { query: 'query A { hello }', operationName: 'C' }],
  ['an empty operation name', { query: '{ hello }', operationName: '' }],
  ['a syntax error', { query: '{ hello' }],
  ['an empty query', { query: '' }],
  ['only a fragment', { query: 'fragment A on Query { hello }' }],
  ['an unknown field', { query: '{ helo }' }],
  ['a missing argument', { query: '{ fails }' }],
  ['a literal of the wrong type', { query: '{ echo(long: "1") }' }],
  ['a literal that is not exact', { query: '{ echo(long: 9007199254740993) }' }],
  ['a variable of the wrong type', { query: 'query($long: Long) { echo(long: $long) }', variables: { long: '1' } }],
  ['a variable that is not exact', { query: 'query($long: Long) { echo(long: $long) }', variables: { long: 2 ** 53 } }],
  ['a missing variable', { query: 'query($kind: String!) { fails(kind: $kind) }' }],
  ['a variable that nobody declared', { query: '{ hello }', variables: { other: 1 } }],
  [
    'a null for a default of a non-null argument',
    { query: 'query($kind: String = "boom") { fails(kind: $kind) }', variables: { kind: null } },
  ],
  ['no query', { variables: {} }],
  ['an unknown parameter', { query: '{ hello }', nonsense: 1 }],
  ['variables that are no object', { query: '{ hello }', variables: 'x' }],
  ['variables that are a list', { query: '{ hello }', variables: [1] }],
  ['a query that is no text', { query: 1 }],
  ['an operation name that is no text', { query: '{ hello }', operationName: 1 }],
  ['extensions that are no object', { query: '{ hello }', extensions: 'x' }],
  ['a batch', [{ query: '{ hello }' }]],
  ['a text', 'hello'],
  ['null', null],
  ['an unexpected failure', { query: '{ hello fails(kind: "boom") }' }],
  ['an unexpected failure in a list', { query: '{ failsTwice }' }],
  ['a broken promise of the schema', { query: '{ missing }' }],
  ['an unavailable database', { query: '{ fails(kind: "unavailable") }' }],
  ['forbidden', { query: '{ fails(kind: "forbidden") }' }],
  ['unauthenticated within', { query: '{ fails(kind: "unauthenticated") }' }],
  ['a bad argument', { query: '{ fails(kind: "badRequest") }' }],
  ['not found in a query', { query: '{ fails(kind: "notFound") }' }],
  ['a malformed global id', { query: '{ node(id: "x") { id } }' }],
  ['a global id of an unknown type', { query: `{ node(id: "${globalId('Nothing', thingId(1))}") { id } }` }],
  ['a raw id where only global ids go', { query: `{ node(id: "${thingId(1)}") { id } }` }],
  [
    'more nodes than allowed',
    {
      query: 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      variables: { ids: Array.from({ length: 101 }, (_, n) => globalId('Open', thingId(n))) },
    },
  ],
  [
    'as many nodes as allowed',
    {
      query: 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      variables: { ids: Array.from({ length: 100 }, (_, n) => globalId('Open', thingId(n))) },
    },
  ],
  ['a tampered cursor', { query: '{ opens(after: "AAAA") { totalCount } }' }],
  ['a page that is too long', { query: '{ opens(first: 101) { totalCount } }' }],
  ['a mutation', { query: 'mutation { poke(input: {}) { secret { id rank } userErrors { code } } }' }],
  [
    'a mutation that breaks rules',
    { query: 'mutation { poke(input: { kind: "validation" }) { secret { id } userErrors { code path message } } }' },
  ],
  [
    'a mutation that fails',
    { query: 'mutation { poke(input: { kind: "boom" }) { secret { id } userErrors { code } } }' },
  ],
  [
    'aliases, fragments and directives',
    {
      query:
        'query($no: Boolean = false) { a: hello @include(if: $no) ...F @skip(if: $no) } fragment F on Query { b: hello open { ... on Open { rank __typename } } }',
    },
  ],
  ['introspection', { query: '{ __schema { queryType { name } } __type(name: "Open") { fields { name } } }' }],
]
const accepts = [
  '*/*',
  'application/json',
  'application/graphql-response+json',
  'application/graphql-response+json, application/json;q=0.9',
  'text/event-stream, application/json',
  'application/*',
  'application/json;q=0.5, application/graphql-response+json;q=0.6',
  'application/json;q=0, */*',
  'application/graphql-response+json; charset=utf-8; q=0.9, */*;q=0.8',
]

function essence({ status, headers, body }: GraphReply) {
  return { status, type: headers.get('content-type'), allow: headers.get('allow'), body }
}

describe('interpreted and compiled operations have the same responses', () => {
  test.each(bodies)('interpreted and compiled operations have the same responses: %s', async (_, body) => {
    for (const accept of accepts) {
      const first = await graph.post(body, { accept })
      // Interpreted first, compiled from the third run on.
      for (let run = 0; run < 5; run++) expect(essence(await graph.post(body, { accept }))).toEqual(essence(first))
    }
  })

  test('an Accept header without a supported media type gets 406', async () => {
    const unacceptable = [
      'text/html',
      'image/png, text/css',
      'application/xml',
      'application/json; charset=latin1',
      'json',
    ]
    const refused = [
      'application/json;q=0',
      '*/*;q=0',
      'text/html, application/*;q=0.0',
      'text/event-stream;q=0, application/json; q=0',
    ]
    for (const accept of [...unacceptable, ...refused]) {
      fetched.secrets.length = 0
      const reply = await graph.post({ query: `{ node(id: "${globalId('Secret', thingId(1))}") { id } }` }, { accept })
      // Refused before it is run, which matters to a mutation.
      expect([reply.status, reply.body.errors[0].extensions.code, fetched.secrets]).toEqual([406, 'NOT_ACCEPTABLE', []])
    }
    for (const accept of ['text/html, */*;q=0.1', 'TEXT/*', 'multipart/mixed', ', application/json']) {
      expect([accept, (await graph.post({ query: '{ hello }' }, { accept })).status]).toEqual([accept, 200])
    }
  })

  test.each([
    ['application/json', 'application/json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    ['application/json, application/graphql-response+json', 'application/json'],
    ['application/graphql-response+json, application/json', 'application/graphql-response+json'],
    ['application/json;q=0.1, application/graphql-response+json;q=0.2', 'application/graphql-response+json'],
    ['application/json;q=0, */*', 'application/graphql-response+json'],
    ['application/*;q=0.5, application/json;q=0.4', 'application/graphql-response+json'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json'],
    ['text/event-stream, application/json;q=0', 'text/event-stream'],
    ['text/*', 'text/event-stream'],
  ])('a request with Accept: %s gets %s, by POST and by GET', async (accept, type) => {
    const get = () => graph.send({ method: 'GET', path: '?query={hello}', headers: { accept } })
    const replies = [await graph.post({ query: '{ hello }' }, { accept })]
    if (!accept.includes('html')) replies.push(await get())
    for (const reply of replies)
      expect([reply.status, reply.headers.get('content-type')?.split(';')[0]]).toEqual([200, type])
  })
})

describe('graph.other-failures-at-top-level: top-level errors have a code and do not reveal the cause', () => {
  const cases: [string, string, string, number][] = [
    ['{ fails(kind: "forbidden") }', 'FORBIDDEN', 'The token does not give the right to do this', 200],
    ['{ fails(kind: "badRequest") }', 'BAD_USER_INPUT', 'id: must be a UUID', 200],
    ['{ fails(kind: "unavailable") }', 'SERVICE_UNAVAILABLE', 'The service is not available at the moment', 503],
    ['{ fails(kind: "boom") }', 'INTERNAL_SERVER_ERROR', 'Internal server error', 200],
    ['{ missing }', 'INTERNAL_SERVER_ERROR', 'Internal server error', 200],
    ['{ node(id: "x") { id } }', 'BAD_USER_INPUT', 'id: must be a global id', 200],
    ['{ opens(first: 101) { totalCount } }', 'BAD_USER_INPUT', 'first: must be an integer from 0 to 100', 200],
    ['{ opens(first: 1, last: 1) { totalCount } }', 'BAD_USER_INPUT', 'last: must not be given beside first', 200],
    ['{ opens(after: "AAAA") { totalCount } }', 'BAD_USER_INPUT', 'after: must be a cursor of this list', 200],
    ['{ helo }', 'GRAPHQL_VALIDATION_FAILED', 'Cannot query field "helo" on type "Query". Did you mean "hello"?', 200],
    ['{ hello', 'GRAPHQL_PARSE_FAILED', 'Syntax Error: Expected Name, found <EOF>.', 200],
  ]
  test.each(cases)(
    'a top-level error has a code and does not reveal its cause: %s',
    async (query, code, message, status) => {
      const reply = await graph.post({ query })
      expect(reply.status).toBe(status)
      expect(reply.body.errors).toHaveLength(1)
      expect(reply.body.errors[0].message).toBe(message)
      expect(reply.body.errors[0].extensions.code).toBe(code)
      expect(reply.text).not.toContain('hunter2')
      expect(reply.text).not.toContain('stack')
    },
  )

  test('a variable that is refused is BAD_USER_INPUT', async () => {
    const reply = await graph.post({ query: 'query($long: Long) { echo(long: $long) }', variables: { long: 0.5 } })
    expect(reply.body.errors[0].extensions.code).toBe('BAD_USER_INPUT')
    expect(reply.body.errors[0].message).toContain('Long cannot represent')
  })

  test('an unexpected error is logged once with the request id, for any number of fields', async () => {
    graph.logs.length = 0
    const reply = await graph.post({ query: '{ failsTwice }' })
    expect(reply.body.errors).toHaveLength(2)
    expect(graph.logs).toHaveLength(1)
    expect(graph.logs[0]).toMatchObject({ level: 50, requestId: 'request-1', err: { message: SECRET_CAUSE } })
  })

  test('an error outside of the execution, which Yoga masks, is logged once with the request id', async () => {
    graph.logs.length = 0
    const storable = vi.spyOn(CachePolicy.prototype, 'isStorable').mockImplementation(() => {
      throw new Error(SECRET_CAUSE)
    })
    const reply = await graph.post({ query: '{ hello }' })
    storable.mockRestore()
    expect([reply.status, reply.body.errors[0].message]).toEqual([500, 'Internal server error'])
    expect(graph.logs).toEqual([
      expect.objectContaining({ requestId: 'request-1', err: expect.objectContaining({ message: SECRET_CAUSE }) }),
    ])
  })

  test('a lost database is logged with its cause and the request id, once for any number of fields', async () => {
    graph.logs.length = 0
    const reply = await graph.post({ query: '{ a: fails(kind: "unavailable") b: fails(kind: "unavailable") hello }' })
    expect(reply.body.errors.length).toBeGreaterThan(0)
    expect(graph.logs).toHaveLength(1)
    expect(graph.logs[0]).toMatchObject({
      level: 50,
      requestId: 'request-1',
      err: { message: expect.stringContaining(SECRET_CAUSE) },
    })
  })

  test('expected errors of an operation are not logged', async () => {
    graph.logs.length = 0
    await graph.post({ query: '{ fails(kind: "forbidden") }' })
    await graph.post({ query: 'mutation { poke(input: { kind: "validation" }) { userErrors { code } } }' })
    await graph.post({ query: '{ hello' })
    expect(graph.logs).toEqual([])
  })
})

describe('requests that can not be read', () => {
  const post = (
    body: BodyInit,
    headers: Record<string, string> = { 'content-type': 'application/json' },
    token?: string | null,
  ) => graph.send({ method: 'POST', body, headers, ...(token !== undefined && { token }) })

  test.each([
    ['no token', null],
    ['a wrong token', 'nobody'],
  ])(
    'http.open-routes, graph.other-failures-at-top-level: a GraphQL request with %s gets 401, before anything but the method is looked at',
    async (_, token) => {
      for (const reply of [
        await graph.post({ query: '{ hello }' }, { token }),
        await post('{', { 'content-type': 'text/plain' }, token),
        await graph.send({ method: 'GET', path: '?query={hello}', token }),
      ]) {
        expect(reply.status).toBe(401)
        expect(reply.headers.get('www-authenticate')).toBe('Bearer')
        expect(reply.body).toEqual({
          errors: [{ message: 'A valid bearer token is needed', extensions: { code: 'UNAUTHENTICATED' } }],
        })
      }
    },
  )

  test('a GraphQL request of a viewer over the limit gets 429 with Retry-After', async () => {
    const reply = await limited.post({ query: '{ hello }' }, { token: 'shopper' })
    expect([reply.status, reply.headers.get('retry-after'), reply.body.errors[0].extensions.code]).toEqual([
      429,
      '7',
      'THROTTLED',
    ])
    expect((await limited.post({ query: '{ hello }' })).status).toBe(200)
  })

  test('a token that can not be checked at the moment gets 503, and the log tells why', async () => {
    const reply = await keyless.post({ query: '{ hello }' })
    expect([reply.status, reply.body.errors[0].extensions.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(keyless.logs).toMatchObject([
      { level: 50, requestId: 'request-1', err: { message: expect.stringContaining(SECRET_CAUSE) } },
    ])
  })

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'query={hello}'],
    ['multipart', 'multipart/form-data; boundary=x', '--x--'],
    ['plain text', 'text/plain', '{"query":"{hello}"}'],
    ['bare GraphQL', 'application/graphql', '{ hello }'],
    ['another charset', 'application/json; charset=latin1', '{"query":"{hello}"}'],
  ])('a GraphQL request with %s gets 415', async (_, type, body) => {
    const reply = await post(body, { 'content-type': type })
    expect([reply.status, reply.body.errors[0].extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('a GraphQL body with a Content-Encoding gets 415', async () => {
    const json = { 'content-type': 'application/json' }
    for (const body of ['{"query":"{hello}"}', gzipSync('{"query":"{hello}"}')]) {
      const reply = await post(body, { ...json, 'content-encoding': 'gzip' })
      expect([reply.status, reply.body.errors[0].extensions.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
    expect((await post('{"query":"{hello}"}', { ...json, 'content-encoding': 'identity' })).status).toBe(200)
  })

  test.each([
    ['nothing', ''],
    ['an object without a query', '{}'],
    ['no query', '{"query":null}'],
    ['half an object', '{"query":'],
    ['two objects', '{"query":"{hello}"}{}'],
    ['bytes that are no UTF-8', Uint8Array.from([0x22, 0xff, 0x22])],
    ['nesting without end', `{"query":"{hello}","variables":{"a":${'['.repeat(100_000)}`],
  ])('a GraphQL body of %s gets 400', async (_, body) => {
    const reply = await post(body)
    expect([reply.status, reply.body.errors[0].extensions]).toEqual([400, { code: 'BAD_REQUEST' }])
  })

  test('JSON that nests too deep gets the same message as on REST, in a body and in a parameter', async () => {
    const deep = '['.repeat(64) + ']'.repeat(64)
    const body = await post(`{"query":"{hello}","variables":{"a":${deep}}}`)
    const parameter = await graph.send({ method: 'GET', path: `?query={hello}&variables={"a":${deep}}` })
    expect([body, parameter].map((reply) => [reply.status, reply.body.errors[0].message])).toEqual([
      [400, 'The body is nested deeper than 64 levels'],
      [400, 'The parameter variables is nested deeper than 64 levels'],
    ])
    expect((await post('{"query":')).body.errors[0].message).toBe('The body is not JSON')
  })

  test.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
    'a GraphQL body with Content-Type %s is JSON',
    async (type) => {
      expect((await post('{"query":"{hello}"}', { 'content-type': type })).body).toEqual({ data: { hello: 'world' } })
    },
  )

  test('value.numbers-never-rounded: a number that a double would round to an integer is refused, not rounded', async () => {
    for (const number of ['4503599627370497.5', '9007199254740993', '1e400', '0.1e-400']) {
      const reply = await post(`{"query":"query($long: Long) { echo(long: $long) }","variables":{"long":${number}}}`)
      expect([number, reply.body.errors?.[0].extensions.code]).toEqual([number, 'BAD_USER_INPUT'])
    }
    const exact = await post(
      `{"query":"query($long: Long) { echo(long: $long) }","variables":{"long":9007199254740991}}`,
    )
    expect(JSON.parse(exact.body.data.echo).long).toBe(9007199254740991)
  })

  test('a GraphQL body of 8 MiB is accepted, one byte more is 413, with Content-Length or streamed', async () => {
    const frame = '{"query":"{hello}","variables":{"a":""}}'
    const body = (size: number): string => frame.replace('""', `"${'x'.repeat(size - frame.length)}"`)
    expect((await post(body(GRAPHQL_BODY_MAX))).body).toEqual({ data: { hello: 'world' } })
    const streamed = new Blob([body(GRAPHQL_BODY_MAX + 1)]).stream()
    const replies = [
      await post(body(GRAPHQL_BODY_MAX + 1)),
      await graph.send({
        method: 'POST',
        body: streamed,
        headers: { 'content-type': 'application/json' },
        duplex: 'half',
      } as RequestInit),
    ]
    for (const reply of replies)
      expect([reply.status, reply.body.errors[0].extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('a byte order mark may precede JSON in a GraphQL body, as in REST', async () => {
    expect((await post('\uFEFF{"query":"{hello}"}')).body).toEqual({ data: { hello: 'world' } })
  })

  test('a malformed currency header of a GraphQL request gets 400', async () => {
    const reply = await graph.post({ query: '{ hello }' }, { headers: { 'x-moltin-currency': 'euro' } })
    expect([reply.status, reply.body.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT'])
  })
})

describe('GET', () => {
  const get = (parameters: Record<string, string>, accept = '*/*') =>
    graph.send({ method: 'GET', path: `?${new URLSearchParams(parameters)}`, headers: { accept } })

  test('a query with variables by GET runs', async () => {
    const reply = await get({
      query: 'query A($long: Long) { echo(long: $long) }',
      variables: '{"long":5}',
      operationName: 'A',
    })
    expect(JSON.parse(reply.body.data.echo)).toEqual({ long: 5, text: 'default' })
  })

  test('a mutation by GET gets 405, and nothing is written', async () => {
    const reply = await get({ query: 'mutation { poke(input: {}) { userErrors { code } } }' })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST'])
    expect(reply.body.errors[0].extensions).toEqual({ code: 'METHOD_NOT_ALLOWED' })
  })

  test.each([
    ['variables that are no JSON', { query: '{ hello }', variables: '{' }],
    ['extensions that are no JSON', { query: '{ hello }', extensions: '{' }],
    ['no query', { query: '' }],
  ])('a query by GET with %s gets 400', async (_, parameters) => {
    expect((await get({ ...parameters }, 'application/graphql-response+json')).status).toBe(400)
  })

  test('GET without a query gets 400, for application/json too, where an empty query gets 200 like any document that is no GraphQL', async () => {
    expect([(await get({}, 'application/json')).status, (await get({ query: '' }, 'application/json')).status]).toEqual(
      [400, 200],
    )
  })

  test.each(['query', 'operationName', 'variables', 'extensions', 'documentId'])(
    'GET with %s given twice gets 400, as in REST',
    async (name) => {
      const reply = await graph.send({ method: 'GET', path: `?query={hello}&${name}=&${name}=` })
      expect([reply.status, reply.body.errors[0]]).toEqual([
        400,
        { message: `The parameter ${name} must be given once`, extensions: { code: 'BAD_REQUEST' } },
      ])
    },
  )

  test.each(['PUT', 'DELETE', 'PATCH'])(
    'http.paths-are-no-secret: /graphql by the method %s gets 405 with Allow, with and without a token',
    async (method) => {
      for (const token of ['admin', null]) {
        const reply = await graph.send({ method, token })
        expect([reply.status, reply.headers.get('allow'), reply.headers.get('www-authenticate')]).toEqual([
          405,
          'GET, POST, OPTIONS',
          null,
        ])
        const errors = [
          { message: 'The methods of this path are GET, POST, OPTIONS', extensions: { code: 'METHOD_NOT_ALLOWED' } },
        ]
        expect(reply.body).toEqual({ errors })
      }
    },
  )
})
