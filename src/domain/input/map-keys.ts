/** Map keys that clients choose: keys given twice, and the key that no map may have. */
import { ownKey, type Violation } from './errors.ts'

const repeated = Symbol('repeated keys')

/**
 * Makes an object of entries. Of several entries with one key the last counts. The object records such keys, so that
 * `duplicateKeyViolations` can report them.
 */
export function fromEntries(entries: readonly (readonly [string, unknown])[]): Readonly<Record<string, unknown>> {
  const seen = new Set<string>()
  const again = new Set<string>()
  for (const [name] of entries) (seen.has(name) ? again : seen).add(name)
  const object = Object.fromEntries(entries)
  return again.size === 0 ? object : Object.assign(object, { [repeated]: again })
}

/** DUPLICATE when `object` was made by `fromEntries` of several entries with the key `name`. */
export function duplicateKeyViolations(object: object, name: string): Violation[] {
  const again = (object as { [repeated]?: ReadonlySet<string> })[repeated]
  return again?.has(name) ? [{ code: 'DUPLICATE', path: [ownKey(name.toWellFormed())], message: 'is given twice' }] : []
}

/**
 * A map key that is a violation everywhere: Prisma loses it when it copies JSON, because assignment to it sets the
 * prototype of an object.
 */
export const FORBIDDEN_KEY = '__proto__'
