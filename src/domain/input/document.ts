/**
 * Documents: records as clients write them in REST bodies and imports, `{ type, attributes, ... }`. The schema of a
 * document is the one list of its members; any other member is refused (input.unknown-members-refused).
 */
import { formatInstant } from './instant.ts'
import * as schema from './json-schema.ts'
import { EXTERNAL_REF_MAX, FREE_NAME_MAX } from './limits.ts'

/** A member that the server sets: clients may send it back, without effect (input.server-members-accepted). */
export const serverSet: schema.Schema = { readOnly: true }

const timestamps = { 'created_at?': serverSet, 'updated_at?': serverSet }

/** The members that responses have in addition to those that clients write. */
const envelope = { 'relationships?': serverSet, ...timestamps, 'meta?': serverSet, 'links?': serverSet }

/**
 * The document of a record. `own` are its members besides type and attributes, such as its relationships; a title names
 * its schema.
 */
export function recordDocument(
  type: string,
  attributes: schema.Members,
  own: schema.Members = { 'id?': schema.uuid },
  title?: string,
): schema.Schema {
  const members = { type: schema.word(type), attributes: schema.closed({ ...attributes, ...timestamps }) }
  return schema.closed({ ...members, ...envelope, ...own }, title)
}

/** A body or an object of an import: a document under `data`. */
export function envelopeOf(data: schema.Schema, own: schema.Members = {}): schema.Schema {
  return schema.closed({ data, 'id?': serverSet, 'type?': serverSet, ...envelope, ...own })
}

/**
 * A reference to a record of one of the types: its id, or an object with its id or external_ref
 * (record.references-by-id-or-ref).
 */
export function reference(types: readonly string[], own: schema.Members = {}): schema.Schema {
  const named = {
    'type?': schema.word(...types),
    'id?': schema.uuid,
    'external_ref?': schema.text({ max: EXTERNAL_REF_MAX }),
  }
  return { anyOf: [schema.uuid, schema.closed({ ...named, ...own })] }
}

/** Relationships of a document, by name; `readOnly` are those that only the server sets. */
export function relationships(data: schema.Members, readOnly: readonly string[] = []): schema.Schema {
  const written = Object.entries(data).map(([name, of]) => {
    const relationship = schema.closed({ 'data?': of, 'links?': serverSet, 'meta?': serverSet })
    return [`${name}?`, schema.nullable(relationship)] as const
  })
  return schema.nullable(
    schema.closed(Object.fromEntries([...written, ...readOnly.map((name) => [`${name}?`, serverSet] as const)])),
  )
}

/** A name of any characters. */
export const freeName: schema.Schema = schema.text({ min: 1, max: FREE_NAME_MAX })

/** A free reference to another system. */
export const externalRef: schema.Schema = schema.nullable(schema.text({ max: EXTERNAL_REF_MAX }))

/** A period; a bound that is null or absent is open. */
export const schedule: schema.Schema = schema.closed({
  'valid_from?': schema.nullable(schema.instant),
  'valid_to?': schema.nullable(schema.instant),
})

/** A period as documents have it; a bound of null is open. */
export function toSchedule(from: number | null, to: number | null) {
  return { valid_from: from === null ? null : formatInstant(from), valid_to: to === null ? null : formatInstant(to) }
}

const translation = schema.nullable(schema.text())
const texts = { 'name?': translation, 'description?': translation }

/** Name and description by language tag. */
export const locales: schema.Schema = schema.nullable(schema.map(schema.nullable(schema.closed(texts))))

const pageTexts = { ...texts, 'slug?': translation, 'seo_title?': translation, 'seo_description?': translation }

/** Name, description, slug and texts for search engines by language tag. */
export const pageLocales: schema.Schema = schema.nullable(schema.map(schema.nullable(schema.closed(pageTexts))))
