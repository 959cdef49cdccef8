/** The guide to identity providers: its steps are run against one, with the claims that it shows for each product. */
import { execFile } from 'node:child_process'
import { parseEnv, promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { useDatabase } from '../support/database.ts'
import { type IdentityProvider, type ProviderShape, startIdentityProvider } from '../support/identity-provider.ts'
import { codeBlocks, readPage, tableRows } from '../support/markdown.ts'
import { startTestServer } from '../support/server.ts'

const page = readPage('src/guides/identity-providers.md')
const unindented = page.replaceAll(/^ {3}/gm, '')
const steps = codeBlocks(unindented, 'sh')
const [keycloak, auth0, entra] = codeBlocks(page, 'env').map((block) => parseEnv(block))
const claims = codeBlocks(page, 'jsonl').map((block) => block.trim().split('\n'))
const account = Buffer.from(`Account:${demoIds.account}`).toString('base64url')

const database = useDatabase()
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A provider with the addresses of a block of variables. */
async function startLike(block: NodeJS.Dict<string> | undefined, clients: ProviderShape['clients']) {
  const { AUTH_ISSUER = '', AUTH_JWKS_URL = '' } = block ?? {}
  const { pathname } = new URL(AUTH_ISSUER)
  const isBelow = AUTH_JWKS_URL.startsWith(AUTH_ISSUER)
  const keys = isBelow ? `/${AUTH_JWKS_URL.slice(AUTH_ISSUER.length).replace(/^\//, '')}` : '/keys'
  const provider = await startIdentityProvider({ path: pathname, keys, clients })
  stops.push(provider.stop)
  return provider
}

/** A server with these variables, and the provider's addresses unless they name others. */
async function serve(provider: IdentityProvider, variables: NodeJS.Dict<string>) {
  const urls = { AUTH_ISSUER: provider.issuer, AUTH_JWKS_URL: provider.keysUrl }
  const { auth } = loadConfig({ ...urls, ...variables })
  const server = await startTestServer(database, { config: { auth } })
  server.now = Date.now()
  stops.push(() => server.stop())
  return server
}

/** Runs the steps of the page as the back office, on a server with these variables; returns what each step prints. */
async function walk(provider: IdentityProvider, variables: NodeJS.Dict<string>) {
  const server = await serve(provider, variables)
  const script = steps
    .join('echo ---\n')
    .replace('https://login.example/realms/shop', provider.issuer)
    .replace('http://127.0.0.1:4000', server.url)
  const { stdout } = await promisify(execFile)('bash', ['-c', `set -e\n${script}`], {
    env: { ...process.env, SECRET: provider.secret },
  })
  const [addresses = '', kinds = '', , shown = '', answer = ''] = stdout.split('---\n')
  return { addresses, kinds, shown: JSON.parse(shown), body: JSON.parse(answer) }
}

/** The variables of a block without the addresses, which are those of the started provider. */
const mappingOf = ({ AUTH_ISSUER: _, AUTH_JWKS_URL: __, ...others }: NodeJS.Dict<string> = {}) => others

describe.each([
  ['Keycloak', keycloak, 0],
  ['Auth0', auth0, 1],
  ['Entra ID', entra, 2],
] as const)('%s', (name, block, index) => {
  const [backOffice = '', shopper = ''] = claims[index] ?? []

  test(`the five steps of the guide make an administrator of a back office by the claims that it shows of ${name}`, async () => {
    const provider = await startLike(block, { 'back-office': JSON.parse(backOffice) })
    const { addresses, kinds, shown, body } = await walk(provider, mappingOf(block))
    expect(addresses).toBe(`${provider.issuer}\n${provider.keysUrl}\n`)
    expect(kinds).toBe('RSA\n')
    expect(shown).toMatchObject({ iss: provider.issuer, ...JSON.parse(backOffice) })
    expect(body.data.viewer.role).toBe('ADMIN')
  })

  test(`the claims that the guide shows of a shopper of ${name} make a shopper with its account`, async () => {
    const provider = await startLike(block, { shop: JSON.parse(shopper) })
    const server = await serve(provider, mappingOf(block))
    const { data } = await server.gql('{ viewer { role accountId } }', {}, { token: await provider.tokenOf('shop') })
    expect(data).toEqual({ viewer: { role: 'ACCOUNT', accountId: account } })
  })
})

test('each refusal that the guide lists is what the server says for its reason, and there is no other reason in its list', async () => {
  const [row = '{}'] = claims[0]?.slice(1) ?? []
  const fine = JSON.parse(row)
  const { realm_access: _, ...withoutRoles } = fine
  const provider = await startLike(keycloak, {
    fine,
    roles: withoutRoles,
    account: { ...fine, account_id: '4711' },
    channel: { ...fine, channel: { name: 'web' } },
    sub: { ...fine, sub: null },
    late: { ...fine, exp: Math.floor(Date.now() / 1000) - 120 },
  })
  const other = await startLike(keycloak, { fine })
  const mapping = mappingOf(keycloak)
  /** Why a server with these variables refuses a client's token. */
  async function reasonOf(variables: NodeJS.Dict<string>, client: string, token?: string) {
    const server = await serve(provider, { ...mapping, ...variables })
    const { status, headers } = await server.gql(
      '{ viewer { role } }',
      {},
      { token: token ?? (await provider.tokenOf(client)) },
    )
    expect(status).toBe(401)
    return /error_description="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1]
  }
  const reasons = [
    await reasonOf({ AUTH_ISSUER: `${provider.issuer}/` }, 'fine'),
    await reasonOf({ AUTH_AUDIENCE: 'another' }, 'fine'),
    await reasonOf({}, 'roles'),
    await reasonOf({}, 'account'),
    await reasonOf({}, 'channel'),
    await reasonOf({}, 'sub'),
    await reasonOf({ AUTH_JWKS_URL: other.keysUrl }, 'fine'),
    await reasonOf({}, 'fine', 'opaque'),
    await reasonOf({}, 'late'),
  ]
  const [, section = ''] = page.split('## What a refusal says\n')
  expect(reasons).toEqual(tableRows(section).map(([sentence]) => sentence))
})

test("the Actions of the guide set the claims that it shows of Auth0's users and clients", async () => {
  const [code = ''] = codeBlocks(page, 'js')
  type Action = (event: object, api: object) => Promise<void>
  const exports: { onExecutePostLogin?: Action; onExecuteCredentialsExchange?: Action } = {}
  runInNewContext(code, { exports })
  const set = async (action: Action | undefined, event: object) => {
    const given = new Map<string, unknown>()
    await action?.(event, { accessToken: { setCustomClaim: given.set.bind(given) } })
    return JSON.parse(JSON.stringify(Object.fromEntries(given)))
  }
  const shown = (claims[1] ?? []).map((line) => {
    const { sub: _, aud: __, ...custom } = JSON.parse(line)
    return custom
  })
  expect([
    await set(exports.onExecuteCredentialsExchange, { client: { metadata: { shop_role: 'shop-admin' } } }),
    await set(exports.onExecutePostLogin, {
      authorization: { roles: [] },
      user: { app_metadata: { account_id: demoIds.account } },
    }),
  ]).toEqual(shown)
  expect(await set(exports.onExecutePostLogin, { user: {} })).toEqual({ 'https://shop.example/roles': [] })
  expect(await set(exports.onExecuteCredentialsExchange, { client: {} })).toEqual({ 'https://shop.example/roles': [] })
})
