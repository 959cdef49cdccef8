/**
 * Record definitions: the members of a record, each once (src/README.md, "Add a field").
 *
 * A definition is data. Its interpreters: `record-reader.ts`, `record-change.ts` and `record-schema.ts` beside it,
 * `persistence/database/record-table.ts`, `operations/record-commands.ts` and `references.ts`,
 * `graphql/pricing/record-mutations.ts`, `import/sheet/record-sheet.ts`, and `record-object.ts` beside it.
 */
import type { Path, Violation } from './errors.ts'
import type { StoredRecord } from './patch.ts'
import type { Reference } from './record.ts'
import type { Member, Members, ValueMember, WordMember } from './record-members.ts'

/** The value of a member that is not null. */
type ValueOf<M extends Member> =
  M extends ValueMember<infer Stored>
    ? Stored
    : M extends WordMember<infer _, infer Word>
      ? Word
      : M['kind'] extends 'text' | 'link'
        ? string
        : M['kind'] extends 'integer' | 'number'
          ? number
          : M['kind'] extends 'boolean'
            ? boolean
            : readonly string[]

/** A member whose own type decides about null. */
interface Listed {
  readonly kind: 'links' | ValueMember['kind']
}

/** Null, for a member whose presence is one of `P`; links are an empty list instead. */
type NullIf<M extends Member, P> = M['kind'] extends 'links' ? never : M['presence'] extends P ? null : never

/** A member as it is stored. */
export type StoredOf<M extends Member> = ValueOf<M> | (M extends Listed ? never : NullIf<M, 'optional'>)

/** A member as it changes a record: a value with parts as the patch that it merges. */
type PatchedOf<M extends Member> =
  M extends ValueMember<infer _, infer Patch> ? Patch | null : ValueOf<M> | NullIf<M, 'optional'>

/** A member as it is read: links are references. */
type GivenOf<M extends Member> =
  M extends ValueMember<infer _, infer __, infer ___, infer Given>
    ? Given | null
    :
        | (M['kind'] extends 'link' ? Reference : M['kind'] extends 'links' ? readonly Reference[] : ValueOf<M>)
        | NullIf<M, 'optional' | 'derived'>

type NamesWith<M extends Members, P> = { [K in keyof M]: M[K]['presence'] extends P ? K : never }[keyof M]

/** A stored record. */
export type RecordOf<M extends Members> = StoredRecord & { readonly [K in keyof M]: StoredOf<M[K]> }

/** The input of an update: undefined keeps the stored value, null clears it. */
export type GivenPatch<M extends Members> = { readonly [K in keyof M]?: GivenOf<M[K]> | undefined }

/** The input of a create, with all required members. */
export type GivenRecord<M extends Members> = GivenPatch<M> & {
  readonly [K in NamesWith<M, 'required'>]: NonNullable<GivenOf<M[K]>>
}

/** A change of a record: the input, with ids in place of references. */
export type RecordPatch<M extends Members> = { readonly [K in keyof M]?: PatchedOf<M[K]> | undefined }

/** The members of a new record, with those that the operation derives. */
export type NewMembers<M extends Members> = RecordPatch<M> & {
  readonly [K in NamesWith<M, 'required' | 'derived'>]: NonNullable<PatchedOf<M[K]>>
}

/**
 * Rules over several members, each by the member at which it is reported. A rule runs once that member is read, over
 * the members read so far, and again over the whole updated record.
 */
export type MemberRules<M extends Members> = {
  readonly [K in keyof M]?: (members: { readonly [N in keyof M]?: StoredOf<M[N]> | undefined }) => readonly Violation[]
}

/** A record: its type in REST and imports, its members, and the rules that join them. */
export interface RecordDefinition<M extends Members> {
  readonly type: string
  readonly members: M
  readonly rules: MemberRules<M>
  /** Whether the document of an update must repeat the id in the path of its request. */
  readonly repeatsId?: boolean
}

/** Defines a record. Members are read, and violations reported, in the order given. */
export function defineRecord<const M extends Members>(
  type: string,
  members: M,
  rules: MemberRules<M> = {},
  options: Pick<RecordDefinition<M>, 'repeatsId'> = {},
): RecordDefinition<M> {
  return { type, members, rules, ...options }
}

/** The name of a member in REST, imports and exports. */
export function restNameOf(name: string, { restName }: Member): string {
  return restName ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The place of a member in a document. */
export function pathOf(name: string, member: Member): Path {
  const restName = restNameOf(name, member)
  return member.at ? [member.at, restName, 'data'] : ['attributes', restName]
}
