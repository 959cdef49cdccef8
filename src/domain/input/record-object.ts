/** Record objects: the members of a defined record in an export, beside its type and id. */
import { type RecordDefinition, restNameOf } from './record-definition.ts'
import type { Member, Members } from './record-members.ts'

interface Parts {
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, { readonly data: unknown }>>
}

/** The members of a record by REST's names, null where it has no value. */
export function recordParts<M extends Members>(
  { members }: RecordDefinition<M>,
  record: { readonly [Name in keyof M]: unknown },
): Parts {
  const named = Object.entries<Member>(members).map(
    ([name, member]) => [member, restNameOf(name, member), exportedValue(member, record[name])] as const,
  )
  const attributes = named.flatMap(([{ at }, name, value]) => (at ? [] : [[name, value]]))
  const related = named.flatMap(([{ at }, name, value]) => (at ? [[name, { data: value }]] : []))
  return {
    attributes: Object.fromEntries(attributes),
    ...(related.length > 0 && { relationships: Object.fromEntries(related) }),
  }
}

function exportedValue(member: Member, value: unknown): unknown {
  switch (member.kind) {
    case 'text':
    case 'word':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'link':
    case 'links':
      return value
    case 'prices':
    case 'tieredPrices':
    case 'locales':
    case 'custom':
      return member.exported ? member.exported(value) : value
  }
}
