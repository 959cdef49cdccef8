/**
 * Selection check of mutations: rights and arguments of the selected fields are validated before the mutation writes.
 * Without it, they would fail after a successful write. Errors that depend on stored records still occur when those are
 * read.
 */
import {
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  type InlineFragmentNode,
  Kind,
  locatedError,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql'
import type { Context } from '../../request/context.ts'
import { readerOf } from '../schema/argument-reader.ts'
import { forbidden, isAdminType, mayReach, rightOfField } from '../schema/rights.ts'
import { coercedVariables, fragmentsOf, isIncluded, type Operation, type Variables } from './operation.ts'

/**
 * The error result of a mutation that must not run, with the first error in the order of the text; null when it may
 * run.
 */
export function refuseSelection(schema: GraphQLSchema, operation: Operation, ctx: Context): ExecutionResult | null {
  const { document, definition } = operation
  const root = schema.getMutationType()
  if (definition.operation !== OperationTypeNode.MUTATION || !root) return null
  const variables = coercedVariables(schema, operation)
  if (!variables) return null
  try {
    new SelectionCheck(schema, fragmentsOf(document), variables, ctx).selections(root, definition.selectionSet, null)
    return null
  } catch (error) {
    return { data: null, errors: [error as GraphQLError] }
  }
}

class SelectionCheck {
  /** Fragments that were checked. One check covers all spreads. */
  private readonly checked = new Set<string>()

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly variables: Variables,
    private readonly ctx: Context,
  ) {}

  /** Throws a GraphQLError at an invalid field. `mutation` is the response name of the root field; null at the root. */
  selections(type: GraphQLNamedType, set: SelectionSetNode, mutation: string | null): void {
    // A fragment on a type for administrators never applies for a shopper.
    if (isAdminType(type) && this.ctx.viewer.role !== 'admin') return
    for (const selection of set.selections) {
      if (!isIncluded(selection, this.variables)) continue
      if (selection.kind === Kind.FIELD)
        this.field(type, selection, mutation ?? selection.alias?.value ?? selection.name.value)
      else {
        const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.spread(selection.name.value)
        if (fragment) this.selections(this.conditionOf(fragment, type), fragment.selectionSet, mutation)
      }
    }
  }

  private field(type: GraphQLNamedType, node: FieldNode, mutation: string): void {
    const field = 'getFields' in type ? type.getFields()[node.name.value] : undefined
    // `__typename` needs no right.
    if (!field || !('args' in field)) return
    try {
      const right = rightOfField(field)
      if (right !== 'anyone' && !mayReach(right, this.ctx)) throw forbidden(`${type.name}.${field.name}`, right)
      this.readArguments(field, node)
    } catch (error) {
      throw locatedError(error, node, [mutation])
    }
    if (node.selectionSet) this.selections(getNamedType(field.type), node.selectionSet, mutation)
  }

  private readArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): void {
    const readers = field.args.flatMap((argument) => readerOf(argument) ?? [])
    if (readers.length === 0) return
    const args = getArgumentValues(field, node, this.variables)
    for (const read of readers) read(args as never, this.ctx)
  }

  private spread(name: string): FragmentDefinitionNode | undefined {
    if (this.checked.has(name)) return undefined
    this.checked.add(name)
    return this.fragments.get(name)
  }

  private conditionOf(
    { typeCondition }: FragmentDefinitionNode | InlineFragmentNode,
    here: GraphQLNamedType,
  ): GraphQLNamedType {
    return (typeCondition && this.schema.getType(typeCondition.name.value)) ?? here
  }
}
