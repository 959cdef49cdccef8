/** Unknown members: the members of a document that its schema does not list (input.unknown-members-refused). */
import { distance } from 'fastest-levenshtein'
import type { JsonObject } from '../../lib/json-object.ts'
import { key, type Path, type PathSegment, VIOLATIONS_MAX, type Violation } from './errors.ts'
import { InputReader } from './input-reader.ts'
import type { Schema } from './json-schema.ts'
import { FormedInput } from './read-input.ts'
import type { Reading } from './reading.ts'
import { allowedParams } from './violation-params.ts'

/** Maximum characters of a name that is compared with the known ones; longer ones resemble none. */
const COMPARED_MAX = 64

/**
 * One violation for each member of `value`, at any depth, that `schema` does not list, in the order given. Keys of maps
 * are free, and so is everything inside a member whose schema lists no members.
 */
export function unknownMembers(schema: Schema, value: unknown): Violation[] {
  const found: Violation[] = []
  collect(schema, value, [], found)
  return found
}

/** A document for an operation to read: its unknown members add to the violations that the operation finds. */
export function documentInput(document: JsonObject, unknown: readonly Violation[]): unknown {
  return unknown.length === 0 ? document : new JudgedDocument(document, unknown)
}

class JudgedDocument extends FormedInput {
  constructor(
    private readonly document: JsonObject,
    private readonly unknown: readonly Violation[],
  ) {
    super()
  }

  override reader(reading: Reading): InputReader {
    for (const violation of this.unknown) reading.violations.push(violation)
    return new InputReader(this.document, [], reading)
  }

  /** Idempotency keys compare documents as clients wrote them. */
  toJSON(): unknown {
    return this.document
  }
}

function collect(schema: Schema, value: unknown, path: Path, found: Violation[]): void {
  if (typeof value !== 'object' || value === null) return
  const { properties, additionalProperties, items } = ofValue(schema, value)
  const inner = (of: Schema | undefined, segment: PathSegment, member: unknown): void => {
    if (of) collect(of, member, [...path, segment], found)
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) inner(items, index, item)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    if (!properties) inner(additionalProperties || undefined, key(name), member)
    else if (Object.hasOwn(properties, name)) inner(properties[name], name, member)
    else if (additionalProperties === false)
      found.push(unknown([...path, name.toWellFormed()], name, Object.keys(properties), found.length))
  }
}

interface Shape {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | false
  readonly items?: Schema
}

/** The alternative of a schema that fits the value's kind: objects or lists. */
function ofValue(schema: Schema, value: object): Shape {
  if (!Array.isArray(schema.anyOf)) return schema.type === (Array.isArray(value) ? 'array' : 'object') ? schema : {}
  const shapes: Shape[] = schema.anyOf.map((one: Schema) => ofValue(one, value))
  return shapes.find((shape) => Object.keys(shape).length > 0) ?? {}
}

/** A suggestion is searched for only in violations that are shown. */
function unknown(path: Path, name: string, known: readonly string[], before: number): Violation {
  if (before >= VIOLATIONS_MAX) return { code: 'UNKNOWN_FIELD', path, message: 'is unknown' }
  const nearest = nearestTo(name, known)
  const message =
    nearest === undefined ? `is unknown, allowed are ${known.join(', ')}` : `is unknown, did you mean ${nearest}?`
  return { code: 'UNKNOWN_FIELD', path, message, params: allowedParams(known) }
}

/**
 * The known name that differs least, in at most two fifths of its characters plus one. Case and separators don't count.
 */
export function nearestTo(name: string, known: readonly string[]): string | undefined {
  if (name.length > COMPARED_MAX) return undefined
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')
  const ranked = known
    .map((candidate) => ({ candidate, differs: distance(plain(name), plain(candidate)) }))
    .filter(({ candidate, differs }) => differs <= Math.floor(candidate.length * 0.4) + 1)
    .sort((left, right) => left.differs - right.differs)
  return ranked[0]?.candidate
}
