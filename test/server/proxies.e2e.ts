/**
 * Proxies of a started server: keys, webhooks and traces go through them, in production, and its log holds no password.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificate } from '../support/certificate.ts'
import { type Program, startProgram } from '../support/program.ts'
import { startProxy, type TestProxy } from '../support/proxy.ts'
import { until } from '../support/webhooks.ts'

const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-proxies-'))
/** An address that no name has to be resolved for, so that the test needs no DNS. */
const HOOK = 'https://8.8.8.8:8443/events'
let everything: Server
let proxy: TestProxy
let program: Program
let token = ''
/** Method, host and path of what arrived behind the proxy. */
const arrived: string[] = []

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const keys = [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'one' }]
  const claims = {
    sub: 'theirs',
    realm_access: { roles: ['offline_access', 'shop-admin'] },
    iss: 'https://id.example',
    aud: 'shop',
  }
  const header = { alg: 'ES256', kid: 'one' }
  token = await new SignJWT({ ...claims, exp: Date.now() / 1000 + 600 }).setProtectedHeader(header).sign(privateKey)
  const certificate = makeCertificate('DNS:id.example', 'DNS:collector.example', 'IP:8.8.8.8')
  const authority = join(folder, 'authority.pem')
  writeFileSync(authority, certificate.cert)
  everything = createServer(certificate, (req, res) => {
    arrived.push(`${req.method} ${req.headers.host}${req.url}`)
    req.resume().on('end', () => res.setHeader('content-type', 'application/json').end(JSON.stringify({ keys })))
  })
  await new Promise<void>((resolve) => everything.listen(0, '127.0.0.1', resolve))
  proxy = await startProxy()
  proxy.port = (everything.address() as AddressInfo).port
  program = startProgram([process.execPath, 'src/tools/run.mjs', 'main'], {
    NODE_ENV: 'production',
    NODE_EXTRA_CA_CERTS: authority,
    DATA_DIR: join(folder, 'data'),
    AUTH_JWKS_URL: 'https://id.example/keys',
    AUTH_ISSUER: claims.iss,
    AUTH_AUDIENCE: claims.aud,
    AUTH_ROLE_CLAIM: 'realm_access.roles',
    AUTH_ADMIN_ROLES: 'shop-admin',
    HTTPS_PROXY: proxy.url.replace('//', '//user:hush@'),
    NO_PROXY: 'direct.example',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example',
    LOG_LEVEL: 'trace',
  })
})
afterAll(async () => {
  program.child.kill('SIGKILL')
  await program.exit
  everything.closeAllConnections()
  everything.close()
  await proxy.close()
  rmSync(folder, { recursive: true, force: true })
})

test('http.proxies-of-the-environment: keys, webhooks and traces of a production server go through HTTPS_PROXY', async () => {
  const [, base] = await program.says(/"address":"([^"]+)"/)
  await expect.poll(async () => (await fetch(`${base}/ready`)).status, { timeout: 30_000 }).toBe(200)
  const ask = async (query: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(`${base}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
    // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
    return (await response.json()) as any
  }
  const hook = await ask(
    `mutation { createWebhook(input: { url: "${HOOK}", topics: [PRICE_BOOK] }) { userErrors { message } } }`,
  )
  expect([hook.errors, hook.data?.createWebhook.userErrors]).toEqual([undefined, []])
  await ask('mutation { createPriceBook(input: { name: "Retail" }) { priceBook { id } } }')
  await until(() => arrived.includes('POST 8.8.8.8:8443/events'), 'the event')
  program.child.kill('SIGTERM')
  expect(await program.exit).toBe(0)
  expect([...new Set(arrived)].sort()).toEqual([
    'GET id.example/keys',
    'POST 8.8.8.8:8443/events',
    'POST collector.example/v1/traces',
  ])
  expect(
    [...new Set(proxy.asked.map(({ method, target, credentials }) => `${method} ${target} ${credentials}`))].sort(),
  ).toEqual([
    'CONNECT 8.8.8.8:8443 user:hush',
    'CONNECT collector.example:443 user:hush',
    'CONNECT id.example:443 user:hush',
  ])
  expect(program.printed()).toContain('the keys of AUTH_JWKS_URL are there')
  expect(program.printed()).not.toContain('hush')
})
