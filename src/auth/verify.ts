/**
 * Token verification: bearer tokens are checked with the one key and algorithm of the configuration
 * (token.one-pinned-algorithm).
 */
import { createHash } from 'node:crypto'
import { type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { KeySetAuth, SecretAuth } from '../config/auth-config.ts'
import { Unavailable } from '../domain/input/errors.ts'
import { cacheLookups } from '../lib/metrics.ts'
import { readClaims } from './claims.ts'
import { InvalidToken, noToken, problemOf, SIGNATURE } from './invalid-token.ts'
import { createKeySet, type KeySet } from './key-set.ts'
import type { Viewer } from './viewer.ts'

/** Tolerated difference of clocks, in seconds. */
export const CLOCK_SKEW_SECONDS = 60
/**
 * Verified tokens are cached: at most TOKENS_CACHED, each for at most TOKEN_CACHE_MS, since the owner of a key set may
 * withdraw keys.
 */
const TOKENS_CACHED = 10_000
const TOKEN_CACHE_MS = 5 * 60_000
const lookups = cacheLookups('tokens')

type VerifyConfig = Omit<SecretAuth, 'clientId' | 'clientSecret'> | KeySetAuth

/** A viewer who was authenticated by a token. */
export interface Bearer extends Viewer {
  /** Digest of the signed part of the token: the same on every server, and for every encoding of the signature. */
  readonly token: string
}

/**
 * Authenticates the viewer of an Authorization header at `now` (epoch milliseconds). Throws DomainError
 * `unauthenticated` without a bearer token. Rejects with InvalidToken for a token that is not accepted, and with
 * Unavailable when the keys can't be fetched. A cached token gives its result without a promise.
 */
export type Authenticate = (authorization: string | undefined, now: number) => Bearer | Promise<Bearer>

/** Makes the verification for the configuration `auth`. `keys` is its key set; by default a new one. */
export function createAuthenticate(auth: VerifyConfig, keys?: KeySet | null): Authenticate {
  const verify = auth.kind === 'secret' ? withSecret(auth.secret) : withKeySet(keys ?? createKeySet(auth.url))
  const source =
    auth.kind === 'secret' ? 'POST /oauth/access_token gives one' : "this server's identity provider gives one"
  const cache = new LRUCache<string, { readonly viewer: Bearer; readonly until: number }>({ max: TOKENS_CACHED })
  const options: JWTVerifyOptions = {
    clockTolerance: CLOCK_SKEW_SECONDS,
    requiredClaims: ['sub', 'exp'],
    ...(auth.issuer !== null && { issuer: auth.issuer }),
    ...(auth.audience !== null && { audience: auth.audience }),
  }

  async function claimsOf(token: string, now: number): Promise<Viewer> {
    try {
      const payload = await verify(token, { ...options, currentDate: new Date(now) })
      return { ...readClaims(payload, auth.claims), expiresAt: ((payload.exp ?? 0) + CLOCK_SKEW_SECONDS) * 1000 }
    } catch (error) {
      throw error instanceof InvalidToken ? new InvalidToken(error.reason, source) : error
    }
  }

  async function verified(token: string, digest: string, now: number): Promise<Bearer> {
    const claimed = await claimsOf(token, now)
    const viewer = { ...claimed, token: digestOf(token.slice(0, token.lastIndexOf('.'))) }
    cache.set(digest, { viewer, until: Math.min(viewer.expiresAt, now + TOKEN_CACHE_MS) })
    return viewer
  }

  return (authorization, now) => {
    const token = bearerToken(authorization)
    if (token === null) throw noToken(source)
    const digest = digestOf(token)
    const cached = cache.get(digest)
    const current = lookups.count(cached !== undefined && now < cached.until ? cached : undefined)
    if (current) return current.viewer
    return verified(token, digest, now)
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

type Verify = (token: string, options: JWTVerifyOptions) => Promise<JWTPayload>

function withSecret(secret: string): Verify {
  const key = new TextEncoder().encode(secret)
  return async (token, options) => {
    try {
      return (await jwtVerify(token, key, { ...options, algorithms: ['HS256'] })).payload
    } catch (error) {
      throw problemOf(error) ?? new InvalidToken(SIGNATURE)
    }
  }
}

function withKeySet(keys: KeySet): Verify {
  const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512']
  return async (token, options) => {
    try {
      return (await jwtVerify(token, keys.find, { ...options, algorithms })).payload
    } catch (error) {
      throw problemOf(error) ?? new Unavailable('the signing keys are not available', { cause: error })
    }
  }
}

/** The token of an Authorization header; null without one. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1] ?? null
}
