/**
 * Filter expressions of REST lists (filter.clauses-all-hold):
 *
 *     filter := clause (":" clause)*            all of them hold, at most FILTER_CLAUSES_MAX
 *     clause := op "(" field ("," value)+ ")"   eq takes one value, in any number
 *
 * A value that begins with " or ' is quoted up to the next such character; a backslash inside makes the character after
 * it literal. Any other value ends at the next comma or closing parenthesis outside its own parentheses; spaces around
 * it are dropped, spaces and quotes within it stay. An empty value must be quoted. The filter inputs of GraphQL produce
 * the same clauses.
 */
import type { Violation, ViolationCode } from './errors.ts'
import { isStorable } from './text.ts'

/** The maximum number of clauses in a filter. */
export const FILTER_CLAUSES_MAX = 10

/** `eq` compares with one value, `in` with several. */
export type FilterOperator = 'eq' | 'in'

/** One condition on a field. */
export interface FilterClause {
  readonly op: FilterOperator
  readonly field: string
  /** One value for `eq`, at least one for `in`. */
  readonly values: readonly string[]
}

/** The fields that a list can be filtered by, per operator. */
export interface FilterRules {
  readonly eq: readonly string[]
  readonly in: readonly string[]
  /** Aliases of fields: `{ manufacturer_part_num: 'mpn' }`. */
  readonly aliases?: Readonly<Record<string, string>>
  /** All values that a field can have. Any other is refused, since it could never find anything. */
  readonly words?: Readonly<Record<string, readonly string[]>>
}

/** Parses the text of `filter`. The first error is the only violation, and then there are no clauses. */
export function parseFilter(text: string, rules: FilterRules): { clauses: FilterClause[]; violations: Violation[] } {
  try {
    if (!isStorable(text)) throw new FilterError('INVALID_TEXT', 'must not hold U+0000 or a lone surrogate')
    return { clauses: new Parser(text).filter().map((clause) => validated(clause, rules)), violations: [] }
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    return { clauses: [], violations: [{ code: error.code, path: ['filter'], message: error.message }] }
  }
}

class FilterError extends Error {
  constructor(
    readonly code: ViolationCode,
    message: string,
  ) {
    super(message)
  }
}

interface RawClause {
  readonly op: string
  readonly field: string
  readonly values: readonly string[]
}

function validated({ op, field: given, values }: RawClause, rules: FilterRules): FilterClause {
  const field = Object.hasOwn(rules.aliases ?? {}, given) ? (rules.aliases?.[given] ?? given) : given
  if ((op !== 'eq' && op !== 'in') || !rules[op].includes(field)) {
    const allowed = (['eq', 'in'] as const).map((name) => `${name}(${rules[name].join('|')},...)`).join(' and ')
    throw new FilterError(
      'INVALID_VALUE',
      `${excerpt(op)}(${excerpt(given)}) is not a filter here; allowed are ${allowed}`,
    )
  }
  if (op === 'eq' && values.length > 1)
    throw new FilterError('TOO_MANY', `eq(${field}) takes one value, in(${field}) takes several`)
  const words = rules.words?.[field] ?? values
  const unknown = values.find((value) => !words.includes(value))
  if (unknown !== undefined)
    throw new FilterError('INVALID_VALUE', `${excerpt(unknown)} is no value of ${field}, which are ${words.join(', ')}`)
  return { op, field, values }
}

/** A client's word, cut to 40 characters so that a response stays small. */
function excerpt(word: string): string {
  return word.length > 40 ? `${word.slice(0, 40).toWellFormed()}...` : word
}

class Parser {
  private at = 0

  constructor(private readonly text: string) {}

  filter(): RawClause[] {
    const clauses = [this.clause()]
    while (this.at < this.text.length) {
      this.expect(':')
      if (clauses.length === FILTER_CLAUSES_MAX)
        throw new FilterError('TOO_MANY', `must have at most ${FILTER_CLAUSES_MAX} clauses`)
      clauses.push(this.clause())
    }
    return clauses
  }

  private clause(): RawClause {
    const op = this.word('an operator')
    this.expect('(')
    const field = this.word('a field')
    const values: string[] = []
    do {
      this.expect(',')
      values.push(this.value())
    } while (this.text[this.at] === ',')
    this.expect(')')
    this.spaces()
    return { op, field, values }
  }

  private word(what: string): string {
    this.spaces()
    const word = /[\w.-]*/y
    word.lastIndex = this.at
    const found = word.exec(this.text)?.[0] ?? ''
    if (found === '') throw this.unexpected(what)
    this.at += found.length
    this.spaces()
    return found
  }

  private value(): string {
    this.spaces()
    const first = this.text[this.at]
    return first === '"' || first === "'" ? this.quoted(first) : this.plain()
  }

  private quoted(quote: string): string {
    let value = ''
    for (this.at++; this.at < this.text.length; this.at++) {
      const character = this.text[this.at]
      if (character === quote) {
        this.at++
        this.spaces()
        return value
      }
      if (character === '\\') this.at++
      value += this.text[this.at] ?? ''
    }
    throw this.unexpected(`a closing ${quote}`)
  }

  private plain(): string {
    const start = this.at
    for (let depth = 0; this.at < this.text.length; this.at++) {
      const character = this.text[this.at]
      if (depth === 0 && (character === ',' || character === ')')) break
      if (character === '(') depth++
      if (character === ')') depth--
    }
    let end = this.at
    while (end > start && this.text[end - 1] === ' ') end--
    const value = this.text.slice(start, end)
    if (value === '') throw this.unexpected('a value (an empty one must be quoted)')
    return value
  }

  private expect(character: string): void {
    if (this.text[this.at] !== character) throw this.unexpected(character)
    this.at++
  }

  private spaces(): void {
    while (this.text[this.at] === ' ') this.at++
  }

  private unexpected(wanted: string): FilterError {
    const found =
      this.at < this.text.length ? `"${String.fromCodePoint(this.text.codePointAt(this.at) ?? 0)}"` : 'the end'
    return new FilterError('INVALID_FORMAT', `has ${found} at character ${this.at + 1} where ${wanted} was expected`)
  }
}
