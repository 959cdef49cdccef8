/**
 * Record heads and references: `{ id?, type, attributes }`, with which every record's `data` begins, and references to
 * other records (record.references-by-id-or-ref).
 */

import { isObject } from '../../lib/json-object.ts'
import type { Path, PathSegment, Violation } from './errors.ts'
import { uuid } from './formats.ts'
import type { InputReader } from './input-reader.ts'
import { EXTERNAL_REF_MAX } from './limits.ts'
import type { MemberRule } from './member-rule.ts'
import { readInput, readPartly } from './read-input.ts'
import type { PartialResult, ReadResult } from './reading.ts'

/** The input of a create: an id if the client chose one, and a patch with all required members. */
export interface NewRecord<Patch> {
  readonly id: string | undefined
  readonly patch: Patch
}

/**
 * Whether a record is new, so that required members must be given, or else the stored record, where an update depends
 * on it.
 */
interface PatchRule<Stored> {
  readonly create: boolean
  readonly stored?: Stored | undefined
}

/** The rule for the input of a new record. */
export const newRecord = { isNew: true } as const

/** Reads the attributes, and with `reader` the members besides them. */
export type ReadPatch<Patch, Stored> = (attributes: InputReader, rule: PatchRule<Stored>, reader: InputReader) => Patch

/** Readers of `data` of a new record and of an update; with `repeatsId` a document of an update must have the id. */
export function recordReaders<Patch, Stored>(type: string, readPatch: ReadPatch<Patch, Stored>, repeatsId = false) {
  return {
    readNew(data: unknown): ReadResult<NewRecord<Patch>> {
      return readInput(
        data,
        (reader) => {
          const { id, attributes } = readRecordHead(reader, type)
          return attributes && { id, patch: readPatch(attributes, { create: true }, reader) }
        },
        newRecord,
      )
    },
    /** `data.id`, when given, must equal `id`. Without `stored`, stored values count as absent. */
    readUpdate(data: unknown, id: string, stored?: Stored): ReadResult<Patch> {
      return readInput(
        data,
        (reader) => {
          const { attributes } = readRecordHead(reader, type, id, repeatsId)
          return attributes && readPatch(attributes, { create: false, stored }, reader)
        },
        { stored },
      )
    },
    /** Reads a document whose id is given elsewhere, and keeps its readable part and its violations. */
    readPart(data: unknown, isNew: boolean, stored?: Stored): PartialResult<Patch> {
      return readPartly(
        data,
        (reader) => {
          readRecordType(reader, type)
          const attributes = reader.object('attributes', { required: true }) ?? undefined
          return attributes && readPatch(attributes, { create: isNew, stored }, reader)
        },
        { isNew, stored },
      )
    },
  }
}

/**
 * Reads the id (optional, in lower case), type and attributes (record.given-id-is-kept). With `expectedId` a given id
 * must equal it; with `isRequired` a document must give it.
 */
export function readRecordHead(
  reader: InputReader,
  type: string,
  expectedId?: string,
  isRequired = false,
): { id: string | undefined; attributes: InputReader | undefined } {
  const id = reader.text('id', { format: uuid, required: isRequired && reader.isDocument })?.toLowerCase()
  if (id !== undefined && expectedId !== undefined && id !== expectedId.toLowerCase()) {
    reader.addViolation(
      'id',
      'ID_MISMATCH',
      isRequired ? 'must equal the id in the path' : 'must be the id of the record',
    )
  }
  readRecordType(reader, type)
  return { id, attributes: reader.object('attributes', { required: true }) ?? undefined }
}

/** Reads the type of a document; an input that is no document has its type from its operation. */
export function readRecordType(reader: InputReader, type: string): void {
  if (reader.isDocument) reader.oneOf('type', [type], { required: true })
}

/**
 * A reference to another record by its id or external_ref. `type` is present where records of several types are
 * possible and the client gave one.
 */
export type Reference = { readonly id: string } | { readonly externalRef: string; readonly type?: string }

/**
 * Reads `relationships.<name>.data`: an array of ids, `{ type, id }` or `{ type, external_ref }`, at most `max`.
 * Undefined when the relationship is absent.
 */
export function readReferences(
  relationships: InputReader,
  name: string,
  type: string,
  max: number,
): Reference[] | undefined {
  const relationship = relationships.object(name)
  return (relationship && readReferenceList(relationship, 'data', type, { required: true, max })) ?? undefined
}

/** Reads an array of references, each like `readReference`; those with a violation are left out. */
export function readReferenceList(
  reader: InputReader,
  name: PathSegment,
  type: string,
  rule: MemberRule & { readonly max: number },
): Reference[] | null | undefined {
  const given = reader.list(name, (entries, index) => readReference(entries, index, [type], { required: true }), rule)
  return given?.filter((reference) => reference != null) ?? (given as null | undefined)
}

/** Reads one reference: an id, `{ type, id }` or `{ type, external_ref }`. A given type must be one of `types`. */
export function readReference(
  reader: InputReader,
  name: PathSegment,
  types: readonly string[],
  rule: MemberRule,
): Reference | null | undefined {
  const value = reader.raw(name, rule)
  if (value == null) return value
  if (!isObject(value)) {
    const id = reader.text(name, { format: uuid })
    return id == null ? undefined : { id: id.toLowerCase() }
  }
  const reference = reader.object(name)
  const type = reference?.oneOf('type', types)
  const externalRef = reference?.text('external_ref', { max: EXTERNAL_REF_MAX })
  const id = reference?.text('id', { required: externalRef == null, format: uuid })
  if (id != null) return { id: id.toLowerCase() }
  if (externalRef == null) return undefined
  return type != null && types.length > 1 ? { externalRef, type } : { externalRef }
}

/**
 * The ids of `references` among the records `found`, in order; undefined without references. A reference that matches
 * no record or several (record.references-by-id-or-ref) is a violation at its index under `path`.
 */
export function resolveReferences(
  references: readonly Reference[] | undefined,
  found: readonly { readonly id: string; readonly externalRef: string | null }[],
  path: Path,
  noun: string,
): { ids: string[] | undefined; violations: Violation[] } {
  if (references === undefined) return { ids: undefined, violations: [] }
  const ids = new Set(found.map(({ id }) => id))
  const byExternalRef = new Map<string, string[]>()
  for (const { id, externalRef } of found)
    if (externalRef !== null) byExternalRef.set(externalRef, [...(byExternalRef.get(externalRef) ?? []), id])
  const violations: Violation[] = []
  const resolved = references.map((reference, index) => {
    const matches =
      'id' in reference ? [reference.id].filter((id) => ids.has(id)) : (byExternalRef.get(reference.externalRef) ?? [])
    if (matches.length === 0) violations.push({ code: 'NOT_FOUND', path: [...path, index], message: `no such ${noun}` })
    if (matches.length > 1)
      violations.push({ code: 'INVALID_VALUE', path: [...path, index], message: `means more than one ${noun}` })
    return matches[0] ?? ''
  })
  return { ids: resolved, violations }
}
