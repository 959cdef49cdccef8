/** References: resolves the records that an input names by id or external_ref (record.references-by-id-or-ref). */
import { assertValid, type Path, type Violation } from '../domain/input/errors.ts'
import { type Reference, resolveReferences } from '../domain/input/record.ts'
import { pathOf, type RecordDefinition } from '../domain/input/record-definition.ts'
import type { LinkMember, LinksMember, Member, Members } from '../domain/input/record-members.ts'
import { type LockableNoun, lockReferenced } from '../persistence/database/reference.ts'
import type { LockStrength } from '../persistence/database/row-lock.ts'
import type { Transaction } from '../persistence/database/transaction.ts'

/**
 * The ids of the records that `references` name, in their order, locked until the transaction ends; undefined without
 * references. Throws `validation` with a violation under `path` for each reference that names no record, or several.
 */
export async function resolveIds(
  tx: Transaction,
  noun: LockableNoun,
  references: readonly Reference[] | undefined,
  path: Path,
  strength?: LockStrength,
): Promise<string[] | undefined> {
  const found = references ? await lockReferenced(tx, noun, references, strength) : []
  const { ids, violations } = resolveReferences(references, found, path, noun)
  assertValid(violations)
  return ids
}

/** As `resolveIds`, for a single reference, whose violations are at `path`. */
export async function resolveId(
  tx: Transaction,
  noun: LockableNoun,
  reference: Reference | undefined,
  path: Path,
): Promise<string | undefined> {
  if (reference === undefined) return undefined
  const { ids, violations } = resolveReferences([reference], await lockReferenced(tx, noun, [reference]), [], noun)
  assertValid(violations.map((violation) => ({ ...violation, path })))
  return ids?.[0]
}

/** What messages call the records that a link names, by their type. */
const nouns: Readonly<Record<string, LockableNoun>> = {
  product: 'product',
  hierarchy: 'hierarchy',
  catalog: 'catalog',
  pricebook: 'price book',
  subscription_product: 'subscription product',
  subscription_plan: 'plan',
}

/**
 * The members that were read of a record, with ids in place of the references of its links. The records that they name
 * are locked until the transaction ends. Throws `validation` with a violation for each reference that names no record,
 * or several. One statement for each given link.
 */
export async function resolveLinks<M extends Members>(
  tx: Transaction,
  { members }: RecordDefinition<M>,
  given: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const resolved: Record<string, unknown> = {}
  const violations: Violation[] = []
  for (const [name, member] of Object.entries<Member>(members)) {
    const value = given[name]
    if (value == null || (member.kind !== 'link' && member.kind !== 'links')) continue
    const references = (member.kind === 'link' ? [value] : value) as readonly Reference[]
    const noun = nounOf(member)
    const path = pathOf(name, member)
    const found = resolveReferences(references, await lockReferenced(tx, noun, references), path, noun)
    violations.push(...(member.kind === 'link' ? found.violations.map((one) => ({ ...one, path })) : found.violations))
    resolved[name] = member.kind === 'link' ? found.ids?.[0] : found.ids
  }
  assertValid(violations)
  return { ...given, ...resolved }
}

function nounOf(member: LinkMember | LinksMember): LockableNoun {
  const types = member.kind === 'link' ? member.types : [member.type]
  const noun = types.length === 1 ? nouns[types[0] as string] : undefined
  if (!noun) throw new Error(`a link to ${types.join(' or ')} is resolved by the commands of its record`)
  return noun
}
