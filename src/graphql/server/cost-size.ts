/** How many items a field answers at most, as its arguments say: known from the document, or decided by variables. */
import {
  type FieldNode,
  type GraphQLField,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import { CONNECTION_DEFAULT, CONNECTION_MAX } from '../../domain/input/page.ts'

export type Variables = Readonly<Record<string, unknown>>

/** A number of items, or what tells it from variables. */
export type Size = number | ((variables: Variables) => number)

export const sizeWith = (size: Size, variables: Variables): number => (typeof size === 'number' ? size : size(variables))

type Field = GraphQLField<unknown, unknown>

/** The page that a connection field is asked for; null when it is none. More than a page may hold is refused later, so it counts as full. */
export function pageSize(field: Field, node: FieldNode, operation: OperationDefinitionNode): Size | null {
  if (!field.args.some(({ name }) => name === 'first')) return null
  const given = ['first', 'last'].map((name) => argument(node, name))
  return sizeFrom(given, operation, (values) => {
    const limits = values.filter((value) => typeof value === 'number')
    return limits.length === 0 ? CONNECTION_DEFAULT : Math.min(Math.max(...limits, 0), CONNECTION_MAX)
  })
}

/** A list field that takes a list answers about an item for each entry of it; null when it takes none. */
export function listSize(field: Field, node: FieldNode, operation: OperationDefinitionNode): Size | null {
  const list = field.args.find(({ type }) => isListType(getNullableType(type)))
  if (!list) return null
  return sizeFrom([argument(node, list.name)], operation, ([value]) => (Array.isArray(value) ? value.length : 1))
}

/** Entries of lists in variables that count as one object: a field reads them all, and so does each alias of it. */
export const ENTRIES_PER_OBJECT = 100

/** What a field costs beside what it answers: a size for each of `lists`, variables that may hold lists, that its arguments name. */
export function entrySizes({ arguments: given = [] }: FieldNode, lists: ReadonlySet<string>): Size[] {
  const names = new Set(given.flatMap(({ value }) => variablesIn(value)).filter((name) => lists.has(name)))
  return [...names].map(
    (name) => (variables) => Math.floor(entriesOf(Object.hasOwn(variables, name) ? variables[name] : null) / ENTRIES_PER_OBJECT),
  )
}

function variablesIn(value: ValueNode): string[] {
  if (value.kind === Kind.VARIABLE) return [value.name.value]
  if (value.kind === Kind.LIST) return value.values.flatMap(variablesIn)
  return value.kind === Kind.OBJECT ? value.fields.flatMap((field) => variablesIn(field.value)) : []
}

/** Of all lists in a value, which is as deep as a request's JSON may be. */
function entriesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value)
  return inside.reduce<number>((sum, one) => sum + entriesOf(one), Array.isArray(value) ? value.length : 0)
}

function argument(node: FieldNode, name: string): ValueNode | undefined {
  return node.arguments?.find((given) => given.name.value === name)?.value
}

function sizeFrom(
  given: readonly (ValueNode | undefined)[],
  operation: OperationDefinitionNode,
  size: (values: unknown[]) => number,
): Size {
  const readers = given.map((value) => reader(value, operation))
  if (readers.every(({ varies }) => !varies)) return size(readers.map(({ read }) => read({})))
  return (variables) => size(readers.map(({ read }) => read(variables)))
}

interface Reader {
  /** Whether a variable decides. */
  readonly varies: boolean
  readonly read: (variables: Variables) => unknown
}

function reader(value: ValueNode | undefined, operation: OperationDefinitionNode): Reader {
  if (value?.kind !== Kind.VARIABLE) {
    // How long a list is does not depend on variables inside.
    const constant = value && (value.kind === Kind.LIST ? value.values : valueFromASTUntyped(value))
    return { varies: false, read: () => constant }
  }
  const name = value.name.value
  const declared = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue
  const fallback = declared && valueFromASTUntyped(declared)
  // A variable may be called like what every object inherits.
  return { varies: true, read: (variables) => (Object.hasOwn(variables, name) ? variables[name] : fallback) }
}
