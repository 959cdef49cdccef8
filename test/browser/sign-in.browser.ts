/** Pages sign in at an identity provider, in a browser: the way there and back, refreshed tokens, signing out. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inspect, settle, texts } from '../support/explore.ts'
import { play, textOf } from '../support/graphiql.ts'
import { logIn, signIn, useSignInServer } from '../support/signed-in.ts'

const { server, open } = useSignInServer()

/** The grants for which the provider's token endpoint is asked from now on. */
function grantsOf(page: Page): string[] {
  const grants: string[] = []
  page.on('request', (request) => {
    if (request.url() !== `${server().provider.issuer}token` || request.method() !== 'POST') return
    grants.push(new URLSearchParams(request.postData() ?? '').get('grant_type') ?? '')
  })
  return grants
}

/** The access token that the tab has. */
const tokenOf = async (page: Page): Promise<string> =>
  JSON.parse((await page.evaluate("sessionStorage.getItem('signed-in')")) as string).access

const views = (page: Page) => texts(page, 'header nav a')
const openedGraphiql = (page: Page) => expect.poll(() => page.locator('.monaco-editor .view-lines').count()).toBe(4)

test('an administrator signs in by keyboard from a view of /explore, comes back to it, and sees what administrators see', async () => {
  const page = await open('/explore?view=history&topic=PRODUCT#end')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await inspect(server().browser, page, 'sign-in')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${server().provider.issuer}**`)
  const grants = grantsOf(page)
  await logIn(page, 'an administrator')
  await page.locator('.written').first().waitFor()
  await settle(page)
  expect(page.url()).toBe(`${server().base}/explore?view=history&topic=PRODUCT#end`)
  expect(grants).toEqual(['authorization_code'])
  expect(await views(page)).toContain('Webhooks')
  await inspect(server().browser, page, 'signed-in')
})

test('the provider is asked for a token of this server’s audience with PKCE, and no token is in an address, the storage of the browser or the log', async () => {
  const page = await open('/explore')
  const asked = page.waitForRequest((request) => request.url().startsWith(`${server().provider.issuer}auth?`))
  await signIn(page, 'an administrator')
  const asks = Object.fromEntries(new URL((await asked).url()).searchParams)
  expect(asks).toEqual({
    response_type: 'code',
    client_id: 'pages',
    redirect_uri: `${server().base}/sign-in`,
    scope: 'openid',
    audience: 'urn:commerce',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
  await page.locator('.card').first().waitFor()
  const token = await tokenOf(page)
  expect(token).toMatch(/^eyJ/)
  const codes = server().browser.requests.flatMap((url) => new URL(url).searchParams.get('code') ?? [])
  expect(codes.length).toBeGreaterThan(0)
  expect(await page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie + location.href')).not.toMatch(
    /eyJ/,
  )
  expect(server().browser.requests.filter((url) => url.includes('eyJ'))).toEqual([])
  expect([token, asks.state ?? '', ...codes].filter((secret) => server().printed().includes(secret))).toEqual([])
  // The address with the code was replaced: back from the page leads to the provider's.
  await page.goBack()
  expect(page.url()).not.toContain('code=')
})

test('who signed in in /explore is signed in in GraphiQL and /docs of the same tab, whose editors show no token', async () => {
  const page = await open('/explore')
  await signIn(page, 'an administrator')
  await page.locator('.card').first().waitFor()
  await page.goto(`${server().base}/graphql?query=${encodeURIComponent('{ viewer { role } }')}`)
  await openedGraphiql(page)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  expect((await play(page)).data).toEqual({ viewer: { role: 'ADMIN' } })
  expect(await textOf(page, 'request-headers.json')).toBe('{\n  "GraphQL-Cost": "1"\n}')
  await inspect(server().browser, page, 'graphiql-signed-in', '.bar')
  await page.goto(`${server().base}/docs`)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await page.locator('.opblock-tag').first().waitFor()
  await inspect(server().browser, page, 'docs-signed-in')
  const block = page.locator('#operations-Price_books-addProductPrice')
  await block.locator('.opblock-summary-control').click()
  await block.getByRole('button', { name: 'Try it out' }).click()
  const sent = page.waitForResponse((response) => response.request().method() === 'POST')
  await block.locator('.execute').click()
  expect((await sent).status()).toBe(201)
  await block.locator('.curl').first().waitFor()
  expect(await block.textContent()).not.toContain('eyJ')
})

test('GraphiQL signs in by itself, comes back to its tabs, and a token that is typed goes before that of who is signed in', async () => {
  const page = await open(`/graphql?query=${encodeURIComponent('{ viewer { role accountId } }')}`)
  await openedGraphiql(page)
  expect((await play(page)).errors[0].message).toMatch(/^A valid bearer token is needed/)
  await signIn(page, 'a shopper')
  await openedGraphiql(page)
  expect(page.url()).toBe(`${server().base}/graphql`)
  expect((await play(page)).data.viewer.role).toBe('ACCOUNT')
  await page.getByRole('button', { name: 'Headers' }).click()
  await page.evaluate(`monaco.editor.getModels().find(({ uri }) => uri.path.endsWith('request-headers.json'))
    .setValue('{ "Authorization": "Bearer not.a.token" }')`)
  expect((await play(page)).errors[0].message).toMatch(/^The token is not a JSON Web Token with a signature/)
})

test('a shopper who signs in sees the shop and the own subscriptions, and no view of administrators', async () => {
  const page = await open('/explore?view=subscriptions')
  await signIn(page, 'a shopper')
  await page.locator('.subscription').first().waitFor()
  expect(await views(page)).toEqual(['Catalog', 'Releases', 'Subscriptions'])
  expect(await texts(page, '.settings .field')).toEqual(['shopperSign out'])
  await page.goto(`${server().base}/explore?view=history`)
  await page.getByText("This view is for administrators, and your token is a shopper's.").waitFor()
})

test('an expired token is replaced by the refresh token, once for all requests that the server refuses, and the view goes on', async () => {
  const page = await open('/explore')
  await signIn(page, 'who gets an expired token first')
  const grants = grantsOf(page)
  await page.locator('.card').first().waitFor()
  expect(await views(page)).toContain('Webhooks')
  await page.goto(`${server().base}/docs`)
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  const before = grants.length
  const statuses = await page.evaluate(`(async () => {
    const { signIn } = JSON.parse(document.getElementById('root').dataset.settings)
    const { send } = (await import(signIn.module)).createSignIn(signIn)
    sessionStorage.setItem('signed-in', sessionStorage.getItem('signed-in').replace(/"eyJ[^"]*/, '"not.a.token'))
    const body = JSON.stringify({ query: '{ viewer { role } }' })
    const headers = { 'content-type': 'application/json' }
    const answers = [1, 2, 3].map(() => send('/graphql', { method: 'POST', headers, body }))
    return (await Promise.all(answers)).map(({ status }) => status)
  })()`)
  expect(statuses).toEqual([200, 200, 200])
  expect(grants.slice(before)).toEqual(['refresh_token'])
  // As when a token expires while a page is open.
  await page.goto(`${server().base}/explore`)
  await page.locator('.card').first().waitFor()
  await page.evaluate(
    `sessionStorage.setItem('signed-in', sessionStorage.getItem('signed-in').replace(/"eyJ[^"]*/, '"not.a.token'))`,
  )
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('No webhook yet.', { exact: false }).waitFor()
  expect(grants.slice(before)).toEqual(['refresh_token', 'refresh_token'])
  expect(await page.locator('.failed').count()).toBe(0)
  expect(await tokenOf(page)).toMatch(/^eyJ/)
})

test('what was typed is there again after a new sign-in, when the token has ended and nothing refreshes it', async () => {
  const page = await open('/explore?view=campaign')
  await signIn(page, 'an administrator')
  await page.getByLabel('Name of the sale').fill('Typed before the token ended')
  await page.locator('[name=percent]').fill('12')
  await page.evaluate(`sessionStorage.setItem('signed-in', '{"access":"not.a.token","refresh":null}')`)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByText('This token is no longer valid.').first().waitFor()
  await page.getByRole('button', { name: 'Sign in again' }).first().click()
  await page.getByLabel('Name of the sale').waitFor()
  expect(await page.getByLabel('Name of the sale').inputValue()).toBe('Typed before the token ended')
  expect(await page.locator('[name=percent]').inputValue()).toBe('12')
  expect(await tokenOf(page)).toMatch(/^eyJ/)
  // Who comes next reads nothing of it.
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.getByRole('heading', { name: 'Signed out' }).waitFor()
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}')
})

test('signing out forgets the tokens, ends the session at the provider, and leads to a page from which one signs in again', async () => {
  const page = await open('/explore')
  await signIn(page, 'an administrator')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).click()
  await page.getByRole('heading', { name: 'Signed out' }).waitFor()
  expect(page.url()).toBe(`${server().base}/sign-in`)
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}')
  await inspect(server().browser, page, 'signed-out')
  await page.goto(`${server().base}/explore`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await page.goto(`${server().base}/sign-in`)
  // The provider asks who it is.
  await signIn(page, 'a shopper')
  await page.locator('.card').first().waitFor()
  await page.goto(`${server().base}/sign-in`)
  await page.getByRole('link', { name: 'the console' }).click()
  await page.locator('.card').first().waitFor()
})

test('only pages may call the provider, by the one origin that it has; all else is as without it', async () => {
  const origin = new URL(server().provider.issuer).origin
  for (const path of ['/explore', '/graphql', '/docs', '/sign-in', '/']) {
    const { status, headers } = await fetch(`${server().base}${path}`, { headers: { accept: 'text/html' } })
    expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'private, no-store'])
    const policy = headers.get('content-security-policy') ?? ''
    const connect = policy.split('; ').filter((part) => part.startsWith('connect-src'))
    expect([path, ...connect]).toEqual([path, path === '/' ? "connect-src 'self'" : `connect-src 'self' ${origin}`])
    expect(policy.split(origin).length).toBe(path === '/' ? 1 : 2)
    expect(policy).toContain("form-action 'none'")
  }
  const asks = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":"{ viewer { role } }"}',
  }
  expect((await fetch(`${server().base}/graphql`, asks)).status).toBe(401)
  const forData = { headers: { accept: 'application/json' } }
  expect((await fetch(`${server().base}/sign-in`, forData)).status).toBe(404)
})
