/**
 * Random operations over a schema: queries with fragments, conditions, aliases, merged fields and variables with defaults
 * and nulls, one to three in a document. Fragments are shared by the operations of their document.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'
import type { Random } from './random-store.ts'

export interface RandomOperation {
  readonly text: string
  /** One for each set of values. */
  readonly requests: readonly { readonly operationName: string; readonly variables: Record<string, unknown> }[]
}

/** Values for arguments that a random text would rarely hit: of `id` by the name of the field, and of any other by its own name. */
export type KnownValues = Readonly<Record<string, readonly string[]>>

const FRAGMENTS_MAX = 5
const conditions: Readonly<Record<string, string>> = { c: 'Boolean!', d: 'Boolean!', e: 'Boolean! = true', o: 'Boolean = true' }

/** A random document with values of its variables. It may be invalid where fields of one name differ: validate it. */
export function randomOperation(random: Random, schema: GraphQLSchema, known: KnownValues): RandomOperation {
  const { below, pick } = random
  const writer = new Writer(random, schema, known)
  const names = ['A', 'B', 'C'].slice(0, pick([1, 1, 1, 2, 3]))
  const bodies = names.map(() => writer.selections(schema.getQueryType() as GraphQLNamedType, 4))
  const fragments = writer.fragments.filter(({ body }) => body !== null).map(({ name, on, body }) => `fragment ${name} on ${on} ${body}`)
  const declared = bodies.map((body) => writer.declarationsOf(body))
  const operations = names.map((name, at) => {
    const variables = Object.entries(declared[at] ?? {}).map(([variable, type]) => `$${variable}: ${type}`)
    return `query ${name}${variables.length > 0 ? `(${variables.join(', ')})` : ''} ${bodies[at]}`
  })
  const used = fragments.filter((fragment) => [...operations, ...fragments].some((text) => text.includes(`...${fragment.split(' ')[1]} `)))
  const requests = Array.from({ length: 3 }, () => {
    const at = below(names.length)
    return { operationName: pick(names.slice(at, at + 1)), variables: writer.valuesOf(declared[at] ?? {}) }
  })
  return { text: [...operations, ...used].join('\n'), requests }
}

interface Fragment {
  readonly name: string
  readonly on: string
  /** Null while it is written: it must not spread itself. */
  body: string | null
}

class Writer {
  readonly fragments: Fragment[] = []
  /** What was written of each field, by its type and name. */
  private readonly calls = new Map<string, string[]>()
  private aliases = 0
  private readonly variables: Record<string, { readonly type: GraphQLInputType; readonly declaration: string }> = {}

  constructor(
    private readonly random: Random,
    private readonly schema: GraphQLSchema,
    private readonly known: KnownValues,
  ) {}

  /** The variables that a text uses, itself and by its fragments, with their declarations. */
  declarationsOf(body: string): Record<string, string> {
    const spread = new Set<string>()
    const texts = [body]
    for (const text of texts)
      for (const [, name = ''] of text.matchAll(/\.\.\.(F\d+)/g)) {
        if (!spread.has(name)) texts.push(this.fragments.find((one) => one.name === name)?.body ?? '')
        spread.add(name)
      }
    const names = new Set(texts.flatMap((text) => [...text.matchAll(/\$(\w+)/g)].map(([, name = '']) => name)))
    return Object.fromEntries([...names].map((name) => [name, conditions[name] ?? this.variables[name]?.declaration ?? '']))
  }

  /** Values of declared variables: absent and null where they may be, and now and then where they may not. */
  valuesOf(declared: Readonly<Record<string, string>>): Record<string, unknown> {
    const { below, chance } = this.random
    const values: Record<string, unknown> = {}
    for (const [name, declaration] of Object.entries(declared)) {
      const isOptional = !/!$/.test(declaration)
      if (chance(isOptional ? 30 : 1)) continue
      if (chance(isOptional ? 15 : 1)) values[name] = null
      else values[name] = name in conditions ? below(2) === 0 : this.value(this.variables[name]?.type as GraphQLInputType, name)
    }
    return values
  }

  selections(type: GraphQLNamedType, depth: number): string {
    const { below, chance } = this.random
    const parts = Array.from({ length: 1 + below(depth > 2 ? 3 : 2) }, () => this.selection(type, depth))
    // What is selected twice is merged.
    if (chance(20)) parts.push(parts[below(parts.length)] as string)
    return `{ ${parts.join(' ')} }`
  }

  private selection(type: GraphQLNamedType, depth: number): string {
    const { below, chance } = this.random
    const kind = below(10)
    if (depth > 0 && kind === 0) return `...${this.condition()} ${this.selections(type, depth - 1)}`
    if (depth > 0 && kind === 1) {
      const narrower = this.narrower(type)
      return `... on ${narrower.name}${this.condition()} ${this.selections(narrower, depth - 1)}`
    }
    const fragment = depth > 0 && kind <= 3 ? this.fragment(type, depth - 1) : null
    if (fragment) return `...${fragment.name} ${this.condition()}`
    return isUnionType(type) || chance(8) ? `__typename${this.condition()}` : this.field(type, depth)
  }

  private field(type: GraphQLNamedType, depth: number): string {
    const { chance, pick } = this.random
    if (!('getFields' in type)) return '__typename'
    const fields = (Object.values(type.getFields()) as GraphQLField<unknown, unknown>[]).filter(
      (field) => !field.name.startsWith('_') && (depth > 0 || !isCompositeType(getNamedType(field.type))),
    )
    if (fields.length === 0) return '__typename'
    // What leads to the lists of a store is selected more often.
    const likely = fields.filter(({ name }) =>
      /^(catalog|storefront|release|latestRelease|products?|nodes|priceBooks?|prices?)$/.test(name),
    )
    const field = pick(likely.length > 0 && chance(50) ? likely : fields)
    const result = getNamedType(field.type)
    const selections = isCompositeType(result) ? ` ${this.selections(result, depth - 1)}` : ''
    return `${this.call(`${type.name}.${field.name}`, field)}${this.condition()}${selections}`
  }

  /** The field with its arguments, under a response name that stands for the same wherever it is used, so that fields merge. */
  private call(place: string, field: GraphQLField<unknown, unknown>): string {
    const { chance, pick } = this.random
    const made = this.calls.get(place) ?? []
    this.calls.set(place, made)
    if (made.length > 0 && (made.length === 3 || chance(60))) return pick(made)
    const number = this.aliases++
    // A name that begins with another and `_` is one that compiled code could mistake.
    const alias = chance(10) ? `${field.name}_${number}` : pick([`x${number}`, `x${number}_${field.name}`])
    const call = `${made.length > 0 || chance(10) ? `${alias}: ` : ''}${field.name}${this.arguments(field)}`
    made.push(call)
    return call
  }

  private fragment(type: GraphQLNamedType, depth: number): Fragment | null {
    const { chance, pick } = this.random
    const fitting = this.fragments.filter(({ on, body }) => on === type.name && body !== null)
    if (fitting.length > 0 && chance(75)) return pick(fitting)
    if (this.fragments.length === FRAGMENTS_MAX) return null
    const fragment: Fragment = { name: `F${this.fragments.length}`, on: type.name, body: null }
    this.fragments.push(fragment)
    fragment.body = this.selections(type, depth)
    return fragment
  }

  /** The type itself, one of the types that it may be, or an interface that it has. */
  private narrower(type: GraphQLNamedType): GraphQLNamedType {
    if (isObjectType(type)) return this.random.pick([type, ...type.getInterfaces()])
    return this.random.pick([type, ...this.schema.getPossibleTypes(type as never)])
  }

  private condition(): string {
    const { chance, pick } = this.random
    const one = () => `${pick(['skip', 'include'])}(if: ${pick(['$c', '$c', '$d', '$d', '$e', '$o', 'true', 'false'])})`
    if (!chance(25)) return ''
    return chance(10) ? ` @skip(if: ${pick(['$c', '$d'])}) @include(if: ${pick(['$c', '$d'])})` : ` @${one()}`
  }

  private arguments(field: GraphQLField<unknown, unknown>): string {
    const { chance } = this.random
    const isRequired = (argument: GraphQLArgument) => isNonNullType(argument.type) && argument.defaultValue === undefined
    const given = field.args.filter(
      (argument) => isRequired(argument) || argument.name === 'first' || chance(/^(after|before|last)$/.test(argument.name) ? 3 : 25),
    )
    const texts = given.map((one) => `${one.name}: ${this.literal(one.type, one.name === 'id' ? field.name : one.name, true)}`)
    return texts.length > 0 ? `(${texts.join(', ')})` : ''
  }

  /** A literal, or where one may stand a variable in its place. */
  private literal(type: GraphQLInputType, name: string, mayBeVariable: boolean): string {
    const { chance } = this.random
    if (mayBeVariable && chance(35)) return `$${this.variable(type, name)}`
    const nullable = getNullableType(type)
    if (nullable === type && chance(5)) return 'null'
    if (isListType(nullable)) {
      const item = this.literal(nullable.ofType, name, mayBeVariable)
      return item.startsWith('$') || chance(80) ? `[${item}]` : item
    }
    if (!isInputObjectType(nullable)) {
      const value = this.value(nullable as GraphQLInputType, name)
      return isEnumType(nullable) ? String(value) : JSON.stringify(value)
    }
    const typeOf = (given: GraphQLInputType) => (nullable.isOneOf ? new GraphQLNonNull(getNullableType(given)) : given)
    const members = this.members(nullable).map((field) => `${field.name}: ${this.literal(typeOf(field.type), field.name, mayBeVariable)}`)
    return `{${members.join(', ')}}`
  }

  private variable(type: GraphQLInputType, name: string): string {
    const { below, chance } = this.random
    const variable = `v${Object.keys(this.variables).length}`
    const nullable = getNullableType(type) as GraphQLInputType
    const fallback = !isInputObjectType(getNamedType(type)) && chance(40) ? ` = ${this.literal(type, name, false)}` : ''
    const isNullable = nullable === type || (fallback !== '' && fallback !== ' = null' && below(3) === 0)
    this.variables[variable] = { type, declaration: `${isNullable ? nullable : type}${fallback}` }
    return variable
  }

  private members(type: GraphQLNamedType) {
    const { chance, pick } = this.random
    if (!isInputObjectType(type)) return []
    const fields = Object.values(type.getFields())
    if (type.isOneOf) return [pick(fields)]
    return fields.filter((field) => (isNonNullType(field.type) && field.defaultValue === undefined) || chance(25))
  }

  /** A value as a client sends it; at times one that is refused. */
  private value(type: GraphQLInputType, name: string): unknown {
    const { below, chance, pick } = this.random
    const nullable = getNullableType(type)
    if (isListType(nullable))
      return chance(80) ? Array.from({ length: below(3) }, () => this.value(nullable.ofType, name)) : this.value(nullable.ofType, name)
    if (isInputObjectType(nullable)) return this.membersOf(nullable)
    if (isEnumType(nullable)) return pick(nullable.getValues()).name
    const texts = this.known[name] ?? this.known.id ?? []
    switch (nullable.name) {
      case 'Int':
      case 'Long':
        return name === 'first' ? pick([0, 1, 2, 2, 2, 3, 3, chance(20) ? -1 : 1]) : pick([0, 1, 2, 5, 60_000])
      case 'Float':
        return pick([0, 1, 2.5])
      case 'Boolean':
        return chance(50)
      case 'DateTime':
        return pick(['2026-01-01T00:00:00Z', '2026-01-20T00:00:00Z'])
      case 'CurrencyCode':
        return pick(['USD', 'EUR', 'usd'])
      case 'JSON':
        return pick([1, 'x', true])
      default:
        return pick(nullable.name === 'ID' ? texts : [...(this.known[name] ?? []), 'en', 'x', ''])
    }
  }

  private membersOf(type: GraphQLNamedType): unknown {
    // What a list is in place of an object is refused.
    if (this.random.chance(3)) return []
    return Object.fromEntries(this.members(type).map((field) => [field.name, this.value(field.type, field.name)]))
  }
}
