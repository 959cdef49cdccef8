/**
 * The check of a mutation's selection, before anything is written: what the viewer may never read and arguments that their reader refuses
 * would otherwise be an error beside a write that is done. Errors that depend on stored records still come when those are read.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLDirective,
  type GraphQLError,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getOperationAST,
  getVariableValues,
  type InlineFragmentNode,
  Kind,
  locatedError,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Context } from '../../request/context.ts'
import { readerOf } from '../schema/argument-reader.ts'
import { forbidden, isAdminType, mayReach, rightOfField } from '../schema/rights.ts'

interface Operation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined
}

/** The result of a mutation that must not run, with the first thing that is wrong in the order of the text; null when it may. */
export function refuseSelection(
  schema: GraphQLSchema,
  { document, operationName, variables }: Operation,
  ctx: Context,
): ExecutionResult | null {
  const operation = getOperationAST(document, operationName)
  const root = schema.getMutationType()
  if (operation?.operation !== OperationTypeNode.MUTATION || !root) return null
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {})
  // Variables that are wrong are refused by the execution, before it writes.
  if (!coerced) return null
  try {
    new SelectionCheck(schema, document, coerced, ctx).selections(root, operation.selectionSet, null)
    return null
  } catch (error) {
    return { data: null, errors: [error as GraphQLError] }
  }
}

class SelectionCheck {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** A fragment says the same wherever it is spread. */
  private readonly checked = new Set<string>()

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Readonly<Record<string, unknown>>,
    private readonly ctx: Context,
  ) {
    const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
    this.fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]))
  }

  /** Throws an error at the field that is wrong. `mutation` is the response's name for the mutation that the set belongs to. */
  selections(type: GraphQLNamedType, set: SelectionSetNode, mutation: string | null): void {
    // A shopper never stands on an admin's type, whatever a fragment on it says.
    if (isAdminType(type) && this.ctx.viewer.role !== 'admin') return
    for (const selection of set.selections) {
      if (!this.isIncluded(selection)) continue
      if (selection.kind === Kind.FIELD) this.field(type, selection, mutation ?? selection.alias?.value ?? selection.name.value)
      else {
        const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.spread(selection.name.value)
        if (fragment) this.selections(this.conditionOf(fragment, type), fragment.selectionSet, mutation)
      }
    }
  }

  private field(type: GraphQLNamedType, node: FieldNode, mutation: string): void {
    const field = 'getFields' in type ? type.getFields()[node.name.value] : undefined
    // `__typename` is nobody's secret.
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

  private conditionOf({ typeCondition }: FragmentDefinitionNode | InlineFragmentNode, here: GraphQLNamedType): GraphQLNamedType {
    return (typeCondition && this.schema.getType(typeCondition.name.value)) ?? here
  }

  private isIncluded(selection: SelectionNode): boolean {
    const says = (directive: GraphQLDirective) => getDirectiveValues(directive, selection, this.variables)?.if
    return says(GraphQLSkipDirective) !== true && says(GraphQLIncludeDirective) !== false
  }
}
