import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GraphQLError } from 'graphql'
import { afterAll, describe, expect, test } from 'vitest'
import { createPersisted } from '../../../src/graphql/server/persisted.ts'
import { withoutSuggestion } from '../../../src/graphql/server/suggestions.ts'
import { useGraph } from '../../support/graph.ts'
import { frameSchema } from '../../support/graph-nouns.ts'

const folder = mkdtempSync(join(tmpdir(), 'persisted-'))
afterAll(() => rmSync(folder, { recursive: true }))
const query = 'query($long: Long) { echo(long: $long) }'
const mutation = 'mutation { poke(input: {}) { userErrors { code } } }'
const hash = (text: string) => createHash('sha256').update(text).digest('hex')
mkdirSync(join(folder, 'documents'))
writeFileSync(join(folder, 'documents/echo.graphql'), query)
writeFileSync(join(folder, 'documents/poke.graphql'), mutation)
writeFileSync(join(folder, 'documents/README.md'), '{ hello }')
writeFileSync(join(folder, 'documents.json'), JSON.stringify({ echo: query }))

const only = useGraph(frameSchema, { persistedOnly: true, persistedDocuments: join(folder, 'documents') })
const beside = useGraph(frameSchema, { persistedDocuments: join(folder, 'documents.json') })
mkdirSync(join(folder, 'marked'))
writeFileSync(join(folder, 'marked/marked.graphql'), '\uFEFF{ marked: hello }\r\n')
const marked = useGraph(frameSchema, { persistedOnly: true, persistedDocuments: join(folder, 'marked') })
const none = useGraph(frameSchema, { persistedOnly: true })
const codeOf = (reply: { body: { errors?: { extensions: { code: string } }[] } }) =>
  reply.body.errors?.[0]?.extensions.code
const echoed = (reply: { body: { data: { echo: string } } }) => JSON.parse(reply.body.data.echo).long

describe('PERSISTED_ONLY runs stored documents and no others', () => {
  test.each([
    ['by its id', { documentId: `sha256:${hash(query)}` }],
    ['by the bare hash', { documentId: hash(query) }],
    ["by Apollo's extension", { extensions: { persistedQuery: { version: 1, sha256Hash: hash(query) } } }],
    ['by its whole text', { query }],
    ['by its id, whatever text is sent along', { documentId: hash(query), query: '{ hello }' }],
  ])('PERSISTED_ONLY runs a stored document %s, with variables, by POST and by GET', async (_, body) => {
    const variables = { long: 7 }
    expect(echoed(await only.post({ ...body, variables }))).toBe(7)
    const parameters = Object.entries({ ...body, variables }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    expect(echoed(await only.send({ method: 'GET', path: `?${new URLSearchParams(parameters)}` }))).toBe(7)
  })

  test.each([
    ['another text', { query: '{ hello }' }, 'PERSISTED_QUERY_ONLY'],
    ['a text that differs by a space', { query: `${query} ` }, 'PERSISTED_QUERY_ONLY'],
    ['a file that is no document', { query: '{ hello }', documentId: hash('{ hello }') }, 'PERSISTED_QUERY_NOT_FOUND'],
    ['introspection', { query: '{ __schema { queryType { name } } }' }, 'PERSISTED_QUERY_ONLY'],
    [
      'an unknown hash with its text',
      { query: '{ hello }', extensions: { persistedQuery: { sha256Hash: hash('{ hello }') } } },
      'PERSISTED_QUERY_NOT_FOUND',
    ],
    ['an id that is no text', { documentId: 7 }, 'PERSISTED_QUERY_NOT_FOUND'],
    ['a member of every object', { documentId: '__proto__' }, 'PERSISTED_QUERY_NOT_FOUND'],
  ])('PERSISTED_ONLY refuses %s, also to an admin', async (_, body, code) => {
    for (const reply of [await only.post(body), await none.post(body)]) {
      expect([reply.status, codeOf(reply)]).toEqual([400, code])
    }
  })

  test.each([[[{ query: '{ hello }' }]], ['{ hello }'], [{}], [null]])(
    'PERSISTED_ONLY runs nothing for the body %j',
    async (body) => {
      const reply = await only.post(body)
      expect(reply.body.data).toBeUndefined()
    },
  )

  test.each([null, [], 'x', 7, { query: 1 }, { documentId: hash(query), nonsense: 1 }])(
    'PERSISTED_ONLY finds a bad request in the body %j',
    async (body) => {
      for (const graph of [only, beside]) {
        const reply = await graph.post(body)
        expect([reply.status, codeOf(reply), graph.logs]).toEqual([400, 'BAD_REQUEST', []])
      }
    },
  )

  test('PERSISTED_ONLY runs a stored mutation by POST only', async () => {
    expect((await only.post({ documentId: hash(mutation) })).body).toEqual({ data: { poke: { userErrors: [] } } })
    expect((await only.send({ method: 'GET', path: `?documentId=${hash(mutation)}` })).status).toBe(405)
  })
})

describe('automatic persisted queries', () => {
  const plain = useGraph(frameSchema)
  const hello = '{ hello }'
  const extension = (sha256Hash: unknown, version: unknown = 1) => ({
    extensions: { persistedQuery: { version, sha256Hash } },
  })
  const path = (body: object) =>
    `?${new URLSearchParams(Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))}`
  const both = async (graph: typeof plain, body: object) => [
    await graph.post(body),
    await graph.send({ method: 'GET', path: path(body) }),
  ]

  test.each([
    ['PersistedQueryNotSupported', 'where none is stored', 'PERSISTED_QUERY_NOT_SUPPORTED', () => plain],
    ['PersistedQueryNotFound', 'beside stored ones', 'PERSISTED_QUERY_NOT_FOUND', () => beside],
    ['PersistedQueryNotFound', 'with PERSISTED_ONLY', 'PERSISTED_QUERY_NOT_FOUND', () => only],
  ])(
    'a hash without a text is %s %s, as status 200 that no cache stores, by POST and by GET',
    async (message, _, code, graph) => {
      for (const body of [extension(hash(hello)), { ...extension(hash(hello)), query: '' }]) {
        for (const reply of await both(graph(), body)) {
          expect(reply.body).toEqual({ errors: [{ message, extensions: { code } }] })
          expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
        }
      }
    },
  )

  test('a text with its hash runs, and again', async () => {
    for (const graph of [plain, plain, beside, beside]) {
      for (const reply of await both(graph, { ...extension(hash(hello)), query: hello })) {
        expect(reply.body).toEqual({ data: { hello: 'world' } })
      }
    }
  })

  test('a text whose hash is another is refused, also where the hash is that of a stored document', async () => {
    for (const graph of [plain, beside, only]) {
      for (const other of [hash(`${hello} `), hash(query), hash(hello).toUpperCase(), `sha256:${hash(hello)}`, '']) {
        for (const reply of await both(graph, { ...extension(other), query: hello })) {
          expect([reply.status, reply.body.data, codeOf(reply)]).toEqual([400, undefined, 'BAD_REQUEST'])
          expect(reply.body.errors[0].message).toBe(
            'extensions.persistedQuery.sha256Hash is not the SHA-256 of the query',
          )
        }
      }
    }
  })

  test.each([
    ['no hash', {}],
    ['a hash that is no text', { version: 1, sha256Hash: 7 }],
    ['another version', { version: 2, sha256Hash: hash(hello) }],
    ['a hash in place of an object', hash(hello)],
  ])('the persisted query with %s is refused', async (_, persistedQuery) => {
    for (const graph of [plain, beside]) {
      for (const reply of await both(graph, { query: hello, extensions: { persistedQuery } })) {
        expect([reply.status, codeOf(reply)]).toEqual([400, 'BAD_REQUEST'])
        expect(reply.body.errors[0].message).toBe('extensions.persistedQuery must have the version 1 and a sha256Hash')
      }
    }
  })
})

describe('the line break at the end of a document is ignored', () => {
  const documents = join(folder, 'endings')
  mkdirSync(documents)
  const endings = { none: '', unix: '\n', windows: '\r\n', several: '\n\n' }
  for (const [name, ending] of Object.entries(endings))
    writeFileSync(join(documents, `${name}.graphql`), `{ ${name}: hello }${ending}`)
  const ended = useGraph(frameSchema, { persistedOnly: true, persistedDocuments: documents })

  test.each(Object.entries(endings))(
    'the line break at the end of a stored document is ignored, of kind %s',
    async (name, ending) => {
      const bare = `{ ${name}: hello }`
      for (const text of [bare, `${bare}\n`, `${bare}${ending}`]) {
        for (const body of [{ query: text }, { documentId: hash(text) }, { documentId: `sha256:${hash(text)}` }]) {
          expect([body, (await ended.post(body)).body]).toEqual([body, { data: { [name]: 'world' } }])
        }
      }
      for (const text of [`${bare} `, `\n${bare}`])
        expect(codeOf(await ended.post({ query: text }))).toBe('PERSISTED_QUERY_ONLY')
    },
  )
})

test('a byte order mark at the start of a file is ignored, with or without the mark in what a client hashes or sends', async () => {
  const document = '{ marked: hello }'
  for (const text of [document, `${document}\r\n`, `\uFEFF${document}`, `\uFEFF${document}\r\n`]) {
    for (const body of [{ query: text }, { documentId: hash(text) }]) {
      expect([body, (await marked.post(body)).body]).toEqual([body, { data: { marked: 'world' } }])
    }
  }
})

test('a byte order mark at the start of a JSON file of documents is ignored', () => {
  const path = join(folder, 'marked.json')
  writeFileSync(path, `\uFEFF${JSON.stringify({ echo: query })}`)
  expect(() => createPersisted({ persistedOnly: true, persistedDocuments: path })).not.toThrow()
})

describe('PERSISTED_DOCUMENTS alone', () => {
  test('PERSISTED_DOCUMENTS alone adds stored documents to any others, and a JSON file names them', async () => {
    expect(echoed(await beside.post({ documentId: 'echo', variables: { long: 3 } }))).toBe(3)
    expect(echoed(await beside.post({ documentId: hash(query), variables: { long: 4 } }))).toBe(4)
    expect((await beside.post({ query: '{ hello }' })).body).toEqual({ data: { hello: 'world' } })
    const hashed = { extensions: { persistedQuery: { version: 1, sha256Hash: hash('{ hello }') } } }
    expect(codeOf(await beside.post(hashed))).toBe('PERSISTED_QUERY_NOT_FOUND')
    expect((await beside.post({ ...hashed, query: '{ hello }' })).body).toEqual({ data: { hello: 'world' } })
  })

  test('an unreadable folder or file of PERSISTED_DOCUMENTS fails the start', () => {
    const make = (persistedDocuments: string) => () => createPersisted({ persistedOnly: false, persistedDocuments })
    expect(make(join(folder, 'nowhere'))).toThrow('nowhere')
    writeFileSync(join(folder, 'wrong.json'), '{"a": 1}')
    expect(make(join(folder, 'wrong.json'))).toThrow(
      expect.objectContaining({
        cause: expect.objectContaining({ message: expect.stringContaining('the document a is not a text') }),
      }),
    )
  })
})

describe('in production', () => {
  const production = useGraph(frameSchema, { production: true })
  const introspection = [
    '{ __schema { queryType { name } } }',
    '{ __type(name: "Open") { name } }',
    '{ ...__schema } fragment __schema on Query { x: __schema { queryType { name } } }',
    'query A { hello } query B { ... { __type(name: "Open") { name } } }',
  ]

  test('introspection in production is refused to a shopper and allowed to an admin', async () => {
    for (const text of introspection) {
      const operationName = text.includes('query B') ? 'B' : undefined
      const refused = await production.post({ query: text, operationName }, { token: 'shopper' })
      expect([codeOf(refused), refused.body.data]).toEqual(['FORBIDDEN', undefined])
      expect((await production.post({ query: text, operationName })).body.errors).toBeUndefined()
    }
    expect(
      (await production.post({ query: '{ __typename open { __typename } }' }, { token: 'shopper' })).body.data,
    ).toEqual({
      __typename: 'Query',
      open: { __typename: 'Open' },
    })
  })

  test.each([
    ['a field', '{ helo }', {}],
    ['an argument', '{ eithers(rank: 1) { __typename } }', {}],
    ['a type', '{ open { ... on Opem { rank } } }', {}],
    ['a member of an input', 'mutation { poke(input: { knd: "x" }) { userErrors { code } } }', {}],
    [
      'a member of a variable',
      'mutation($i: PokeInput!) { poke(input: $i) { userErrors { code } } }',
      { i: { knd: 'x' } },
    ],
  ])('production suggests nothing for %s that is misspelt', async (_, text, variables) => {
    const reply = await production.post({ query: text, variables }, { token: 'shopper' })
    expect(reply.body.errors.length).toBeGreaterThan(0)
    expect(reply.text).not.toContain('Did you mean')
  })

  test("production removes only the suggestion at the end of a message, not the client's own text", () => {
    const shown = (message: string): string => withoutSuggestion(new GraphQLError(message)).message
    expect(shown('" Did you mean a? Did you mean b" is wrong. Did you mean "c" or "d"?')).toBe(
      '" Did you mean a? Did you mean b" is wrong.',
    )
    expect(shown(`"${' Did you mean '.repeat(100_000)}" is wrong.`)).toHaveLength(1_400_012)
  })
})
