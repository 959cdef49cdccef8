/**
 * Input reader: turns unknown input (a JSON body, a line of an import) into typed values and collects every violation,
 * in the order in which members are read (http.violations-in-field-order). Members have REST's names, whatever the form
 * of the input.
 *
 * Absent (`undefined`), null and a value stay distinct. A member with a violation reads as `undefined`, so check the
 * violations before using the result. Members that a document can't have are found separately, by its schema
 * (unknown-members.ts).
 */
import { isObject, type JsonObject } from '../../lib/json-object.ts'
import {
  key,
  type MapKey,
  ownKey,
  type Path,
  type PathSegment,
  prefixPaths,
  type Violation,
  type ViolationCode,
} from './errors.ts'
import { parseInstant } from './instant.ts'
import { duplicateKeyViolations } from './map-keys.ts'
import type { IntegerRule, ListRule, MapRule, MemberRule, TextRule } from './member-rule.ts'
import type { Reading } from './reading.ts'
import { atMostKeys, type Sentence, toSentence } from './sentence.ts'
import { keyProblem, textProblem } from './text-rule.ts'
import { allowedParams, limitParams, type ViolationParam } from './violation-params.ts'

/**
 * Reader of the members of one object. Each method returns undefined for a member that is absent or has a violation,
 * and null only where the rule allows it.
 */
export class InputReader {
  constructor(
    protected readonly members: JsonObject,
    protected readonly path: Path,
    protected readonly reading: Reading,
  ) {}

  /** Whether records are documents, with their id, type and attributes as members, as in REST and imports. */
  get isDocument(): boolean {
    return true
  }

  /** Reads text; U+0000 and lone surrogates are violations. */
  text(name: PathSegment, rule: TextRule = {}): string | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    if (typeof value !== 'string') return this.addViolation(name, 'INVALID_TYPE', 'must be a string')
    const problem = textProblem(value, rule, this.reading)
    return problem ? this.addViolation(name, problem.code, problem, problem.params) : value
  }

  /**
   * Reads an integer within the bounds, by default all that JavaScript represents exactly
   * (value.numbers-never-rounded).
   */
  integer(name: PathSegment, rule: IntegerRule = {}): number | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    if (typeof value !== 'number') return this.addViolation(name, 'INVALID_TYPE', 'must be an integer')
    const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = rule
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value === 0 ? 0 : value
    return this.addViolation(name, 'OUT_OF_RANGE', `must be an integer from ${min} to ${max}`, limitParams(min, max))
  }

  /** Reads true or false. */
  boolean(name: PathSegment, rule: MemberRule = {}): boolean | null | undefined {
    const value = this.raw(name, rule)
    if (value == null || typeof value === 'boolean') return value
    return this.addViolation(name, 'INVALID_TYPE', 'must be true or false')
  }

  /** Reads one of a closed list of words. */
  oneOf<W extends string>(name: PathSegment, words: readonly W[], rule: MemberRule = {}): W | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    if (typeof value !== 'string') return this.addViolation(name, 'INVALID_TYPE', 'must be a string')
    const word = words.find((candidate) => candidate === value)
    const message = `must be ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`
    return word ?? this.addViolation(name, 'INVALID_VALUE', message, allowedParams(words))
  }

  /** Reads a nested object: the result is a reader of its members. */
  object(name: PathSegment, rule: MemberRule = {}): InputReader | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    if (!isObject(value)) return this.addViolation(name, 'INVALID_TYPE', 'must be an object')
    return this.nested(name, value)
  }

  /** Reads a list of at most `max` entries. `read` gets a reader of the list and the index of each element. */
  list<T>(
    name: PathSegment,
    read: (reader: InputReader, index: number) => T,
    rule: ListRule = {},
  ): T[] | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    if (!Array.isArray(value)) return this.addViolation(name, 'INVALID_TYPE', 'must be an array')
    if (rule.max !== undefined && value.length > rule.max)
      return this.addViolation(name, 'TOO_MANY', `must have at most ${rule.max} entries`, limitParams(null, rule.max))
    const elements = this.nested(name, value as unknown as JsonObject)
    return value.map((_, index) => read(elements, index))
  }

  /**
   * Reads a map with at most `max` keys that the client chooses, in the order given. `read` gets a reader of the map
   * and the key of each value. A key is text that passes the check `key` and is not FORBIDDEN_KEY.
   */
  map<T>(
    name: PathSegment,
    read: (reader: InputReader, entry: MapKey) => T,
    rule: MapRule = {},
  ): Map<string, T> | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    const map = this.mapOf(name, value)
    if (!map) return this.addViolation(name, 'INVALID_TYPE', 'must be an object')
    const names = Object.keys(map)
    if (rule.max !== undefined && names.length > rule.max)
      return this.addViolation(name, 'TOO_MANY', atMostKeys(rule.max), limitParams(null, rule.max))
    const entries = this.nested(name, map)
    const readEntry = (text: string): [string, T] | undefined => {
      this.addViolations(name, duplicateKeyViolations(map, text))
      const problem = keyProblem(text, rule, this.reading)
      if (problem) return entries.addViolation(ownKey(text.toWellFormed()), problem.code, problem)
      return [text, read(entries, key(text))]
    }
    return new Map(names.map(readEntry).filter((entry) => entry !== undefined))
  }

  /** Reads a member as it is, for values that are stored without validation. */
  raw(name: PathSegment, rule: MemberRule = {}): unknown {
    const value = this.valueAt(name)
    if (value === undefined && rule.required) return this.addViolation(name, 'REQUIRED', 'must be given')
    if (value !== null || rule.nullable) return value
    // input.null-is-absence holds for members only: an entry of a list or map is present even when it is null.
    if (this.reading.isNew && !rule.required && typeof name === 'string') return undefined
    return this.addViolation(name, 'REQUIRED', 'must not be null')
  }

  /** Reads an instant: the result is epoch milliseconds, cut from finer input (value.instants-cut-to-milliseconds). */
  instant(name: PathSegment, rule: MemberRule = {}): number | null | undefined {
    const text = this.text(name, rule)
    if (text == null) return text
    return parseInstant(text) ?? this.addViolation(name, 'INVALID_FORMAT', 'must be an RFC 3339 date-time')
  }

  /**
   * The result of `read`, or undefined when it adds a violation. For rules over several members that must all be valid.
   */
  ifValid<T>(read: () => T): T | undefined {
    const { violations } = this.reading
    const before = violations.length
    const value = read()
    return violations.length === before ? value : undefined
  }

  /** The value of a member as the client wrote it; undefined when it is absent. */
  protected valueAt(name: PathSegment): unknown {
    const property = typeof name === 'object' ? name.key : name
    return Object.hasOwn(this.members, property) ? this.members[property as string] : undefined
  }

  /** The reader of the value of the member `name`, which is an object or a list. */
  protected nested(name: PathSegment, value: JsonObject): InputReader {
    return new InputReader(value, [...this.path, name], this.reading)
  }

  /** The map that the member `name` stands for; undefined when its value is none. */
  protected mapOf(_name: PathSegment, value: unknown): JsonObject | undefined {
    return isObject(value) ? value : undefined
  }

  /** Adds the violations of a rule over the member `name`, with paths relative to it. */
  addViolations(name: PathSegment, violations: readonly Violation[]): void {
    if (violations.length === 0) return
    // One by one, since a hostile body can cause more violations than a call takes arguments.
    for (const violation of prefixPaths([...this.path, name], violations)) this.reading.violations.push(violation)
  }

  /** Adds a violation of the member `name`. Returns undefined, so that a reader can return the call. */
  addViolation(
    name: PathSegment,
    code: ViolationCode,
    said: string | Sentence,
    params: readonly ViolationParam[] = [],
  ): undefined {
    const { message, names } = toSentence(said)
    const path = [...this.path, name]
    this.reading.violations.push({ code, path, message, ...(names && { names }), ...(params.length > 0 && { params }) })
    return undefined
  }
}
