/** Compression of responses over real sockets. The client is node:http, since fetch decodes by itself. */
import { type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { COMPRESSED_BYTES_MIN } from '../../src/server/compression.ts'
import { useDatabase } from '../support/database.ts'
import { fullStore, ids } from '../support/full-store.ts'
import { listingPath, publishStore } from '../support/published.ts'
import { useServer } from '../support/server.ts'

const server = useServer(useDatabase())
beforeAll(() => publishStore(server, fullStore()))

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

function send(path: string, encoding: string, body?: string, headers: Record<string, string> = {}): Promise<Reply> {
  const method = body === undefined ? 'GET' : 'POST'
  const sent = {
    authorization: `Bearer ${server.shopper}`,
    'content-type': 'application/json',
    'accept-encoding': encoding,
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const call = request(server.url + path, { method, headers: sent }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes: Buffer.concat(chunks) }))
    })
    call.on('error', reject)
    call.end(body)
  })
}

const listing = listingPath(ids.catalog, ids.hierarchy)
const query = JSON.stringify({ query: '{ __schema { types { name description } } }' })
const decoders = { gzip: gunzipSync, br: brotliDecompressSync }

test.each([
  ['a REST listing', listing, undefined],
  ['a GraphQL response', '/graphql', query],
  ['the OpenAPI document', '/openapi.json', undefined],
] as const)(
  '%s is compressed as the client accepts it, brotli before gzip, and has the same bytes when decoded',
  async (_, path, body) => {
    const plain = await send(path, 'identity', body)
    expect([plain.status, plain.headers['content-encoding'], Number(plain.headers['content-length'])]).toEqual([
      200,
      undefined,
      plain.bytes.length,
    ])
    expect(plain.bytes.length).toBeGreaterThanOrEqual(COMPRESSED_BYTES_MIN)
    const accepted: [string, keyof typeof decoders][] = [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0.5, gzip', 'gzip'],
    ]
    for (const [header, encoding] of accepted) {
      const { headers, bytes } = await send(path, header, body)
      expect([header, headers['content-encoding'], headers['content-length']]).toEqual([header, encoding, undefined])
      expect(headers.vary).toContain('Accept-Encoding')
      expect(decoders[encoding](bytes).equals(plain.bytes)).toBe(true)
      expect(bytes.length).toBeLessThan(plain.bytes.length)
    }
  },
)

const graphql = (query: string) => ['/graphql', JSON.stringify({ query })] as const
const renamed = (name: string) =>
  graphql(`mutation { updatePriceBook(input: { id: "${ids.book}", name: "${name}" }) { priceBook { name } } }`)

/**
 * Requests whose responses grow by two bytes with each of `units`, and with `odd`, which is a letter or none, by an odd
 * number.
 */
test.each<[string, (units: number, odd: string) => readonly [path: string, body?: string]]>([
  // Two links of an empty list repeat the filter; they and the page repeat the limit.
  [
    'a REST listing',
    (units, odd) => [`${listing}?filter=eq(sku,${'x'.repeat(units + 1)})&page[limit]=${odd === '' ? 9 : 10}`],
  ],
  ['a GraphQL response', (units, odd) => graphql(`{ x${'xx'.repeat(units)}${odd}: __typename }`)],
  ['a GraphQL response of characters of two bytes', (units, odd) => renamed('é'.repeat(units) + (odd || 'xx'))],
])('%s is compressed when it has 1,024 bytes, not when it has 1,023', async (_, request) => {
  const authorization = `Bearer ${server.admin}`
  const reply = (encoding: string, [path, body]: readonly [path: string, body?: string]) =>
    send(path, encoding, body, { authorization })
  for (const size of [1_023, 1_024]) {
    const lengths = { '': 0, x: 0 }
    for (const odd of ['', 'x'] as const) lengths[odd] = (await reply('identity', request(0, odd))).bytes.length
    const odd = (size - lengths['']) % 2 === 0 ? '' : 'x'
    const sent = request((size - lengths[odd]) / 2, odd)
    const plain = await reply('identity', sent)
    expect([plain.status, plain.bytes.length]).toEqual([200, size])
    for (const [encoding, decode] of Object.entries(decoders)) {
      const { headers: received, bytes } = await reply(encoding, sent)
      expect([size, received['content-encoding']]).toEqual([size, size === 1_024 ? encoding : undefined])
      expect(received.vary).toContain('Accept-Encoding')
      expect((size === 1_024 ? decode(bytes) : bytes).equals(plain.bytes)).toBe(true)
    }
  }
})

test('a response below the threshold, and one to a client that refuses every encoding, is sent as it is', async () => {
  const short = await send('/health', 'gzip, br')
  expect(short.bytes.length).toBeLessThan(COMPRESSED_BYTES_MIN)
  for (const { headers } of [short, await send(listing, 'gzip;q=0, br;q=0'), await send(listing, '')])
    expect(headers['content-encoding']).toBeUndefined()
})

test('one ETag holds for every encoding, and 304 has no body', async () => {
  const plain = await send(listing, 'identity')
  const etag = plain.headers.etag ?? ''
  const compressed = await send(listing, 'gzip')
  expect([etag, compressed.headers.etag]).toEqual([expect.stringMatching(/^W\/"/), etag])
  const known = await send(listing, 'gzip', undefined, { 'if-none-match': etag })
  expect([known.status, known.bytes.length, known.headers['content-encoding'], known.headers.vary]).toEqual([
    304,
    0,
    undefined,
    compressed.headers.vary,
  ])
})
