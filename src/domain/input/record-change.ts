/** Record changes: a new record, and a stored one after a patch, by the definition of the record. */
import { prefixPaths, type Violation } from './errors.ts'
import { applyPatch } from './patch.ts'
import { type NewMembers, pathOf, type RecordDefinition, type RecordOf, type RecordPatch } from './record-definition.ts'
import { listedIds, repeatedIds } from './record-links.ts'
import type { Member, Members } from './record-members.ts'

type Values = Readonly<Record<string, unknown>>

/** Makes a new record; absent and null members get their initial value. `now` is in epoch milliseconds. */
export function makeRecord<M extends Members>(
  { members }: RecordDefinition<M>,
  given: NewMembers<M>,
  id: string,
  now: number,
): RecordOf<M> {
  const all: Values = given
  const values = Object.entries<Member>(members).map(([name, member]) => [name, firstValue(member, all[name])])
  return { id, ...Object.fromEntries(values), createdAt: now, updatedAt: now }
}

/**
 * The record after the patch, or `stored` itself when nothing changes (patch.equal-values-write-nothing). Values with
 * parts merge by rules of their own (patch.maps-merge-at-every-depth).
 */
export function patchRecord<M extends Members, Item extends RecordOf<M>>(
  { members }: RecordDefinition<M>,
  stored: Item,
  patch: RecordPatch<M>,
  now: number,
): Item {
  const given: Values = patch
  const before = stored as Values
  const changes = Object.entries<Member>(members).map(([name, member]) => [
    name,
    changedValue(member, given[name], before[name]),
  ])
  return applyPatch(stored, Object.fromEntries(changes), now)
}

/**
 * The violations of a whole record, including members that a patch did not change. Paths start at `data`, in the order
 * of the members.
 */
export function recordViolations<M extends Members>(
  { members, rules }: RecordDefinition<M>,
  record: RecordOf<M>,
): Violation[] {
  return Object.entries<Member>(members).flatMap(([name, member]) => {
    const own = ownViolations(member, (record as Values)[name])
    return prefixPaths(pathOf(name, member), [...own, ...(rules[name]?.(record) ?? [])])
  })
}

function ownViolations(member: Member, value: unknown): readonly Violation[] {
  if (member.kind === 'links') return member.refusesRepeated ? repeatedIds(value as readonly string[]) : []
  return 'violations' in member ? (member.violations?.(value) ?? []) : []
}

function firstValue(member: Member, given: unknown): unknown {
  switch (member.kind) {
    case 'word':
    case 'boolean':
      return given ?? member.initial ?? null
    case 'text':
    case 'integer':
    case 'number':
    case 'link':
      return given ?? null
    case 'links':
      return listedIds(member, (given ?? []) as readonly string[])
    case 'prices':
    case 'tieredPrices':
    case 'locales':
    case 'custom':
      return member.merge(undefined, given)
  }
}

function changedValue(member: Member, given: unknown, stored: unknown): unknown {
  if ('merge' in member) return member.merge(stored, given)
  return member.kind === 'links' ? given && listedIds(member, given as readonly string[]) : given
}
