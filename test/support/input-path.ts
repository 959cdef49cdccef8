/**
 * Paths of userErrors in tests. `keyedPath` writes one as REST does, with the key of a map's entry for its index; it
 * throws when the path leads nowhere in the input.
 */

/** The members of an entry that hold its key, and its value if that is a member too. */
const keyMembers = ['currency', 'language', 'template', 'key', 'name'] as const
const valueMembers: Readonly<Record<string, string>> = { currency: 'price', template: 'fields', key: 'value' }

/** The path as text, where `lists` are the members whose entries have keys. */
export function keyedPath(path: readonly string[], input: unknown, lists: ReadonlySet<string>): string {
  const shown: string[] = []
  let value = input
  for (let at = 0; at < path.length; at++) {
    const step = path[at] as string
    const isEntry = Array.isArray(value) && lists.has(path[at - 1] as string)
    value = stepInto(value, step, path)
    const key = isEntry ? keyMembers.find((member) => Object.hasOwn(value as object, member)) : undefined
    shown.push(key === undefined ? step : ((value as Record<string, string>)[key]?.toWellFormed() ?? ''))
    const next = path[at + 1]
    if (key === undefined || next === undefined || (next !== key && next !== valueMembers[key])) continue
    value = stepInto(value, next, path)
    at++
  }
  return shown.join('.')
}

/** The value that a member or element has; undefined when it is absent, which only the end of a path may be. */
export function stepInto(value: unknown, step: string, path: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null)
    throw new Error(`${path.join('.')} goes on after ${JSON.stringify(value)}`)
  if (Array.isArray(value) && !(step in value)) throw new Error(`${path.join('.')} has no element ${step}`)
  return (value as Record<string, unknown>)[step]
}
