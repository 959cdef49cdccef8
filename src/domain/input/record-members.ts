/**
 * Kinds of members: what a member of a record can be, as data. Each layer has one interpreter with a switch over
 * `kind`, which does not compile when a kind is added.
 */
import type { Violation } from './errors.ts'
import type { TextFormat } from './formats.ts'
import type { InputReader } from './input-reader.ts'
import type { Schema } from './json-schema.ts'
import { EXTERNAL_REF_MAX } from './limits.ts'

/**
 * Whether a create must give a member. `required`: it must, and null is refused. `optional`: null when absent.
 * `defaulted`: it has a default when absent; null is refused. `derived`: made from the name when absent or null, and
 * stored as a value; the operation makes it.
 */
export type Presence = 'required' | 'optional' | 'defaulted' | 'derived'

/** What all kinds have. The name in REST is the member's in snake_case, unless `restName` gives another. */
interface Common<P extends Presence> {
  readonly presence: P
  readonly restName?: string
  /** Where documents have it; by default among the attributes. */
  readonly at?: 'relationships'
}

/** Bounds of the length in Unicode code points; `format` and `isName` as in a TextRule. */
export interface TextMember<P extends Presence = Presence> extends Common<P> {
  readonly kind: 'text'
  readonly min?: number
  readonly max: number
  readonly format?: TextFormat
  readonly isName?: boolean
  /** The scope in which the text is unique, such as `among books`; for descriptions. */
  readonly unique?: string
  /** A second name in documents, read when the first is absent. */
  readonly alias?: string
}

/** One of a closed list of words; `initial` is that of a new record without one. */
export interface WordMember<P extends Presence = Presence, Word extends string = string> extends Common<P> {
  readonly kind: 'word'
  readonly words: readonly Word[]
  readonly initial?: Word
}

export interface IntegerMember<P extends Presence = Presence> extends Common<P> {
  readonly kind: 'integer'
  readonly min: number
  readonly max: number
}

/** A number with a fraction. */
export interface NumberMember<P extends Presence = Presence> extends Common<P> {
  readonly kind: 'number'
  readonly min: number
  readonly max: number
}

/** A flag; `initial` is that of a new record without one. */
export interface BooleanMember<P extends Presence = Presence> extends Common<P> {
  readonly kind: 'boolean'
  readonly initial?: boolean
}

/** The id of another record, which the input gives by a reference; the operation finds the id. */
export interface LinkMember<P extends Presence = Presence> extends Common<P> {
  readonly kind: 'link'
  readonly types: readonly string[]
}

/** Ids of other records in their order; an optional list is empty when it is absent or null. */
export interface LinksMember<P extends Presence = Presence> extends Common<P> {
  readonly kind: 'links'
  readonly type: string
  readonly max: number
  /** Whether a repeated id is refused; otherwise it is dropped. */
  readonly refusesRepeated?: boolean
  /** Whether the record's table has a column for them; else they are in a table of their own. */
  readonly hasColumn: boolean
}

/** Whether the record is new, and the value that is stored otherwise. */
export interface ValueRule<Stored> {
  readonly isNew: boolean
  readonly stored: Stored | undefined
}

/** How a value with parts is stored: in a jsonb column, in one of its own type, or outside the record's table. */
export type StoredAs = 'json' | 'plain' | 'none'

/**
 * A member whose value has parts. It is read and merged by functions of its own. `Given` is the type that is read, when
 * the operation makes the patch from it.
 */
export interface ValueMember<
  Stored = unknown,
  Patch = unknown,
  P extends Presence = Presence,
  Given = Patch,
  As extends StoredAs = StoredAs,
> extends Common<P> {
  /** Prices by currency, without and with tiers; texts by language; a value of a single noun. */
  readonly kind: 'prices' | 'tieredPrices' | 'locales' | 'custom'
  readonly column: As
  /** Maximum number of entries; for descriptions. */
  readonly max?: number
  /** The JSON schema of a given value, including null where it is allowed. */
  readonly schema: Schema
  read(reader: InputReader, name: string, rule: ValueRule<Stored>): Given | null | undefined
  /** The value after a patch, null to clear it; `stored` is undefined in a new record. */
  merge(stored: Stored | undefined, patch: Patch | null | undefined): Stored
  /** The violations of a merged value that stored parts cause; paths start at the member. */
  violations?(value: Stored): Violation[]
  /** The value in an export, where it differs. */
  exported?(value: Stored): unknown
}

/** A value with parts in a jsonb column. */
export type JsonMember<Stored, Patch, P extends Presence> = ValueMember<Stored, Patch, P, Patch, 'json'>

/** A value with parts of a single noun; each layer is told how to show it. */
export type CustomMember<
  Stored,
  Patch,
  P extends Presence,
  Given = Patch,
  As extends StoredAs = StoredAs,
> = ValueMember<Stored, Patch, P, Given, As> & { readonly kind: 'custom' }

/** One member of a record. */
export type Member =
  | TextMember
  | WordMember
  | IntegerMember
  | NumberMember
  | BooleanMember
  | LinkMember
  | LinksMember
  | ValueMember

/** The members of a record by name, in the order in which they are read and listed. */
export type Members = Readonly<Record<string, Member>>

type TextOptions = Omit<TextMember, 'kind' | 'presence'>
type Bounds = Pick<IntegerMember, 'min' | 'max' | 'restName'>

/** A required text. */
export function text(options: TextOptions): TextMember<'required'> {
  return { kind: 'text', presence: 'required', ...options }
}

/** A text or null. */
export function optionalText(options: TextOptions): TextMember<'optional'> {
  return { kind: 'text', presence: 'optional', ...options }
}

/** A free reference to another system. */
export function externalRef(unique?: string): TextMember<'optional'> {
  return optionalText({ max: EXTERNAL_REF_MAX, ...(unique !== undefined && { unique }) })
}

/** A required word, one of `words`. */
export function word<Word extends string>(words: readonly Word[]): WordMember<'required', Word> {
  return { kind: 'word', presence: 'required', words }
}

/** One of `words`; `initial` in a new record without one. */
export function wordOr<Word extends string>(initial: Word, words: readonly Word[]): WordMember<'defaulted', Word> {
  return { kind: 'word', presence: 'defaulted', words, initial }
}

/** One of `words`, or null. */
export function optionalWord<Word extends string>(words: readonly Word[]): WordMember<'optional', Word> {
  return { kind: 'word', presence: 'optional', words }
}

/** A required integer. */
export function integer(bounds: Bounds): IntegerMember<'required'> {
  return { kind: 'integer', presence: 'required', ...bounds }
}

/** An integer or null. */
export function optionalInteger(bounds: Bounds): IntegerMember<'optional'> {
  return { kind: 'integer', presence: 'optional', ...bounds }
}

/** A number or null. */
export function optionalNumber(bounds: Bounds): NumberMember<'optional'> {
  return { kind: 'number', presence: 'optional', ...bounds }
}

/** A required flag, true or false. */
export function boolean(): BooleanMember<'required'> {
  return { kind: 'boolean', presence: 'required' }
}

/** A flag; `initial` in a new record without one. */
export function booleanOr(initial: boolean): BooleanMember<'defaulted'> {
  return { kind: 'boolean', presence: 'defaulted', initial }
}
