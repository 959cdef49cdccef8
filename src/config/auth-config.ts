/** Configuration of tokens: how they are verified, and which claims hold the role and what rules compare. */
import type { EnvReader } from './env-reader.ts'

/**
 * How tokens are verified (token.one-pinned-algorithm). With an external key set this server issues none
 * (token.issued-with-own-secret).
 */
export type AuthConfig = SecretAuth | KeySetAuth

interface TokenRules {
  /** Required issuer of a token, which issued tokens have too; null for any. */
  readonly issuer: string | null
  readonly audience: string | null
  readonly claims: TokenClaims
}

/** Verification with a secret of this server (HS256). */
export interface SecretAuth extends TokenRules {
  readonly kind: 'secret'
  readonly secret: string
  readonly clientId: string
  readonly clientSecret: string
}

/** Verification with the key set (JWKS) at `url`, which belongs to an identity provider. */
export interface KeySetAuth extends TokenRules {
  readonly kind: 'jwks'
  readonly url: string
}

/** How pages sign in at the identity provider, as a public client of it (token.pages-sign-in). */
export interface SignInConfig {
  /** The provider, an http or https URL. */
  readonly issuer: string
  readonly clientId: string
  /** Scopes with blanks between; `openid` is among them. */
  readonly scope: string
  /** For providers that make a token for an audience only when they are asked to; null for none. */
  readonly audience: string | null
}

/**
 * Which claims of a token hold the role, the account, the channel and the tags (token.role-from-claim,
 * token.account-from-claim, token.context-from-claims).
 */
export interface TokenClaims {
  /** The name of a claim, or the path to it: `realm_access.roles`. */
  readonly role: string
  readonly account: string
  readonly channel: string
  readonly tags: string
  /** Values of the role that make an administrator. */
  readonly adminRoles: readonly string[]
  /**
   * True: the role is a text or a list, and any value other than an admin role makes a shopper. False: it is a text,
   * and only `shopper` makes a shopper.
   */
  readonly areProviderRoles: boolean
}

/** The role of a shopper in tokens of this server. */
export const SHOPPER_ROLE = 'shopper'

/** The claims of the tokens that this server issues by default. */
export const defaultClaims: TokenClaims = {
  role: 'role',
  account: 'account_id',
  channel: 'channel',
  tags: 'context_tags',
  adminRoles: ['admin'],
  areProviderRoles: false,
}

/** Minimum length of the secret: shorter keys weaken HS256 (RFC 7518, 3.2). */
const SECRET_MIN_BYTES = 32
/** Public client credentials of the demo (token.demo-tokens-stay-local). */
const DEMO_CLIENT_ID = 'demo'
const DEMO_CLIENT_SECRET = 'demo-secret'
/** The name of a claim, which WWW-Authenticate quotes (RFC 6750, 3). */
const CLAIM_NAME = /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/
/** The id of a client (RFC 6749, A.1). */
const CLIENT_ID_TEXT = /^[\x20-\x7e]{1,256}$/
/** Scopes (RFC 6749, 3.3) with `openid` among them. */
const SCOPES = /^(?=(?:.* )?openid(?: |$))[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/
/** Default of OIDC_SCOPE. */
const SCOPE = 'openid'
/** Claims with a meaning of their own in every token that this server issues (RFC 7519, 4.1). */
const REGISTERED_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat']

/** The variables that name claims, in an order in which a later one must differ from those before it. */
const claimVariables = [
  ['role', 'AUTH_ROLE_CLAIM'],
  ['account', 'AUTH_ACCOUNT_CLAIM'],
  ['channel', 'AUTH_CHANNEL_CLAIM'],
  ['tags', 'AUTH_TAGS_CLAIM'],
] as const

/** Reads the variables; a missing secret is null. `env` collects the problems. */
export function readAuth(
  env: EnvReader,
  production: boolean,
): KeySetAuth | (Omit<SecretAuth, 'secret'> & { secret: string | null }) {
  const issuer = env.text('AUTH_ISSUER')
  const audience = env.text('AUTH_AUDIENCE')
  const claims = readTokenClaims(env)
  const url = env.url('AUTH_JWKS_URL', ['https:', 'http:'])
  if (url !== null && (new URL(url).username !== '' || new URL(url).password !== ''))
    env.problem('AUTH_JWKS_URL', 'must be without a user and a password')
  // An invalid URL is already reported, and still means that no secret is expected.
  if (url !== null || env.text('AUTH_JWKS_URL') !== null)
    return { kind: 'jwks', url: url ?? '', issuer, audience, claims }

  const named = claimVariables.map(([member]) => claims[member])
  for (const [index, [member, name]] of claimVariables.entries()) {
    const claim = claims[member]
    if (REGISTERED_CLAIMS.includes(claim)) env.problem(name, `must not be ${claim}, unless AUTH_JWKS_URL is given`)
    // A provider may give roles that are tags too; in a token of this server the second claim would replace the first.
    else if (index > 1 && named.indexOf(claim) < index)
      env.problem(
        name,
        `must be another claim than that of ${claimVariables[named.indexOf(claim)]?.[1]}, unless AUTH_JWKS_URL is given`,
      )
  }
  const secret = env.text('AUTH_SECRET')
  if (secret !== null && Buffer.byteLength(secret) < SECRET_MIN_BYTES)
    env.problem('AUTH_SECRET', `must be at least ${SECRET_MIN_BYTES} bytes`)
  const clientId = env.text('CLIENT_ID')
  const clientSecret = env.text('CLIENT_SECRET')
  if (production) {
    for (const [name, value] of Object.entries({
      AUTH_SECRET: secret,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    })) {
      if (value === null) env.problem(name, 'must be given in production, unless AUTH_JWKS_URL is')
    }
    if (clientSecret === DEMO_CLIENT_SECRET)
      env.problem('CLIENT_SECRET', 'must not be the one of the demo in production')
  }
  return {
    kind: 'secret',
    secret,
    clientId: clientId ?? DEMO_CLIENT_ID,
    clientSecret: clientSecret ?? DEMO_CLIENT_SECRET,
    issuer,
    audience,
    claims,
  }
}

/** Reads how pages sign in; null when they don't. `env` collects the problems. */
export function readSignIn(env: EnvReader): SignInConfig | null {
  const clientId = env.matching('OIDC_CLIENT_ID', CLIENT_ID_TEXT, 'at most 256 printable characters of ASCII')
  const scope = env.matching('OIDC_SCOPE', SCOPES, 'scopes with a blank between two, and openid among them')
  if (env.text('OIDC_CLIENT_ID') === null) return null
  if (env.text('AUTH_JWKS_URL') === null) env.problem('OIDC_CLIENT_ID', 'needs AUTH_JWKS_URL, the keys of the provider')
  if (env.text('AUTH_ISSUER') === null)
    env.problem('OIDC_CLIENT_ID', 'needs AUTH_ISSUER, by which the addresses of the provider are found')
  const issuer = env.url('AUTH_ISSUER', ['https:', 'http:'])
  if (issuer !== null && /[?#@]/.test(issuer))
    env.problem('AUTH_ISSUER', 'must be without a user, a query and a fragment with OIDC_CLIENT_ID')
  return { issuer: issuer ?? '', clientId: clientId ?? '', scope: scope ?? SCOPE, audience: env.text('AUTH_AUDIENCE') }
}

function readTokenClaims(env: EnvReader): TokenClaims {
  const name = 'at most 256 printable characters of ASCII without blanks, quotation marks and backslashes'
  const role = env.matching('AUTH_ROLE_CLAIM', CLAIM_NAME, name)
  const account = env.matching('AUTH_ACCOUNT_CLAIM', CLAIM_NAME, name)
  const adminRoles = env.list('AUTH_ADMIN_ROLES')
  if (adminRoles.includes(SHOPPER_ROLE))
    env.problem('AUTH_ADMIN_ROLES', `must not hold ${SHOPPER_ROLE}, the role of shoppers`)
  const channel = env.matching('AUTH_CHANNEL_CLAIM', CLAIM_NAME, name)
  const tags = env.matching('AUTH_TAGS_CLAIM', CLAIM_NAME, name)
  const claims = {
    ...defaultClaims,
    ...(role !== null && { role }),
    ...(account !== null && { account }),
    ...(channel !== null && { channel }),
    ...(tags !== null && { tags }),
  }
  if (claims.role === claims.account) env.problem('AUTH_ACCOUNT_CLAIM', 'must be another claim than that of the role')
  const areProviderRoles = role !== null || adminRoles.length > 0
  return { ...claims, ...(adminRoles.length > 0 && { adminRoles }), areProviderRoles }
}
