/** Query cost analysis, list sizes: how many items a field returns at most, by its arguments and the variables. */
import {
  type FieldNode,
  type GraphQLField,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import { CONNECTION_DEFAULT, CONNECTION_MAX } from '../../domain/input/page.ts'
import type { Variables } from './operation.ts'

/** A number of items: a constant, or a function of the variables. */
export type Size = number | ((variables: Variables) => number)

/** The size for the given variables. */
export const sizeWith = (size: Size, variables: Variables): number =>
  typeof size === 'number' ? size : size(variables)

type Field = GraphQLField<unknown, unknown>

/**
 * The size of a connection's page; null for another field. A size above CONNECTION_MAX is refused later and counts as
 * CONNECTION_MAX.
 */
export function pageSize(field: Field, node: FieldNode, operation: OperationDefinitionNode): Size | null {
  if (!field.args.some(({ name }) => name === 'first')) return null
  const given = ['first', 'last'].map((name) => argument(node, name))
  return sizeFrom(given, operation, (values) => {
    const limits = values.filter((value) => typeof value === 'number')
    return limits.length === 0 ? CONNECTION_DEFAULT : Math.min(Math.max(...limits, 0), CONNECTION_MAX)
  })
}

/** The size of a list field that has a list as its argument: one item per entry; null for another field. */
export function listSize(field: Field, node: FieldNode, operation: OperationDefinitionNode): Size | null {
  const list = field.args.find(({ type }) => isListType(getNullableType(type)))
  if (!list) return null
  return sizeFrom([argument(node, list.name)], operation, ([value]) => (Array.isArray(value) ? value.length : 1))
}

/**
 * Entries of lists in variables that cost as much as one object. Every field with such a variable reads them all, and
 * so does every alias.
 */
export const ENTRIES_PER_OBJECT = 100

/**
 * Sizes for reading a field's variables: one for each variable in its arguments that may be a list (those in `lists`).
 */
export function entrySizes({ arguments: given = [] }: FieldNode, lists: ReadonlySet<string>): Size[] {
  const names = new Set(given.flatMap(({ value }) => variablesIn(value)).filter((name) => lists.has(name)))
  return [...names].map(
    (name) => (variables) =>
      Math.floor(entriesOf(Object.hasOwn(variables, name) ? variables[name] : null) / ENTRIES_PER_OBJECT),
  )
}

function variablesIn(value: ValueNode): string[] {
  if (value.kind === Kind.VARIABLE) return [value.name.value]
  if (value.kind === Kind.LIST) return value.values.flatMap(variablesIn)
  return value.kind === Kind.OBJECT ? value.fields.flatMap((field) => variablesIn(field.value)) : []
}

/** The number of entries of all lists in a value, at any depth. */
function entriesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  return inside.reduce<number>((sum, one) => sum + entriesOf(one), Array.isArray(value) ? value.length : 0)
}

/**
 * The text that a field searches for, given the variables: the member `search` of its argument `filter`, or its
 * argument `text`; null for none.
 */
export type SearchText = (variables: Variables) => string | null

/** The search of a field; null when it has none, whatever the variables. */
export function searchOf(field: Field, node: FieldNode, operation: OperationDefinitionNode): SearchText | null {
  const typed = field.args.some(({ name }) => name === 'text') && argument(node, 'text')
  if (typed) return (variables) => textOf(readValue(typed, operation, variables))
  const type = getNamedType(field.args.find(({ name }) => name === 'filter')?.type)
  if (!isInputObjectType(type) || !type.getFields().search) return null
  const filter = argument(node, 'filter')
  const member =
    filter?.kind === Kind.OBJECT ? filter.fields.find(({ name }) => name.value === 'search')?.value : undefined
  if (filter?.kind === Kind.OBJECT && !member) return null
  const given = member ?? filter
  if (!given) return null
  return (variables) => {
    const value = readValue(given, operation, variables)
    const text: unknown = member ? value : (value as { readonly search?: unknown } | null | undefined)?.search
    return textOf(text)
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function argument(node: FieldNode, name: string): ValueNode | undefined {
  return node.arguments?.find((given) => given.name.value === name)?.value
}

/** A size by the values of arguments: a constant when none of them is a variable. */
function sizeFrom(
  given: readonly (ValueNode | undefined)[],
  operation: OperationDefinitionNode,
  size: (values: unknown[]) => number,
): Size {
  const sizeOf = (variables: Variables) => size(given.map((value) => value && readValue(value, operation, variables)))
  return given.some((value) => value?.kind === Kind.VARIABLE) ? sizeOf : sizeOf({})
}

function readValue(value: ValueNode, { variableDefinitions }: OperationDefinitionNode, variables: Variables): unknown {
  // The length of a list literal does not depend on variables inside.
  if (value.kind !== Kind.VARIABLE) return value.kind === Kind.LIST ? value.values : valueFromASTUntyped(value)
  const name = value.name.value
  // A variable may have the name of a member of Object.prototype.
  if (Object.hasOwn(variables, name)) return variables[name]
  const declared = variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue
  return declared && valueFromASTUntyped(declared)
}
