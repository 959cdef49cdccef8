/**
 * http.bodies-are-bounded, http.long-bodies-take-turns: every path that reads a body, found in the table of routes, and
 * /graphql.
 */
import { afterEach, describe, expect, test } from 'vitest'
import { createIssueToken } from '../../src/auth/issue.ts'
import { Overloaded } from '../../src/domain/input/errors.ts'
import { GRAPHQL_BODY_MAX } from '../../src/graphql/server/params.ts'
import { JSON_DEPTH_MAX } from '../../src/lib/json.ts'
import type { ConcurrencyLimiter } from '../../src/request/concurrency-limiter.ts'
import {
  ADMIN_VALUES_MAX,
  createBodyLimiter,
  KEYS_MAX,
  LONG_BODIES_MAX,
  LONG_BODIES_OF_ONE_MAX,
  SHOPPER_VALUES_MAX,
  SHORT_BODY_MAX,
} from '../../src/request/long-bodies.ts'
import { BODY_MAX, OPEN_BODY_MAX } from '../../src/rest/http/body.ts'
import { createRoutes } from '../../src/rest/routes.ts'
import { useDatabase } from '../support/database.ts'
import { listen } from '../support/live.ts'
import { type RestReply, START, type TestServer, testAuth, useServer } from '../support/server.ts'

const database = useDatabase()
const ACCOUNT = '0198f3c1-0000-7000-8000-00000000acc0'
const issue = createIssueToken(testAuth)
const shopperToken = issue({ subject: 'shopper', role: 'shopper', accountId: ACCOUNT }, START)

/** A limiter that never grants a permit, and what it was asked for. */
const asked: [token: string, bytes: number][] = []
const refusing = {
  acquire: async (token: string, bytes: number) => {
    asked.push([token, bytes])
    throw new Overloaded('no permit was available in time')
  },
} as unknown as ConcurrencyLimiter
const limiter = createBodyLimiter()
const server = useServer(database, { bodyLimiter: limiter })
const full = useServer(database, { bodyLimiter: refusing })
afterEach(() => {
  asked.length = 0
})

/** A path that reads a body. */
interface Reader {
  readonly method: string
  readonly path: string
  readonly bytesMax: number
  /** Whether it is for everybody, for shoppers with an account, or for administrators alone. */
  readonly right: string
  /** A body around an array, and the values that it has besides the items. */
  readonly around: readonly [before: string, after: string, values: number]
}

const readers: Reader[] = createRoutes({
  config: { auth: testAuth, production: false, host: '127.0.0.1' },
  issue,
  isReady: async () => true,
})
  .filter(({ body }) => body)
  .flatMap(({ method, paths, right }) =>
    paths.map((path) => ({
      method,
      path: path.replace(/\{\w+\}/g, ACCOUNT),
      bytesMax: right === 'open' ? OPEN_BODY_MAX : BODY_MAX,
      right,
      around: ['{"data":', '}', 3] as const,
    })),
  )
readers.push({
  method: 'POST',
  path: '/graphql',
  bytesMax: GRAPHQL_BODY_MAX,
  right: 'account',
  around: ['{"query":"{__typename}","variables":{"u":', '}}', 7],
})
const guarded = readers.filter(({ right }) => right !== 'open')
const named = (list: readonly Reader[]): [string, Reader][] => list.map((one) => [`${one.method} ${one.path}`, one])

const roles = [
  ['admin', ADMIN_VALUES_MAX],
  ['shopper', SHOPPER_VALUES_MAX],
] as const

async function send(
  { method, path }: Reader,
  raw: string,
  role: 'admin' | 'shopper' = 'admin',
  to: TestServer = server,
): Promise<RestReply> {
  const token = role === 'admin' ? to.admin : (await shopperToken).token
  return to.rest(method, path, { raw, token, headers: { 'content-type': 'application/json' } })
}

/** The status, and the sentence of a body that is refused as such. */
const refusal = ({ status, body }: RestReply): [number, string | undefined] => {
  const sentence: string | undefined = body?.errors?.[0]?.message ?? body?.errors?.[0]?.detail
  return [status, sentence?.startsWith('The body') ? sentence : undefined]
}
const ofLength = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`
const withItems = ({ around: [before, after] }: Reader, items: readonly string[]): string =>
  `${before}[${items.join(',')}]${after}`

test('the paths that read a body are those of the contract, the token endpoint and /graphql', () => {
  expect(readers.map(({ method, path }) => `${method} ${path.replaceAll(ACCOUNT, '')}`)).toEqual([
    'PUT /v2/subscriptions/products/',
    'POST /pcm/pricebooks//prices',
    'POST /v2/subscriptions/subscriptions',
    'POST /subscriptions/subscriptions',
    'POST /v2/subscriptions/subscriptions//states',
    'POST /subscriptions/subscriptions//states',
    'POST /oauth/access_token',
    'POST /graphql',
  ])
})

describe('http.bodies-are-bounded', () => {
  test.each(named(readers))('%s takes as many bytes as its body may have, and no more', async (_, reader) => {
    expect(refusal(await send(reader, ofLength(reader.bytesMax)))[0]).not.toBe(413)
    expect(refusal(await send(reader, ofLength(reader.bytesMax + 1)))).toEqual([
      413,
      `The body must be at most ${reader.bytesMax} bytes`,
    ])
  })

  test.each(named(guarded))('%s takes 10,000 different keys of an administrator and no more', async (_, reader) => {
    // Its own objects have keys too.
    const own = new Set(reader.around[0].match(/"\w+":/g)).size
    const keys = Array.from({ length: KEYS_MAX - own }, (_, index) => `{"k${index}":1}`)
    expect(refusal(await send(reader, withItems(reader, keys)))[1]).toBeUndefined()
    keys.push('{"more":1}')
    expect(refusal(await send(reader, withItems(reader, keys)))).toEqual([
      400,
      `The body has more than ${KEYS_MAX} different keys`,
    ])
  })

  test.each(named(guarded))(
    '%s takes 250,000 values of an administrator and 10,000 of a shopper, and no more',
    async (_, reader) => {
      for (const [role, most] of roles) {
        if (role === 'shopper' && reader.right === 'admin') continue
        const items = Array<string>(most - reader.around[2]).fill('1')
        expect([role, refusal(await send(reader, withItems(reader, items), role))[1]]).toEqual([role, undefined])
        items.push('1')
        const refused = [400, `The body has more than ${most} values: send fewer at once`]
        expect([role, refusal(await send(reader, withItems(reader, items), role))]).toEqual([role, refused])
      }
    },
  )

  test.each(['variables', 'extensions'])(
    'GET /graphql takes 10,000 values of a shopper in its parameter %s, and no more',
    async (name) => {
      const get = async (items: number) => {
        const path = `/graphql?query={__typename}&${name}={"u":[${Array(items).fill('1')}]}`
        const { status, body } = await server.rest('GET', path, { token: (await shopperToken).token })
        return [status, body.errors?.[0].message]
      }
      expect(await get(SHOPPER_VALUES_MAX - 3)).toEqual([200, undefined])
      expect(await get(SHOPPER_VALUES_MAX - 2)).toEqual([
        400,
        `The parameter ${name} has more than 10000 values: send fewer at once`,
      ])
    },
  )

  test.each(named(readers))('%s refuses nesting that is too deep', async (_, reader) => {
    const deep = '['.repeat(JSON_DEPTH_MAX + 1) + ']'.repeat(JSON_DEPTH_MAX + 1)
    expect(refusal(await send(reader, deep))).toEqual([400, `The body is nested deeper than ${JSON_DEPTH_MAX} levels`])
  })

  test.each(named(readers))('%s refuses one number that is as long as a body may be', async (_, reader) => {
    const [before, after] = reader.around
    const length = reader.bytesMax - before.length - after.length - 3
    const refused = [400, 'The body has a number of more than 1000 characters']
    expect(refusal(await send(reader, `${before}0.${'0'.repeat(length)}1${after}`))).toEqual(refused)
  })
})

describe('http.long-bodies-take-turns', () => {
  test.each(named(guarded))(
    '%s parses a long body once it has a permit of its length, a short one at once',
    async (_, reader) => {
      const long = 'x'.repeat(SHORT_BODY_MAX + 1)
      const refused = await send(reader, long, 'admin', full)
      expect([refused.status, refused.headers.get('retry-after'), asked.map(([, bytes]) => bytes)]).toEqual([
        503,
        '1',
        [long.length],
      ])
      asked.length = 0
      expect(refusal(await send(reader, long.slice(1), 'admin', full))).toEqual([400, 'The body is not JSON'])
      expect(asked).toEqual([])
    },
  )

  test('long bodies of all shoppers have one share, and those of every token of an administrator have their own', async () => {
    const [graph] = readers.filter(({ path }) => path === '/graphql')
    const body = ofLength(SHORT_BODY_MAX + 1)
    const tokens = [server.admin, (await issue({ subject: 'other', role: 'admin' }, START)).token]
    const shoppers = [server.shopper, (await shopperToken).token]
    for (const token of [...tokens, ...shoppers])
      await full.rest('POST', graph?.path ?? '', { raw: body, token, headers: { 'content-type': 'application/json' } })
    const [one, other, ...rest] = asked.map(([name]) => name)
    expect([new Set([one, other, rest[0]]).size, rest]).toEqual([3, ['shoppers', 'shoppers']])
  })

  test('the permits of long bodies come back, whatever became of the request', async () => {
    for (const reader of guarded) {
      const [before, after] = reader.around
      const bodies = [`${before}${ofLength(20_000)}${after}`, 'x'.repeat(20_000), '['.repeat(20_000)]
      for (const body of bodies) await send(reader, body)
    }
    const notUtf8 = new Uint8Array(20_000).fill(0xff)
    await server.rest('POST', '/graphql', { raw: notUtf8, headers: { 'content-type': 'application/json' } })
    // Of fewer characters than bytes, as a stream may have.
    const stream = await listen(server, `subscription { catalogChanged { cursor } } #${'€'.repeat(6_000)}`)
    // All that there is, while the stream is open.
    const all = [
      limiter.acquire('one', LONG_BODIES_OF_ONE_MAX),
      limiter.acquire('other', LONG_BODIES_MAX - LONG_BODIES_OF_ONE_MAX),
    ]
    for (const permit of await Promise.all(all)) permit.release()
    await stream.close()
  })
})
