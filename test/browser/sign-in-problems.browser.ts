/** What a person sees when signing in does not work, and the next step that it offers. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inspect, texts } from '../support/explore.ts'
import { logIn, signIn, useSignInServer } from '../support/signed-in.ts'

const { server, open } = useSignInServer()

/** Waits for a problem; its sentences. */
async function problemOf(page: Page): Promise<string> {
  await page.locator('[role=alert]').waitFor()
  expect(page.url()).not.toContain('?')
  return (await texts(page, '[role=alert]')).join()
}

/** Begins to sign in, and waits for the provider. */
async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByPlaceholder('Enter any login').waitFor()
}

const NOT_BEGUN = 'This sign-in was not begun in this tab, or was completed before. Sign in again.'

test.each([
  ['with another state than the one that was begun', 'code=stolen&state=another', NOT_BEGUN],
  ['without a state', 'code=stolen', NOT_BEGUN],
  ['that a foreign page names refused', 'error=access_denied&error_description=Call+us&state=another', NOT_BEGUN],
])('an answer %s is refused, and no code is exchanged', async (_, answer, problem) => {
  const page = await open('/explore')
  await begin(page)
  const sent = server().browser.requests.length
  await page.goto(`${server().base}/sign-in?${answer}&iss=${encodeURIComponent(server().provider.issuer)}`)
  expect(await problemOf(page)).toBe(problem)
  expect(
    server()
      .browser.requests.slice(sent)
      .filter((url) => url.endsWith('/token')),
  ).toEqual([])
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).toBe('{}')
})

test('an answer of another provider is refused, and so is one to a tab that began nothing', async () => {
  const page = await open('/explore')
  await begin(page)
  await page.goto(`${server().base}/sign-in?code=stolen&state=any&iss=https%3A%2F%2Fother.example`)
  expect(await problemOf(page)).toMatch(/^The answer of the identity provider is not one to trust \(unexpected "iss"/)
  await page.goto(`${server().base}/sign-in?code=stolen&state=any`)
  expect(await problemOf(page)).toBe(NOT_BEGUN)
})

test('who cancels at the provider reads so, signs in again, and comes back to where it began', async () => {
  const page = await open('/explore?view=history')
  await begin(page)
  await page.getByRole('link', { name: 'Cancel' }).click()
  expect(await problemOf(page)).toBe(
    'The identity provider gave no access: the sign-in was canceled, or the account may not use this application. ' +
      'Sign in again, or ask who manages accounts there.',
  )
  await inspect(server().browser, page, 'sign-in-denied')
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await logIn(page, 'an administrator')
  await page.waitForURL(`${server().base}/explore?view=history`)
})

test('a code is exchanged once: the same address again is refused', async () => {
  const page = await open('/explore')
  const back = page.waitForRequest((request) => request.url().startsWith(`${server().base}/sign-in?`))
  await signIn(page, 'an administrator')
  const address = (await back).url()
  await page.locator('.card').first().waitFor()
  await page.goto(address)
  expect(await problemOf(page)).toBe(NOT_BEGUN)
})

test.each([
  ['https://other.example/', '/explore'],
  ['//other.example/', '/explore'],
  ['javascript:alert(1)', '/explore'],
  ['/sign-in', '/explore'],
  ['HERE//other.example/', '//other.example/'],
])('where the stored way back is %s, it leads to %s of this server', async (stored, path) => {
  const page = await open('/explore?view=history')
  await begin(page)
  await page.goto(`${server().base}/sign-in`)
  const back = stored.replace('HERE', server().base)
  await page.evaluate(
    `sessionStorage.setItem('sign-in', JSON.stringify({ ...JSON.parse(sessionStorage.getItem('sign-in')), back: '${back}' }))`,
  )
  await page.goBack()
  await logIn(page, 'an administrator')
  await page.waitForURL(`${server().base}${path}`)
})

test('a clock that is wrong by hours is said to be, and a browser that does not reach the provider too', async () => {
  const page = await open('/explore')
  await begin(page)
  await page.clock.setFixedTime(Date.now() + 7_200_000)
  await logIn(page, 'an administrator')
  expect(await problemOf(page)).toBe(
    'The clock of this computer and that of the identity provider differ by more than a minute. ' +
      'Set the clock, and sign in again.',
  )
  const cut = await open('/explore')
  await cut.route(`${server().provider.issuer}token`, (route) => route.abort())
  await signIn(cut, 'an administrator')
  expect(await problemOf(cut)).toMatch(/^This browser cannot reach the identity provider\./)
})

test('what the provider says of a code that it refuses is shown', async () => {
  const page = await open('/explore')
  await page.route(`${server().provider.issuer}token`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 400,
          headers: { 'access-control-allow-origin': '*' },
          json: { error: 'invalid_client', error_description: 'client is unknown' },
        })
      : route.continue(),
  )
  await signIn(page, 'an administrator')
  expect(await problemOf(page)).toBe(
    'The identity provider gave no token (invalid_client: client is unknown). Sign in again; if it stays so, who ' +
      'manages the provider can tell why.',
  )
})

test('a page whose script to sign in cannot be loaded says so', async () => {
  const page = await server().browser.open()
  await page.route('**/sign-in/files/**', (route) => route.fulfill({ status: 404 }))
  await page.goto(`${server().base}/explore`)
  expect(await problemOf(page)).toBe('What signs you in could not be loaded. Reload this page to try again.')
})

test('without the provider’s addresses the page says that the server cannot reach it', async () => {
  const page = await server().browser.open()
  await page.route(`${server().base}/explore`, async (route) => {
    const response = await route.fetch()
    const html = (await response.text()).replace(/&quot;provider&quot;:\{.*?\}/, '&quot;provider&quot;:null')
    await route.fulfill({ response, body: html })
  })
  await page.goto(`${server().base}/explore`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  expect(await problemOf(page)).toBe(
    'The identity provider cannot be reached from the server. Reload this page to try again.',
  )
})

test('someone without a role is told that there are no rights here, why, and whom to ask, and signs out', async () => {
  const page = await open('/explore')
  await signIn(page, 'someone without a role')
  expect(await problemOf(page)).toBe(
    'You are signed in, but have no rights here. The claim realm_access.roles of the token is missing or not valid: ' +
      'ask who manages accounts at the identity provider.',
  )
  await inspect(server().browser, page, 'not-accepted')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Yes, sign me out' }).waitFor()
})

test('who gets no valid token anew is told that the sign-in has expired, and signs in again without a question of the provider', async () => {
  const page = await open('/explore')
  await signIn(page, 'who gets expired tokens')
  expect(await problemOf(page)).toBe('Your sign-in has expired.')
  const back = page.waitForRequest((request) => request.url().startsWith(`${server().base}/sign-in?code=`))
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await back
  expect(await problemOf(page)).toBe('Your sign-in has expired.')
})
