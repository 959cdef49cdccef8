/**
 * Import keys: an object is recognized by its id, else its external_ref, else its natural key
 * (import.first-given-key-decides). So a repeated import finds its records (import.repeat-changes-nothing).
 */
import { externalRef, reference } from '../domain/input/document.ts'
import type { Violation } from '../domain/input/errors.ts'
import { uuid } from '../domain/input/formats.ts'
import type { InputReader } from '../domain/input/input-reader.ts'
import * as schema from '../domain/input/json-schema.ts'
import { EXTERNAL_REF_MAX } from '../domain/input/limits.ts'
import { readPartly } from '../domain/input/read-input.ts'
import { type Reference, readReference } from '../domain/input/record.ts'
import { isStorable } from '../domain/input/text.ts'
import type { RecordKey } from '../persistence/database/find-by-key.ts'

/** The first key that an object has; undefined: it has none and is created at each import. */
export type ImportKey = RecordKey | undefined

/**
 * The key of an object's `data`; `natural` is the attribute that is its natural key. A malformed id is a violation. Any
 * other malformed member is not a key, and the operation reports what is wrong with it. With `naturalFirst` the natural
 * key comes before the `external_ref`.
 */
export function readKey(
  data: unknown,
  natural: string | null,
  { naturalFirst = false } = {},
): { key: ImportKey; violations: readonly Violation[] } {
  const { value: key, violations } = readPartly(data, (reader): ImportKey => {
    const id = reader.text('id', { format: uuid })
    if (id != null) return { by: 'id', value: id.toLowerCase() }
    const attributes = reader.raw('attributes', { nullable: true })
    const { value } = readPartly(attributes, (members): ImportKey => {
      const externalRef = textOf(members, 'external_ref')
      const name = natural === null ? undefined : textOf(members, natural)
      const isNatural = name !== undefined && (naturalFirst || externalRef === undefined)
      if (isNatural) return { by: 'natural', value: name }
      return externalRef === undefined ? undefined : { by: 'external_ref', value: externalRef }
    })
    return value
  })
  return { key, violations }
}

/** What an object has beside its attributes when it names its book. */
export const inBook: schema.Members = {
  'id?': schema.uuid,
  'pricebook_id?': reference(['pricebook']),
  'pricebook_external_ref?': externalRef,
}

/**
 * The reference to the book of an object, its `pricebook_id` or `pricebook_external_ref`, and the path of the member.
 */
export function readBook(data: unknown): {
  book: Reference | undefined
  path: string
  violations: readonly Violation[]
} {
  const { value, violations } = readPartly(data, (reader) => {
    const externalRef = reader.text('pricebook_external_ref', { nullable: true, max: EXTERNAL_REF_MAX })
    const book = readReference(reader, 'pricebook_id', ['pricebook'], {
      nullable: externalRef != null,
      required: externalRef == null,
    })
    if (book != null) return { book, path: 'pricebook_id' }
    return externalRef == null ? undefined : { book: { externalRef }, path: 'pricebook_external_ref' }
  })
  return { book: value?.book, path: value?.path ?? 'pricebook_id', violations }
}

/** The reference to the parent of a node; null when it is absent or malformed, which the operation reports. */
export function readParent(data: unknown): Reference | null {
  const { value } = readPartly(data, (reader) => {
    const parent = reader.object('relationships', { nullable: true })?.object('parent', { nullable: true })
    return parent && readReference(parent, 'data', ['hierarchy', 'node'], { nullable: true })
  })
  return value ?? null
}

/** The kind of a label; '' when it is absent or malformed, which the operation reports. */
export function readKind(data: unknown): string {
  const { value } = readPartly(data, (reader) => {
    const attributes = reader.object('attributes', { nullable: true })
    return attributes && textOf(attributes, 'kind')
  })
  return value ?? ''
}

function textOf(reader: InputReader, name: string): string | undefined {
  const value = reader.raw(name, { nullable: true })
  return typeof value === 'string' && isStorable(value) ? value : undefined
}
