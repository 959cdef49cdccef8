/**
 * Import keys: an object is recognized by its id, else its external_ref, else its natural key (import.first-given-key-decides), so a
 * repeated import finds its records (import.repeat-changes-nothing).
 */
import type { Violation } from '../domain/input/errors.ts'
import { uuid } from '../domain/input/formats.ts'
import { type InputReader, readInput } from '../domain/input/input-reader.ts'
import { EXTERNAL_REF_MAX } from '../domain/input/limits.ts'
import { type Reference, readReference } from '../domain/input/record.ts'
import { isStorable } from '../domain/input/text.ts'
import type { RecordKey } from '../persistence/database/find-by-key.ts'

/** The first key that an object has; undefined: it has none and is created at each import. */
export type ImportKey = RecordKey | undefined

/**
 * The key of an object's `data`; `natural` is the attribute that is its natural key. A malformed id is a violation; another malformed
 * member is no key, and the operation reports what is wrong with it.
 */
export function readKey(data: unknown, natural: string | null): { key: ImportKey; violations: readonly Violation[] } {
  const { value: key, violations } = readInput(data, (reader): ImportKey => {
    const id = reader.text('id', { format: uuid })
    if (id != null) return { by: 'id', value: id.toLowerCase() }
    const attributes = reader.raw('attributes', { nullable: true })
    const { value } = readInput(attributes, (members): ImportKey => {
      const externalRef = textOf(members, 'external_ref')
      if (externalRef !== undefined) return { by: 'external_ref', value: externalRef }
      const name = natural === null ? undefined : textOf(members, natural)
      return name === undefined ? undefined : { by: 'natural', value: name }
    })
    return value
  })
  return { key, violations }
}

/** The reference to the book of an object, its `pricebook_id` or `pricebook_external_ref`, and the path of the member. */
export function readBook(data: unknown): { book: Reference | undefined; path: string; violations: readonly Violation[] } {
  const { value, violations } = readInput(data, (reader) => {
    const externalRef = reader.text('pricebook_external_ref', { nullable: true, max: EXTERNAL_REF_MAX })
    const book = readReference(reader, 'pricebook_id', ['pricebook'], { nullable: externalRef != null, required: externalRef == null })
    if (book != null) return { book, path: 'pricebook_id' }
    return externalRef == null ? undefined : { book: { externalRef }, path: 'pricebook_external_ref' }
  })
  return { book: value?.book, path: value?.path ?? 'pricebook_id', violations }
}

/** The reference to the parent of a node; null when it is absent or malformed, which the operation reports. */
export function readParent(data: unknown): Reference | null {
  const { value } = readInput(data, (reader) => {
    const parent = reader.object('relationships', { nullable: true })?.object('parent', { nullable: true })
    return parent && readReference(parent, 'data', ['hierarchy', 'node'], { nullable: true })
  })
  return value ?? null
}

function textOf(reader: InputReader, name: string): string | undefined {
  const value = reader.raw(name, { nullable: true })
  return typeof value === 'string' && isStorable(value) ? value : undefined
}
