/** Record readers: the input of a create or an update by the definition of the record. */
import { textFormats } from './formats.ts'
import type { InputReader } from './input-reader.ts'
import type { MemberRule } from './member-rule.ts'
import type { PartialResult, ReadResult } from './reading.ts'
import { type NewRecord, type ReadPatch, readReference, readReferenceList, recordReaders } from './record.ts'
import {
  type GivenPatch,
  type GivenRecord,
  type RecordDefinition,
  type RecordOf,
  restNameOf,
} from './record-definition.ts'
import type { Member, Members, NumberMember, ValueRule } from './record-members.ts'
import { limitParams } from './violation-params.ts'

/** Reads `data` of a new record: `{ id?, type, attributes, relationships? }`. */
export function readNew<M extends Members>(
  record: RecordDefinition<M>,
  data: unknown,
): ReadResult<NewRecord<GivenRecord<M>>> {
  return readersOf(record).readNew(data) as ReadResult<NewRecord<GivenRecord<M>>>
}

/**
 * Reads `data` of an update; `data.id`, when given, must equal `id`. Without `stored`, stored values count as absent.
 */
export function readUpdate<M extends Members>(
  record: RecordDefinition<M>,
  data: unknown,
  id: string,
  stored?: { readonly [Name in keyof M]?: unknown },
): ReadResult<GivenPatch<M>> {
  return readersOf(record).readUpdate(data, id, stored) as ReadResult<GivenPatch<M>>
}

/** Reads the valid part of `data`, whose id is given elsewhere: members with a violation are undefined. */
export function readPart<M extends Members>(
  record: RecordDefinition<M>,
  data: unknown,
  { isNew, stored }: { readonly isNew: boolean; readonly stored?: RecordOf<M> | undefined },
): PartialResult<GivenPatch<M>> {
  return readersOf(record).readPart(data, isNew, stored as Given | undefined) as PartialResult<GivenPatch<M>>
}

type Given = Record<string, unknown>

function readersOf<M extends Members>({ type, members, rules, repeatsId }: RecordDefinition<M>) {
  const readPatch: ReadPatch<Given, Given> = (attributes, { create: isNew, stored }, reader) => {
    const relationships = once(() => readRelationships(reader, members, isNew))
    const given: Given = {}
    for (const [name, member] of Object.entries<Member>(members)) {
      const restName = restNameOf(name, member)
      const rule = { isNew, stored: stored?.[name] }
      given[name] = member.at
        ? readRelated(relationships(), restName, member, rule)
        : readMember(attributes, restName, member, presenceOf(member, isNew), rule)
      const broken = rules[name]?.(given as Parameters<NonNullable<(typeof rules)[string]>>[0])
      if (broken) attributes.addViolations(restName, broken)
    }
    return given
  }
  return recordReaders(type, readPatch, repeatsId)
}

type PresenceRule = Required<MemberRule>

function presenceOf({ presence }: Member, isNew: boolean): PresenceRule {
  return { required: isNew && presence === 'required', nullable: presence === 'optional' || presence === 'derived' }
}

/** Reads a member: null clears it, undefined keeps it. */
function readMember(
  reader: InputReader,
  name: string,
  member: Member,
  presence: PresenceRule,
  rule: ValueRule<unknown>,
): unknown {
  switch (member.kind) {
    case 'text': {
      const { min = 0, max, format, isName = false, alias } = member
      const rule = { ...presence, min, max, isName, ...(format && { format: textFormats[format] }) }
      const value = reader.text(name, rule)
      return value === undefined && alias !== undefined ? reader.text(alias, rule) : value
    }
    case 'word':
      return reader.oneOf(name, member.words, presence)
    case 'integer':
      return reader.integer(name, { ...presence, min: member.min, max: member.max })
    case 'number':
      return readNumber(reader, name, member, presence)
    case 'boolean':
      return reader.boolean(name, presence)
    case 'link':
      return readReference(reader, name, member.types, presence)
    case 'links': {
      const given = readReferenceList(reader, name, member.type, { ...presence, max: member.max })
      return given === null ? [] : given
    }
    case 'prices':
    case 'tieredPrices':
    case 'locales':
    case 'custom':
      return member.read(reader, name, rule)
  }
}

function readNumber(reader: InputReader, name: string, { min, max }: NumberMember, presence: PresenceRule) {
  const value = reader.raw(name, presence)
  if (value == null) return value
  if (typeof value !== 'number') return reader.addViolation(name, 'INVALID_TYPE', 'must be a number')
  if (value >= min && value <= max) return value === 0 ? 0 : value
  return reader.addViolation(name, 'OUT_OF_RANGE', `must be a number from ${min} to ${max}`, limitParams(min, max))
}

/** All relationships: required when one of them is, nullable when each is. */
function readRelationships(reader: InputReader, members: Members, isNew: boolean): InputReader | null | undefined {
  const rules = Object.values(members).flatMap((member) => (member.at ? [presenceOf(member, isNew)] : []))
  return reader.object('relationships', {
    required: rules.some(({ required }) => required),
    nullable: rules.every(({ nullable }) => nullable),
  })
}

/**
 * Reads `relationships.<name>.data`, which a given relationship must have. A null relationship clears, where allowed.
 */
function readRelated(
  relationships: InputReader | null | undefined,
  name: string,
  member: Member,
  rule: ValueRule<unknown>,
): unknown {
  const { required, nullable } = presenceOf(member, rule.isNew)
  const relationship = relationships?.object(name, { required, nullable })
  return relationship ? readMember(relationship, 'data', member, { required: !nullable, nullable }, rule) : relationship
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
