/** Members with parts that an update replaces whole (record-members.ts). */
import type { InputReader } from './input-reader.ts'
import type { CustomMember, StoredAs, ValueMember } from './record-members.ts'

interface Options<Stored, Given> extends Pick<ValueMember, 'restName' | 'at' | 'max' | 'schema'> {
  /** Reads the member `name`, null for none. */
  readonly read: (reader: InputReader, name: string) => Given | null | undefined
  readonly exported?: (value: Stored) => unknown
}

type Whole<Stored, Given, As extends StoredAs> = CustomMember<Stored, NonNullable<Stored>, 'optional', Given, As>

/** A member in a jsonb column; `none` is the value of a record without one. */
export function wholeJson<Stored, Given = NonNullable<Stored>>(
  none: Stored,
  options: Options<Stored, Given>,
): Whole<Stored, Given, 'json'> {
  return { kind: 'custom', presence: 'optional', column: 'json', ...options, merge: replacedBy(none) }
}

/** A member in a column of its own type. */
export function wholePlain<Stored>(
  none: Stored,
  options: Options<Stored, NonNullable<Stored>>,
): Whole<Stored, NonNullable<Stored>, 'plain'> {
  return { kind: 'custom', presence: 'optional', column: 'plain', ...options, merge: replacedBy(none) }
}

/** The merge of such a value; `none` is the value of a new record without one, and after null. */
export function replacedBy<Stored>(none: Stored) {
  return (stored: Stored = none, patch?: Stored | null): Stored => (patch === undefined ? stored : (patch ?? none))
}
