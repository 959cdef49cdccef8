/** Links: members that name other records, and what a list of them may hold. */
import type { Violation } from './errors.ts'
import type { LinkMember, LinksMember, Presence } from './record-members.ts'

type LinkOptions = Pick<LinkMember, 'restName' | 'at'>
type ListOptions = Omit<LinksMember, 'kind' | 'presence' | 'hasColumn'>
type Listed<P extends Presence> = LinksMember<P> & { readonly hasColumn: false }

/** The id of a record of one of the types; required. */
export function link(types: readonly string[], options: LinkOptions = {}): LinkMember<'required'> {
  return { kind: 'link', presence: 'required', types, ...options }
}

/** The id of a record of one of the types, or null. */
export function optionalLink(types: readonly string[], options: LinkOptions = {}): LinkMember<'optional'> {
  return { kind: 'link', presence: 'optional', types, ...options }
}

/** Ids in a column of the record's table; null for none. */
export function links(options: ListOptions): LinksMember<'optional'> {
  return { kind: 'links', presence: 'optional', hasColumn: true, ...options }
}

/** Ids in a table of their own; required, but the list may be empty. */
export function requiredList(options: ListOptions): Listed<'required'> {
  return { kind: 'links', presence: 'required', hasColumn: false, ...options }
}

/** Ids in a table of their own; an empty list in a new record by default. Null is refused. */
export function listOrNone(options: ListOptions): Listed<'defaulted'> {
  return { kind: 'links', presence: 'defaulted', hasColumn: false, ...options }
}

/** The ids of a list as it is stored: without repetitions, unless these are refused. */
export function listedIds({ refusesRepeated }: LinksMember, ids: readonly string[]): readonly string[] {
  return refusesRepeated ? ids : [...new Set(ids)]
}

/** DUPLICATE for each id that repeats an earlier one. */
export function repeatedIds(ids: readonly string[]): Violation[] {
  return ids.flatMap((id, index): Violation[] =>
    ids.indexOf(id) === index ? [] : [{ code: 'DUPLICATE', path: [index], message: 'is given twice' }],
  )
}
