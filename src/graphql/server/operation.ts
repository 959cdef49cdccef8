/** Operations: the part of a document that a request runs, with its variables. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLDirective,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'

/** The values of an operation's variables. */
export type Variables = Readonly<Record<string, unknown>>

/** What names an operation: a document, the name of one of its operations, and variables. */
export interface OperationRequest {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variables?: Variables | null | undefined
  /** The event for which a GraphQL subscription runs its operation; absent for queries and mutations. */
  readonly root?: unknown
}

/** An operation that its document has. */
export interface Operation extends OperationRequest {
  readonly definition: OperationDefinitionNode
  readonly variables: Variables
}

/** The operation that a request names; null when the document has none of the name, or several and no name is given. */
export function findOperation(request: OperationRequest): Operation | null {
  const definition = getOperationAST(request.document, request.operationName)
  return definition ? { ...request, definition, variables: request.variables ?? {} } : null
}

/**
 * The coerced variables of an operation; undefined for invalid ones, which the executor refuses before anything runs.
 */
export function coercedVariables(schema: GraphQLSchema, { definition, variables }: Operation): Variables | undefined {
  return getVariableValues(schema, definition.variableDefinitions ?? [], variables).coerced
}

/** The fragments of a document by their names. */
export function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]))
}

/** Whether the conditions of a selection include it. Throws a GraphQLError if one of them is null. */
export function isIncluded(selection: SelectionNode, coerced: Variables): boolean {
  const condition = (directive: GraphQLDirective) => getDirectiveValues(directive, selection, coerced)?.if
  return condition(GraphQLSkipDirective) !== true && condition(GraphQLIncludeDirective) !== false
}
