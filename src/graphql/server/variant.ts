/**
 * Variants of operations: what is left of an operation once the values of its conditions (`@skip`, `@include`) are
 * known. A variant is a document of its own, made for graphql-jit. That evaluates conditions wrongly where fragments
 * are shared, and writes into the syntax tree that it compiles.
 *
 * graphql-jit also coerces variables more laxly than graphql-js, takes an absent variable inside an object for null,
 * and writes literals into the code that it generates, not all of them quoted. So a variant has no literals: each
 * argument is a variable, and graphql-js reads the values of all variables.
 */
import {
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  type NameNode,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  type ValueNode,
  type VariableDefinitionNode,
  type VariableNode,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { fragmentsOf, isIncluded, type Operation, type Variables } from './operation.ts'

/** The type of a variant's variables. graphql-jit passes their values on as they are. */
const Coerced = new GraphQLScalarType({ name: '_Coerced' })

/** The schema with the type of the variables of variants. */
export function schemaOfVariants(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig()
  return new GraphQLSchema({ ...config, types: [...config.types, Coerced] })
}

/** What is compiled. */
export interface Variant {
  readonly document: DocumentNode
  /**
   * The values of its variables by the operation's coerced ones; null if graphql-js refuses the value of an argument.
   */
  readonly valuesOf: (coerced: Variables) => Variables | null
}

type Definition = Pick<Operation, 'document' | 'definition'>

/** The names of the variables that decide conditions in an operation, each once. */
export function conditionVariables(operation: Definition): string[] {
  const given = allSelections(operation).flatMap(({ directives = [] }) =>
    directives.flatMap((one) => one.arguments ?? []),
  )
  return [...new Set(given.flatMap(({ value }) => (value.kind === Kind.VARIABLE ? value.name.value : [])))]
}

/** The variant for these coerced variables; null if its names would mislead compiled code. */
export function variantOf(schema: GraphQLSchema, operation: Definition, coerced: Variables): Variant | null {
  const copies = new Copies(schema, coerced)
  const definition = copies.of({ ...operation.definition, directives: [], variableDefinitions: [] })
  const fragments = usedFragments(operation).map((fragment) => copies.of(fragment))
  if (!areDistinct(copies.responseNames, schema)) return null
  const declared = (operation.definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value)
  const variableDefinitions = [...declared, ...copies.readings.keys()].map(declaration)
  return {
    document: { kind: Kind.DOCUMENT, definitions: [{ ...definition, variableDefinitions }, ...fragments] },
    valuesOf: (given) => withReadings(copies.readings, given),
  }
}

/** An argument and the type by which its value is read. */
interface Reading {
  readonly value: ValueNode
  readonly type: GraphQLInputType
}

/** Copies the parts of an operation without what the conditions exclude, and collects what the copies need. */
class Copies {
  readonly responseNames = new Set<string>()
  /** The arguments that were literals, by the names of the variables in their places. */
  readonly readings = new Map<string, Reading>()
  private readonly types: TypeInfo

  constructor(
    schema: GraphQLSchema,
    private readonly coerced: Variables,
  ) {
    this.types = new TypeInfo(schema)
  }

  of<Part extends ASTNode>(part: Part): Part {
    return visit(part, visitWithTypeInfo(this.types, { enter: this.copy }))
  }

  /** The copy of a node; null excludes it, undefined leaves it as it is. */
  private readonly copy = (node: ASTNode): ASTNode | null | undefined => {
    if (node.kind === Kind.ARGUMENT) return this.argument(node)
    if (node.kind === Kind.FIELD) this.responseNames.add((node.alias ?? node.name).value)
    const isSelection =
      node.kind === Kind.FIELD || node.kind === Kind.INLINE_FRAGMENT || node.kind === Kind.FRAGMENT_SPREAD
    if (!isSelection) return undefined
    return isIncluded(node, this.coerced) ? { ...node, directives: [] } : null
  }

  private argument(node: ArgumentNode): ArgumentNode | undefined {
    const { value } = node
    const type = this.types.getArgument()?.type
    if (value.kind === Kind.VARIABLE || !type) return undefined
    // A number is not a name, so no client can have used it.
    const name = String(this.readings.size)
    this.readings.set(name, { value, type })
    return { ...node, value: { ...variable(name), ...(value.loc && { loc: value.loc }) } }
  }
}

/** The variables with the values of the arguments that were literals. */
function withReadings(readings: ReadonlyMap<string, Reading>, coerced: Variables): Variables | null {
  const values: Record<string, unknown> = { ...coerced }
  for (const [name, { value, type }] of readings) {
    const read = valueFromAST(value, type, coerced)
    if (read === undefined) return null
    values[name] = read
  }
  return values
}

/**
 * Whether compiled code tells these response names apart. It loses `__proto__`. It also finds the info of a field by
 * the names of its path, joined by `_`, so `a { b_c }` and `a_b { c }` would get the same info.
 */
function areDistinct(names: ReadonlySet<string>, schema: GraphQLSchema): boolean {
  // Types and indexes of lists stand in such paths too.
  const isPart = (name: string) => names.has(name) || schema.getType(name) !== undefined || /^idx\d+$/.test(name)
  return [...names].every((name) => {
    if (name === '__proto__') return false
    const ends = [...name.matchAll(/_/g)].map(({ index }) => index)
    return !ends.some((end) => isPart(name.slice(0, end)))
  })
}

/** The selections of an operation and of the fragments that it uses, each once. */
function allSelections({ document, definition }: Definition): SelectionNode[] {
  const fragments = fragmentsOf(document)
  const seen = new Set<string>()
  const all: SelectionNode[] = []
  const add = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      all.push(selection)
      if (selection.kind !== Kind.FRAGMENT_SPREAD) add(selection.selectionSet)
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value)
        add(fragments.get(selection.name.value)?.selectionSet)
      }
    }
  }
  add(definition.selectionSet)
  return all
}

function usedFragments(operation: Definition): FragmentDefinitionNode[] {
  const spread = new Set(
    allSelections(operation).flatMap((one) => (one.kind === Kind.FRAGMENT_SPREAD ? one.name.value : [])),
  )
  return [...fragmentsOf(operation.document).values()].filter(({ name }) => spread.has(name.value))
}

const named = (value: string): NameNode => ({ kind: Kind.NAME, value })
const variable = (name: string): VariableNode => ({ kind: Kind.VARIABLE, name: named(name) })

function declaration(name: string): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: variable(name),
    type: { kind: Kind.NAMED_TYPE, name: named(Coerced.name) },
  }
}
