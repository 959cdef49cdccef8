/**
 * Graph inputs: how the domain's readers read a mutation's input. Readers use REST's names for members; the graph has
 * them in camelCase, has lists of entries for maps (graph.maps-become-lists), and has no envelope of attributes and
 * relationships.
 */
import type { MapKey, Path, PathSegment } from '../../domain/input/errors.ts'
import { InputReader } from '../../domain/input/input-reader.ts'
import { fromEntries } from '../../domain/input/map-keys.ts'
import type { MemberRule } from '../../domain/input/member-rule.ts'
import { FormedInput } from '../../domain/input/read-input.ts'
import type { Reading } from '../../domain/input/reading.ts'
import { isObject, type JsonObject } from '../../lib/json-object.ts'
import { rawId } from './ids.ts'

/** The form of an input member in the graph, where it differs from REST's name in camelCase. */
export interface InputMember {
  /** Its name in the graph; by default REST's name in camelCase. */
  readonly name?: string
  /**
   * For a list of entries that stands for a map: the members of an entry that hold the key and the value. Without
   * `value` the whole entry is the value.
   */
  readonly entry?: { readonly key: string; readonly value?: string }
  /** Converts a text of the graph to REST's, such as a global id to a UUID; in a list, each text. */
  readonly read?: (text: string) => string
  /** The members of the object, or of each object in the list or map. */
  readonly members?: InputMembers
  /** The elements of a list or the values of a map, where they are maps themselves. */
  readonly each?: InputMember
}

/** Members of an input by REST's names. Members that are not listed differ only in camelCase. */
export type InputMembers = Readonly<Record<string, InputMember>>

/** A member that holds ids of records of one of the types, alone or in a list. Global ids become raw ones. */
export function idMember(...types: readonly string[]): InputMember {
  return { read: (text) => types.reduce((id, type) => rawId(type, id), text) }
}

/** A mutation's input, or the part of it that describes a record, for a command to read. */
export function graphInput(input: object, members: InputMembers = {}): FormedInput {
  return new GraphInput(input as JsonObject, members)
}

class GraphInput extends FormedInput {
  private readonly input: JsonObject
  private readonly members: InputMembers

  constructor(input: JsonObject, members: InputMembers) {
    super()
    this.input = input
    this.members = members
  }

  override reader(reading: Reading): InputReader {
    return new GraphReader(this.input, [], reading, { members: this.members })
  }

  /** Idempotency keys compare inputs as clients wrote them. */
  toJSON(): unknown {
    return this.input
  }
}

/** Reads a graph input by REST's names. Paths are REST's too; `inputPath` translates them. */
class GraphReader extends InputReader {
  constructor(
    members: JsonObject,
    path: Path,
    reading: Reading,
    private readonly form: InputMember,
  ) {
    super(members, path, reading)
  }

  override get isDocument(): boolean {
    return false
  }

  override object(name: PathSegment, rule: MemberRule = {}): InputReader | null | undefined {
    if (isEnvelope(name)) return new GraphReader(this.members, [...this.path, name], this.reading, this.form)
    if (this.path.at(-1) !== 'relationships') return super.object(name, rule)
    const data = this.raw(name, rule)
    return data == null ? (data as null | undefined) : this.nested(name, { data })
  }

  /** The scalar DateTime has already read the text as epoch milliseconds. */
  override instant(name: PathSegment, rule: MemberRule = {}): number | null | undefined {
    return this.integer(name, rule)
  }

  protected override valueAt(name: PathSegment): unknown {
    const value = super.valueAt(typeof name === 'string' ? nameOf(name, this.form) : name)
    const { read } = memberOf(name, this.form)
    return read && typeof value === 'string' ? read(value) : value
  }

  protected override nested(name: PathSegment, value: JsonObject): InputReader {
    return new GraphReader(value, [...this.path, name], this.reading, memberOf(name, this.form))
  }

  protected override mapOf(name: PathSegment, value: unknown): JsonObject | undefined {
    const { entry } = memberOf(name, this.form)
    if (!entry || !Array.isArray(value)) return undefined
    return fromEntries(
      value.map((one: JsonObject) => [one[entry.key] as string, entry.value === undefined ? one : one[entry.value]]),
    )
  }
}

/**
 * The path in a mutation's `input` that REST's path stands for (graph.paths-lead-into-the-input). It ends at the first
 * member that the input lacks, since stored values may break a rule too.
 */
export function inputPath(path: Path, input: unknown, members: InputMembers = {}): string[] {
  const found: string[] = []
  let value = input
  let form: InputMember = { members }
  for (const segment of path) {
    if (isEnvelope(segment) || segment === 'data') continue
    if (value == null) break
    const steps = typeof segment === 'object' ? stepsToEntry(segment, value, form) : [nameOf(segment, form)]
    if (steps.length === 0) break
    found.push(...steps)
    for (const step of steps) value = isObject(value) || Array.isArray(value) ? (value as JsonObject)[step] : undefined
    form = memberOf(segment, form)
  }
  return found
}

/**
 * The steps to an entry; none when the input lacks it. Of several entries with one key the last counts, as when
 * reading.
 */
function stepsToEntry(segment: MapKey, value: unknown, { entry }: InputMember): string[] {
  if (!entry || !Array.isArray(value)) return [segment.key]
  const index = value.findLastIndex((one: JsonObject) => (one[entry.key] as string).toWellFormed() === segment.key)
  if (index < 0) return []
  const member = segment.own ? entry.key : entry.value
  return member === undefined ? [String(index)] : [String(index), member]
}

function isEnvelope(name: PathSegment): boolean {
  return name === 'attributes' || name === 'relationships'
}

function memberOf(name: PathSegment, form: InputMember): InputMember {
  if (typeof name !== 'string' || name === 'data') return form.each ?? form
  return form.members?.[name] ?? {}
}

function nameOf(name: string | number, form: InputMember): string {
  return typeof name === 'number' ? String(name) : (form.members?.[name]?.name ?? camelCase(name))
}

/** snake_case to camelCase. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
