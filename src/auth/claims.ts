/** The claims of a token as a viewer (token.role-from-claim, token.account-from-claim, token.context-from-claims). */
import type { JWTPayload } from 'jose'
import { SHOPPER_ROLE, type TokenClaims } from '../config/auth-config.ts'
import { isUuid } from '../domain/input/formats.ts'
import { isStorable } from '../domain/input/text.ts'
import { badClaim } from './invalid-token.ts'
import type { Viewer } from './viewer.ts'

/**
 * Reads the viewer. Throws an InvalidToken that names the claim. The subject is stored with each of its writes, so its
 * text is checked (value.text-can-be-stored).
 */
export function readClaims(payload: JWTPayload, claims: TokenClaims): Omit<Viewer, 'expiresAt'> {
  const { sub } = payload
  if (typeof sub !== 'string' || sub === '' || !isStorable(sub)) throw badClaim('sub')
  const role = roleOf(claimOf(payload, claims.role), claims)
  if (role === null) throw badClaim(claims.role)
  const accountId = claimOf(payload, claims.account) ?? null
  if (accountId !== null && (typeof accountId !== 'string' || !isUuid(accountId))) throw badClaim(claims.account)
  const channel = claimOf(payload, claims.channel) ?? null
  if (channel !== null && !isText(channel)) throw badClaim(claims.channel)
  const tags = [claimOf(payload, claims.tags) ?? []].flat()
  if (!tags.every(isText)) throw badClaim(claims.tags)
  return { subject: sub, role, accountId: accountId?.toLowerCase() ?? null, channel: channel || null, tags }
}

/** Whether a claim is a text that rules can be compared with in the database. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorable(value)
}

/**
 * The role that a claim's value gives; null for none. A provider's users have several roles, most of which mean nothing
 * here.
 */
function roleOf(value: unknown, { adminRoles, areProviderRoles }: TokenClaims): Viewer['role'] | null {
  const roles: readonly unknown[] = areProviderRoles && Array.isArray(value) ? value : [value]
  if (!roles.every((role) => typeof role === 'string')) return null
  if (roles.some((role) => adminRoles.includes(role))) return 'admin'
  return areProviderRoles || roles.includes(SHOPPER_ROLE) ? 'shopper' : null
}

/**
 * The claim with this name; undefined without one (token.claim-by-name-or-path). A name may be a URL, so the whole name
 * is tried first. Otherwise a dot leads into an object, whose members may have dots in their names too.
 */
function claimOf(members: object, name: string): unknown {
  if (Object.hasOwn(members, name)) return (members as Record<string, unknown>)[name]
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const inner = Object.hasOwn(members, name.slice(0, dot)) && (members as Record<string, unknown>)[name.slice(0, dot)]
    const found = typeof inner === 'object' && inner !== null ? claimOf(inner, name.slice(dot + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
