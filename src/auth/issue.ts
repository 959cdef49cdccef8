/** Token issuing, for a server that verifies tokens with its own secret. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { SignJWT } from 'jose'
import { type SecretAuth, SHOPPER_ROLE } from '../config/auth-config.ts'
import type { Viewer } from './viewer.ts'

/** Lifetime of issued tokens in seconds. */
export const TOKEN_SECONDS = 3600

/** A signed token. */
export interface IssuedToken {
  readonly token: string
  /** Expiry in seconds since the epoch. */
  readonly expires: number
}

/** Issues a token for `viewer` that is valid for TOKEN_SECONDS from `now` (epoch milliseconds). */
export type IssueToken = (
  viewer: Pick<Viewer, 'subject' | 'role'> & Partial<Pick<Viewer, 'accountId' | 'channel' | 'tags'>>,
  now: number,
) => Promise<IssuedToken>

/** Makes the issuer of tokens that are signed with the secret (token.issued-with-own-secret). */
export function createIssueToken(auth: Omit<SecretAuth, 'kind' | 'clientId' | 'clientSecret'>): IssueToken {
  const key = new TextEncoder().encode(auth.secret)
  const { claims } = auth
  return async ({ subject, role, accountId, channel, tags = [] }, now) => {
    const issued = Math.floor(now / 1000)
    const expires = issued + TOKEN_SECONDS
    const named = { [claims.role]: role === 'admin' ? claims.adminRoles[0] : SHOPPER_ROLE }
    const jwt = new SignJWT({
      ...named,
      ...(accountId != null && { [claims.account]: accountId }),
      ...(channel != null && { [claims.channel]: channel }),
      ...(tags.length > 0 && { [claims.tags]: tags }),
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(subject)
      .setIssuedAt(issued)
      .setExpirationTime(expires)
    if (auth.issuer !== null) jwt.setIssuer(auth.issuer)
    if (auth.audience !== null) jwt.setAudience(auth.audience)
    return { token: await jwt.sign(key), expires }
  }
}

/** Whether two secrets are equal. The time taken reveals neither their first difference nor their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
