/**
 * Reads unknown input (a JSON body, a GraphQL input, a line of an import) into typed values and collects every violation on the way, in the
 * order in which members are asked for: the order of the contract's field tables (http.violations-in-field-order).
 *
 * Absent (`undefined`), null and a value stay three different things. A member that breaks a rule reads as `undefined`, so look at the
 * violations before using what was read. Members that nobody asks for are ignored (input.unknown-fields-ignored).
 */
import { key, type MapKey, type Path, type PathSegment, prefixPaths, type Violation, type ViolationCode } from './errors.ts'
import { codePoints, isStorable } from './text.ts'

export interface MemberRule {
  /** Absent is a violation, and so is null. */
  readonly required?: boolean
  /** Null is a value: it clears (patch.absent-keeps-null-clears). Without it null is refused. */
  readonly nullable?: boolean
}

export interface TextRule extends MemberRule {
  /** Unicode code points (value.lengths-in-code-points). */
  readonly min?: number
  readonly max?: number
  /** A further form: undefined when right, else the sentence that says what it must be. */
  readonly format?: (text: string) => string | undefined
}

export interface IntegerRule extends MemberRule {
  readonly min?: number
  readonly max?: number
}

export type JsonObject = Readonly<Record<string, unknown>>

const repeated = Symbol('repeated keys')

/** An object of entries. Of those with one key the last counts, but the object remembers the key, for rules to refuse it. */
export function fromEntries(entries: readonly (readonly [string, unknown])[]): JsonObject {
  const seen = new Set<string>()
  const again = new Set<string>()
  for (const [name] of entries) (seen.has(name) ? again : seen).add(name)
  const object = Object.fromEntries(entries)
  return again.size === 0 ? object : Object.assign(object, { [repeated]: again })
}

/** DUPLICATE when the object was made of several entries with this key. */
export function duplicateKeyViolations(object: object, name: string): Violation[] {
  const again = (object as { [repeated]?: ReadonlySet<string> })[repeated]
  return again?.has(name) ? [{ code: 'DUPLICATE', path: [key(name.toWellFormed())], message: 'is given twice' }] : []
}

export class InputReader {
  constructor(
    private readonly members: JsonObject,
    private readonly path: Path,
    private readonly violations: Violation[],
  ) {}

  /** Text; lengths count code points, U+0000 and lone surrogates are refused. */
  text(name: PathSegment, rule: TextRule = {}): string | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    if (typeof value !== 'string') return this.addViolation(name, 'INVALID_TYPE', 'must be a string')
    if (!isStorable(value)) return this.addViolation(name, 'INVALID_TEXT', 'must not hold U+0000 or a lone surrogate')
    const { min = 0, max = Number.POSITIVE_INFINITY } = rule
    const length = codePoints(value)
    if (length < min || length > max) return this.addViolation(name, length < min ? 'TOO_SHORT' : 'TOO_LONG', lengthSentence(min, max))
    const wrong = rule.format?.(value)
    return wrong === undefined ? value : this.addViolation(name, 'INVALID_FORMAT', wrong)
  }

  /** An integer that JavaScript keeps exactly (value.numbers-never-rounded), within bounds that are part of the range. */
  integer(name: PathSegment, rule: IntegerRule = {}): number | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    if (typeof value !== 'number') return this.addViolation(name, 'INVALID_TYPE', 'must be an integer')
    const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = rule
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value === 0 ? 0 : value
    return this.addViolation(name, 'OUT_OF_RANGE', `must be an integer from ${min} to ${max}`)
  }

  boolean(name: PathSegment, rule: MemberRule = {}): boolean | null | undefined {
    const value = this.raw(name, rule)
    if (value == null || typeof value === 'boolean') return value
    return this.addViolation(name, 'INVALID_TYPE', 'must be true or false')
  }

  /** One of a closed list of words. */
  oneOf<W extends string>(name: PathSegment, words: readonly W[], rule: MemberRule = {}): W | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    if (typeof value !== 'string') return this.addViolation(name, 'INVALID_TYPE', 'must be a string')
    const word = words.find((candidate) => candidate === value)
    return word ?? this.addViolation(name, 'INVALID_VALUE', `must be ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`)
  }

  /** A nested object, as a reader of its own members. */
  object(name: PathSegment, rule: MemberRule = {}): InputReader | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    if (!isObject(value)) return this.addViolation(name, 'INVALID_TYPE', 'must be an object')
    return new InputReader(value, [...this.path, name], this.violations)
  }

  /** A list, each element read by `read` through a reader that knows it by its index. */
  list<T>(
    name: PathSegment,
    read: (reader: InputReader, index: number) => T,
    rule: MemberRule & { readonly max?: number } = {},
  ): T[] | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    if (!Array.isArray(value)) return this.addViolation(name, 'INVALID_TYPE', 'must be an array')
    if (rule.max !== undefined && value.length > rule.max)
      return this.addViolation(name, 'TOO_MANY', `must have at most ${rule.max} entries`)
    const elements = new InputReader(value as unknown as JsonObject, [...this.path, name], this.violations)
    return value.map((_, index) => read(elements, index))
  }

  /**
   * A map whose keys the client chooses. Each value is read by `read` through a reader that knows it by its key; keys are text like any
   * other, save `__proto__`. Keys come in the order given.
   */
  map<T>(
    name: PathSegment,
    read: (reader: InputReader, entry: MapKey) => T,
    rule: MemberRule & { readonly max?: number; readonly key?: (text: string) => string | undefined } = {},
  ): Map<string, T> | null | undefined {
    const value = this.raw(name, rule)
    if (value == null) return value
    if (!isObject(value)) return this.addViolation(name, 'INVALID_TYPE', 'must be an object')
    const names = Object.keys(value)
    if (rule.max !== undefined && names.length > rule.max) return this.addViolation(name, 'TOO_MANY', `must have at most ${rule.max} keys`)
    const entries = new InputReader(value, [...this.path, name], this.violations)
    const read1 = (text: string): [string, T] | undefined => {
      this.addViolations(name, duplicateKeyViolations(value, text))
      const wrong = isStorable(text) ? rule.key?.(text) : 'its key must not hold U+0000 or a lone surrogate'
      if (wrong !== undefined)
        return entries.addViolation(key(text.toWellFormed()), isStorable(text) ? 'INVALID_FORMAT' : 'INVALID_TEXT', wrong)
      if (text === FORBIDDEN_KEY) return entries.addViolation(key(text), 'INVALID_VALUE', `its key must not be ${FORBIDDEN_KEY}`)
      return [text, read(entries, key(text))]
    }
    return new Map(names.map(read1).filter((entry) => entry !== undefined))
  }

  /** The member as it came, for what is kept without being looked into. */
  raw(name: PathSegment, rule: MemberRule = {}): unknown {
    const property = typeof name === 'object' ? name.key : name
    const value = Object.hasOwn(this.members, property) ? this.members[property as string] : undefined
    if (value === undefined && rule.required) return this.addViolation(name, 'REQUIRED', 'must be given')
    if (value === null && !rule.nullable) return this.addViolation(name, 'REQUIRED', 'must not be null')
    return value
  }

  /** What `read` answers, or undefined when it met a violation: for rules that look at several members which must all be sound. */
  ifValid<T>(read: () => T): T | undefined {
    const before = this.violations.length
    const value = read()
    return this.violations.length === before ? value : undefined
  }

  /** Adds what a rule over the member `name` found, paths relative to it. */
  addViolations(name: PathSegment, violations: readonly Violation[]): void {
    // One by one: a hostile body can hold more of them than a call takes arguments.
    for (const violation of prefixPaths([...this.path, name], violations)) this.violations.push(violation)
  }

  /** Adds a violation of the member `name`. */
  addViolation(name: PathSegment, code: ViolationCode, message: string): undefined {
    this.violations.push({ code, path: [...this.path, name], message })
    return undefined
  }
}

/** Reads a whole input; `read` runs only on an object. Answers what was read and all violations, paths relative to the input. */
export function readInput<T>(input: unknown, read: (reader: InputReader) => T): { value: T | undefined; violations: Violation[] } {
  const violations: Violation[] = []
  if (input === undefined) return { value: undefined, violations: [{ code: 'REQUIRED', path: [], message: 'must be given' }] }
  if (!isObject(input)) return { value: undefined, violations: [{ code: 'INVALID_TYPE', path: [], message: 'must be an object' }] }
  return { value: read(new InputReader(input, [], violations)), violations }
}

/** A key that Prisma loses when it copies JSON, as assignment to it sets an object's prototype: refused wherever a client chooses keys. */
export const FORBIDDEN_KEY = '__proto__'

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function lengthSentence(min: number, max: number): string {
  if (min === 0) return `must be at most ${max} characters`
  return max === Number.POSITIVE_INFINITY ? `must be at least ${min} characters` : `must be ${min} to ${max} characters`
}
