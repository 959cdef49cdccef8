/** How the configuration says that pages sign in at an identity provider. */
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { configProblems } from '../support/config-problems.ts'

const given = {
  AUTH_JWKS_URL: 'https://login.example/realms/shop/certs',
  AUTH_ISSUER: 'https://login.example/realms/shop',
  OIDC_CLIENT_ID: 'pages',
}

const load = (env: NodeJS.ProcessEnv) => loadConfig(env, () => 'made').signIn

test('token.pages-sign-in: pages sign in with a client at the issuer, and ask for the audience that tokens must have', () => {
  const signIn = { issuer: given.AUTH_ISSUER, clientId: 'pages', scope: 'openid', audience: null }
  expect(load(given)).toEqual(signIn)
  expect(load({ ...given, NODE_ENV: 'production' })).toEqual(signIn)
  const more = { AUTH_AUDIENCE: 'urn:shop', OIDC_SCOPE: 'openid offline_access api://shop/.default' }
  expect(load({ ...given, ...more })).toEqual({
    ...signIn,
    audience: 'urn:shop',
    scope: 'openid offline_access api://shop/.default',
  })
})

test('token.pages-sign-in: without a client pages do not sign in, whatever else is given', () => {
  const { OIDC_CLIENT_ID: _, ...others } = given
  expect(load({})).toBeNull()
  expect(load({ ...others, OIDC_CLIENT_ID: ' ', OIDC_SCOPE: 'openid' })).toBeNull()
})

test('a client without a provider or without its address ends the start, with what it needs', () => {
  const { AUTH_JWKS_URL, AUTH_ISSUER, OIDC_CLIENT_ID } = given
  const keys = 'OIDC_CLIENT_ID needs AUTH_JWKS_URL, the keys of the provider'
  const issuer = 'OIDC_CLIENT_ID needs AUTH_ISSUER, by which the addresses of the provider are found'
  expect(configProblems({ OIDC_CLIENT_ID })).toEqual([keys, issuer])
  expect(configProblems({ OIDC_CLIENT_ID, AUTH_ISSUER })).toEqual([keys])
  expect(configProblems({ OIDC_CLIENT_ID, AUTH_JWKS_URL })).toEqual([issuer])
})

test.each([
  ['shop', 'must be an absolute URL that begins with https:// or http://'],
  ['https://u:p@login.example', 'must be without a user, a query and a fragment with OIDC_CLIENT_ID'],
  ['https://login.example?realm=shop', 'must be without a user, a query and a fragment with OIDC_CLIENT_ID'],
  ['https://login.example#shop', 'must be without a user, a query and a fragment with OIDC_CLIENT_ID'],
])('an issuer %s is an address for tokens alone: pages cannot sign in there', (issuer, problem) => {
  const { OIDC_CLIENT_ID: _, ...others } = given
  expect(configProblems({ ...others, AUTH_ISSUER: issuer })).toEqual([])
  expect(configProblems({ ...given, AUTH_ISSUER: issuer })).toEqual([`AUTH_ISSUER ${problem}`])
})

test('a client has at most 256 printable characters', () => {
  expect(configProblems({ ...given, OIDC_CLIENT_ID: 'c'.repeat(256) })).toEqual([])
  for (const OIDC_CLIENT_ID of ['c'.repeat(257), 'naïve', 'a\tb'])
    expect(configProblems({ ...given, OIDC_CLIENT_ID })).toEqual([
      'OIDC_CLIENT_ID must be at most 256 printable characters of ASCII',
    ])
})

test('scopes have one blank between two, and openid is among them', () => {
  for (const OIDC_SCOPE of ['openid', 'profile openid', 'openid email'])
    expect(configProblems({ ...given, OIDC_SCOPE })).toEqual([])
  for (const OIDC_SCOPE of ['profile', 'openid  email', 'openid,email', 'openidx', 'openid "x"'])
    expect(configProblems({ ...given, OIDC_SCOPE })).toEqual([
      'OIDC_SCOPE must be scopes with a blank between two, and openid among them',
    ])
})
