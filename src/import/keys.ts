/** By what an object of the import is recognized (import.first-given-key-decides): its id, else its external_ref, else its natural key. */
import type { Violation } from '../domain/input/errors.ts'
import { uuid } from '../domain/input/formats.ts'
import { type InputReader, readInput } from '../domain/input/input-reader.ts'
import { EXTERNAL_REF_MAX } from '../domain/input/limits.ts'
import { type Reference, readReference } from '../domain/input/record.ts'
import { isStorable } from '../domain/input/text.ts'
import type { RecordKey } from '../persistence/database/find-by-key.ts'

/** The first of a record's keys that the object gives decides; undefined: it gives none, and is created each time. */
export type ImportKey = RecordKey | undefined

/**
 * The key of an object's `data`; `natural` names the attribute that is its natural key. A malformed id is refused here; another malformed
 * member is none, and the operation will say what is wrong with it.
 */
export function readKey(data: unknown, natural: string | null): { key: ImportKey; violations: Violation[] } {
  const { value: key, violations } = readInput(data, (reader): ImportKey => {
    const id = reader.text('id', { format: uuid })
    if (id != null) return { by: 'id', value: id.toLowerCase() }
    const attributes = reader.raw('attributes', { nullable: true })
    const { value } = readInput(attributes, (given): ImportKey => {
      const externalRef = textOf(given, 'external_ref')
      if (externalRef !== undefined) return { by: 'external_ref', value: externalRef }
      const name = natural === null ? undefined : textOf(given, natural)
      return name === undefined ? undefined : { by: 'natural', value: name }
    })
    return value
  })
  return { key, violations }
}

/** Which book an object belongs to, by `pricebook_id` or `pricebook_external_ref` beside its type. */
export function readBook(data: unknown): { book: Reference | undefined; path: string; violations: Violation[] } {
  const { value, violations } = readInput(data, (reader) => {
    const externalRef = reader.text('pricebook_external_ref', { nullable: true, max: EXTERNAL_REF_MAX })
    const book = readReference(reader, 'pricebook_id', ['pricebook'], { nullable: externalRef != null, required: externalRef == null })
    if (book != null) return { book, path: 'pricebook_id' }
    return externalRef == null ? undefined : { book: { externalRef }, path: 'pricebook_external_ref' }
  })
  return { book: value?.book, path: value?.path ?? 'pricebook_id', violations }
}

/** The parent that a node names; null when it names none, or none that can be understood (the operation says so). */
export function readParent(data: unknown): Reference | null {
  const { value } = readInput(data, (reader) => {
    const parent = reader.object('relationships', { nullable: true })?.object('parent', { nullable: true })
    return parent && readReference(parent, 'data', ['hierarchy', 'node'], { nullable: true })
  })
  return value ?? null
}

function textOf(given: InputReader, name: string): string | undefined {
  const value = given.raw(name, { nullable: true })
  return typeof value === 'string' && isStorable(value) ? value : undefined
}
