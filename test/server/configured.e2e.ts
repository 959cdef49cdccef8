/** Environment variables of a started server: each one is tested on the process itself. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIssueToken } from '../../src/auth/issue.ts'
import { defaultClaims } from '../../src/config/auth-config.ts'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { type Program, startProgram } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-configured-'))
const auth = { secret: 'a secret of this environment, long enough', issuer: 'https://shop.example', audience: 'store' }
const environment = {
  DATA_DIR: folder,
  HOST: 'localhost',
  AUTH_SECRET: auth.secret,
  AUTH_ISSUER: auth.issuer,
  AUTH_AUDIENCE: auth.audience,
  CLIENT_ID: 'back-office',
  CLIENT_SECRET: 'open sesame',
  CORS_ORIGINS: 'https://a.example,https://b.example',
  PAGE_LENGTH: '2',
  DEFAULT_CURRENCY: 'EUR',
  STORE_TIME_ZONE: 'Europe/Berlin',
  RELEASES_KEPT: '1',
  RATE_LIMIT: '40',
  CACHE_MAX_AGE: '0',
  LOG_LEVEL: 'warn',
}
const listing = `/pcm/catalogs/${demoIds.catalog}/releases/latest/hierarchies/${demoIds.hierarchy}/products`
const now = Date.now()

let program: Program
let base = ''
beforeAll(async () => {
  program = startProgram([process.execPath, 'src/tools/run.mjs', 'main'], environment)
  base = (await program.says(/Address +(\S+)/))[1] ?? ''
})
afterAll(async () => {
  program.child.kill('SIGTERM')
  await program.exit
  rmSync(folder, { recursive: true, force: true })
})

/** A token of its own for each test, since RATE_LIMIT counts by token. */
async function tokenOf(
  subject: string,
  claims: { issuer: string | null; audience: string | null } = auth,
): Promise<string> {
  return (await createIssueToken({ ...auth, ...claims, claims: defaultClaims })({ subject, role: 'admin' }, now)).token
}

async function ask(path: string, token: string, headers: Record<string, string> = {}, body?: object, of = base) {
  const response = await fetch(of + path, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

describe('a server started with its variables', () => {
  test('PAGE_LENGTH is the default page length, in links too, and page[limit] overrides it (list.pages-and-links)', async () => {
    const token = await tokenOf('pages')
    for (const path of [listing, `/pcm/pricebooks/${demoIds.priceBook}/prices`]) {
      const { body } = await ask(path, token)
      expect([body.data.length, body.meta.page.limit, body.links.next]).toEqual([
        2,
        2,
        `${path}?page%5Blimit%5D=2&page%5Boffset%5D=2`,
      ])
      expect((await ask(`${path}?page[limit]=3`, token)).body.data).toHaveLength(3)
    }
  })

  test('DEFAULT_CURRENCY is that of display prices on both edges, unless the header or an argument names another (money.display-currency)', async () => {
    const token = await tokenOf('currencies')
    const currencies = async (headers: Record<string, string>) => {
      const rest = await ask(`${listing}?filter=eq(sku,ETH-YIRG)`, token, headers)
      const query = `{ catalog(id: "${demoIds.catalog}") { release(id: "latest") { hierarchy(id: "${demoIds.hierarchy}") {
        products(filter: { sku: { eq: "ETH-YIRG" } }) { nodes { price { amount { currency } } pound: price(currency: "GBP") { amount { currency } } } } } } } }`
      const graph = await ask('/graphql', token, headers, { query })
      const [{ price, pound }] = graph.body.data.catalog.release.hierarchy.products.nodes
      return [rest.body.data[0].meta.display_price.with_tax.currency, price.amount.currency, pound.amount.currency]
    }
    expect(await currencies({})).toEqual(['EUR', 'EUR', 'GBP'])
    expect(await currencies({ 'x-moltin-currency': 'USD' })).toEqual(['USD', 'USD', 'GBP'])
  })

  test('STORE_TIME_ZONE is that of instants without an offset on both edges (value.local-instants-in-store-zone)', async () => {
    const token = await tokenOf('time zone')
    const attributes = {
      sku: 'ZONE-REST',
      currencies: {},
      sales: { summer: { schedule: { valid_from: '2030-07-01T00:00:00' } } },
    }
    const data = { type: 'product-price', attributes }
    const { body: rest } = await ask(`/pcm/pricebooks/${demoIds.priceBook}/prices`, token, {}, { data })
    expect(rest.data.attributes.sales.summer.schedule.valid_from).toBe('2030-06-30T22:00:00.000Z')
    const query = `mutation { addProductPrice(input: { priceBookId: "${demoIds.priceBook}", sku: "ZONE-GRAPH", prices: [], sales: [
      { name: "winter", schedule: { validFrom: "2030-11-29T00:00:00" } }
    ] }) { productPrice { sales { schedule { validFrom } } } userErrors { message } } }`
    const { body: graph } = await ask('/graphql', token, {}, { query })
    const [sale] = graph.data.addProductPrice.productPrice.sales
    expect(sale.schedule.validFrom).toBe('2030-11-28T23:00:00.000Z')
  })

  test('AUTH_SECRET, AUTH_ISSUER and AUTH_AUDIENCE are in printed tokens, and other tokens are refused (token.one-pinned-algorithm)', async () => {
    const printed = /Admin token +(\S+)/.exec(program.printed())?.[1] ?? ''
    const otherKey = (
      await createIssueToken({ ...auth, secret: 'x'.repeat(32), claims: defaultClaims })(
        { subject: 'other', role: 'admin' },
        now,
      )
    ).token
    const tokens = [
      printed,
      await tokenOf('mine'),
      otherKey,
      await tokenOf('no issuer', { ...auth, issuer: null }),
      await tokenOf('no audience', { ...auth, audience: null }),
    ]
    const statuses = await Promise.all(tokens.map(async (token) => (await ask(listing, token)).status))
    expect(statuses).toEqual([200, 200, 401, 401, 401])
  })

  test("CLIENT_ID and CLIENT_SECRET are known at the token endpoint, and the demo's are not (token.endpoint-for-clients)", async () => {
    const statusOf = async (client_id: string, client_secret: string) =>
      (await ask('/oauth/access_token', '', {}, { grant_type: 'client_credentials', client_id, client_secret })).status
    expect([
      await statusOf('back-office', 'open sesame'),
      await statusOf('demo', 'demo-secret'),
      await statusOf('back-office', 'demo-secret'),
    ]).toEqual([200, 401, 401])
  })

  test('CORS_ORIGINS are the only ones that may send requests from a browser', async () => {
    const token = await tokenOf('origins')
    const allowed = async (origin: string) =>
      (await ask(listing, token, { origin })).headers.get('access-control-allow-origin')
    expect([
      await allowed('https://a.example'),
      await allowed('https://b.example'),
      await allowed('https://c.example'),
    ]).toEqual(['https://a.example', 'https://b.example', null])
  })

  test('RELEASES_KEPT is the number beyond which a publish deletes older releases', async () => {
    const token = await tokenOf('releases')
    const query = `mutation { publishRelease(input: { catalogId: "${demoIds.catalog}" }) {
      release { catalog { releases { totalCount } } } userErrors { message } } }`
    for (const _ of [1, 2]) {
      const { body } = await ask('/graphql', token, {}, { query })
      expect(body.data.publishRelease).toEqual({
        release: { catalog: { releases: { totalCount: 1 } } },
        userErrors: [],
      })
    }
  })

  test('CACHE_MAX_AGE is the max-age of a cacheable page', async () => {
    expect((await ask(listing, await tokenOf('cache'))).headers.get('cache-control')).toBe('private, max-age=0')
  })

  test('RATE_LIMIT is the number of requests of a token after which the next one gets 429', async () => {
    const token = await tokenOf('busy')
    const replies = await Promise.all(Array.from({ length: 80 }, () => ask('/v2/subscriptions/products/x', token)))
    const statuses = replies.map(({ status }) => status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(40)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  })

  test('HOST is where the server listens, and below LOG_LEVEL nothing is logged', () => {
    expect(new URL(base).hostname).toBe('localhost')
    expect(program.printed()).not.toMatch(/"level":[123]0/)
  })
})

describe('a server with an external identity provider and persisted documents', () => {
  const query = '{ catalogs { totalCount } }'
  const other = join(folder, 'other')
  const keySet = createServer((_, res) =>
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ keys })),
  )
  const keys: object[] = []
  let strict: Program
  let token = ''
  let at = ''
  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    keys.push({ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'one' })
    const claims = { sub: 'theirs', role: 'admin', exp: now / 1000 + 600 }
    token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey)
    await new Promise<void>((resolve) => keySet.listen(0, '127.0.0.1', resolve))
    mkdirSync(other)
    writeFileSync(join(other, 'catalogs.graphql'), query)
    strict = startProgram([process.execPath, 'src/tools/run.mjs', 'main'], {
      DATA_DIR: join(folder, 'strict'),
      AUTH_JWKS_URL: `http://127.0.0.1:${(keySet.address() as AddressInfo).port}/keys`,
      PERSISTED_ONLY: 'true',
      PERSISTED_DOCUMENTS: other,
    })
    at = (await strict.says(/Address +(\S+)/))[1] ?? ''
  })
  afterAll(async () => {
    strict.child.kill('SIGTERM')
    await strict.exit
    keySet.close()
  })

  test('AUTH_JWKS_URL has tokens of the provider accepted, and own tokens neither issued nor accepted (token.one-pinned-algorithm, token.issued-with-own-secret)', async () => {
    expect((await ask(listing, token, {}, undefined, at)).status).toBe(200)
    expect((await ask(listing, await tokenOf('mine'), {}, undefined, at)).status).toBe(401)
    const grant = { grant_type: 'implicit', client_id: 'demo' }
    expect((await ask('/oauth/access_token', '', {}, grant, at)).status).toBe(404)
    expect(strict.printed()).not.toContain('eyJ')
  })

  test('PERSISTED_ONLY and PERSISTED_DOCUMENTS let the documents of the folder run, and no others', async () => {
    expect((await ask('/graphql', token, {}, { query }, at)).body).toEqual({ data: { catalogs: { totalCount: 2 } } })
    const { body } = await ask('/graphql', token, {}, { query: '{ __typename }' }, at)
    expect(body.errors[0].extensions.code).toBe('PERSISTED_QUERY_ONLY')
  })
})
