/** Random input of operations: arguments as literals and variables, and the values of these. */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  GraphQLNonNull,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import type { Random } from './random-store.ts'

/**
 * Values for arguments that a random text would rarely hit: of `id` by the name of the field, and of any other by its
 * own name.
 */
export type KnownValues = Readonly<Record<string, readonly string[]>>

export class RandomInput {
  /** The variables that were written, by their names. */
  readonly variables: Record<string, { readonly type: GraphQLInputType; readonly declaration: string }> = {}

  constructor(
    private readonly random: Random,
    private readonly known: KnownValues,
  ) {}

  arguments(field: GraphQLField<unknown, unknown>): string {
    const { chance } = this.random
    const isRequired = (argument: GraphQLArgument) =>
      isNonNullType(argument.type) && argument.defaultValue === undefined
    const given = field.args.filter(
      (argument) =>
        isRequired(argument) ||
        argument.name === 'first' ||
        chance(/^(after|before|last)$/.test(argument.name) ? 3 : 25),
    )
    const texts = given.map(
      (one) => `${one.name}: ${this.literal(one.type, one.name === 'id' ? field.name : one.name, true)}`,
    )
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
    const members = this.members(nullable).map(
      (field) => `${field.name}: ${this.literal(typeOf(field.type), field.name, mayBeVariable)}`,
    )
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
  value(type: GraphQLInputType, name: string): unknown {
    const { below, chance, pick } = this.random
    const nullable = getNullableType(type)
    if (isListType(nullable))
      return chance(80)
        ? Array.from({ length: below(3) }, () => this.value(nullable.ofType, name))
        : this.value(nullable.ofType, name)
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
      case 'Date':
        return pick(['2026-01-01', '2026-01-20', '2026-02-30'])
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
