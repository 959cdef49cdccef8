/**
 * Random operations over a schema: queries with fragments, conditions, aliases, merged fields and variables with
 * defaults and nulls, one to three in a document. Fragments are shared by the operations of their document.
 */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { type KnownValues, RandomInput } from './random-input.ts'
import type { Random } from './random-store.ts'

export interface RandomOperation {
  readonly text: string
  /** One for each set of values. */
  readonly requests: readonly { readonly operationName: string; readonly variables: Record<string, unknown> }[]
}

const FRAGMENTS_MAX = 5
const conditions: Readonly<Record<string, string>> = {
  c: 'Boolean!',
  d: 'Boolean!',
  e: 'Boolean! = true',
  o: 'Boolean = true',
}

/** A random document with values of its variables. It may be invalid where fields of one name differ: validate it. */
export function randomOperation(random: Random, schema: GraphQLSchema, known: KnownValues): RandomOperation {
  const { below, pick } = random
  const writer = new Writer(random, schema, known)
  const names = ['A', 'B', 'C'].slice(0, pick([1, 1, 1, 2, 3]))
  const bodies = names.map(() => writer.selections(schema.getQueryType() as GraphQLNamedType, 4))
  const fragments = writer.fragments
    .filter(({ body }) => body !== null)
    .map(({ name, on, body }) => `fragment ${name} on ${on} ${body}`)
  const declared = bodies.map((body) => writer.declarationsOf(body))
  const operations = names.map((name, at) => {
    const variables = Object.entries(declared[at] ?? {}).map(([variable, type]) => `$${variable}: ${type}`)
    return `query ${name}${variables.length > 0 ? `(${variables.join(', ')})` : ''} ${bodies[at]}`
  })
  const used = fragments.filter((fragment) =>
    [...operations, ...fragments].some((text) => text.includes(`...${fragment.split(' ')[1]} `)),
  )
  const requests = Array.from({ length: 3 }, () => {
    const at = below(names.length)
    return { operationName: names[at] ?? '', variables: writer.valuesOf(declared[at] ?? {}) }
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
  private readonly input: RandomInput

  constructor(
    private readonly random: Random,
    private readonly schema: GraphQLSchema,
    known: KnownValues,
  ) {
    this.input = new RandomInput(random, known)
  }

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
    return Object.fromEntries(
      [...names].map((name) => [name, conditions[name] ?? this.input.variables[name]?.declaration ?? '']),
    )
  }

  /** Values of declared variables: absent and null where they may be, and now and then where they may not. */
  valuesOf(declared: Readonly<Record<string, string>>): Record<string, unknown> {
    const { below, chance } = this.random
    const values: Record<string, unknown> = {}
    for (const [name, declaration] of Object.entries(declared)) {
      const isOptional = !/!$/.test(declaration)
      if (chance(isOptional ? 30 : 1)) continue
      if (chance(isOptional ? 15 : 1)) values[name] = null
      else
        values[name] =
          name in conditions
            ? below(2) === 0
            : this.input.value(this.input.variables[name]?.type as GraphQLInputType, name)
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

  /**
   * The field with its arguments, under a response name that stands for the same wherever it is used, so that fields
   * merge.
   */
  private call(place: string, field: GraphQLField<unknown, unknown>): string {
    const { chance, pick } = this.random
    const made = this.calls.get(place) ?? []
    this.calls.set(place, made)
    if (made.length > 0 && (made.length === 3 || chance(60))) return pick(made)
    const number = this.aliases++
    // A name that begins with another and `_` is one that compiled code could mistake.
    const alias = chance(10) ? `${field.name}_${number}` : pick([`x${number}`, `x${number}_${field.name}`])
    const call = `${made.length > 0 || chance(10) ? `${alias}: ` : ''}${field.name}${this.input.arguments(field)}`
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
}
