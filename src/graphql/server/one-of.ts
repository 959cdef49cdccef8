/**
 * Variables of `@oneOf` types: graphql-jit does not check that they have exactly one member, so graphql-js checks them before compiled code
 * runs.
 */
import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getVariableValues,
  isInputObjectType,
  isInputType,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import type { Variables } from './operation.ts'

/** The operation's variables whose types have a `@oneOf` input at any depth. */
export function oneOfVariables(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): VariableDefinitionNode[] {
  return variableDefinitions.filter(({ type }) => {
    const declared = typeFromAST(schema, type as never)
    return isInputType(declared) && hasOneOf(declared, new Set())
  })
}

function hasOneOf(type: GraphQLInputType, seen: Set<unknown>): boolean {
  const named = getNamedType(type)
  if (!isInputObjectType(named) || seen.has(named)) return false
  seen.add(named)
  return named.isOneOf || Object.values(named.getFields()).some((field) => hasOneOf(field.type, seen))
}

/** Whether graphql-js takes the values of these variables. */
export function areTaken(schema: GraphQLSchema, definitions: readonly VariableDefinitionNode[], variables: Variables): boolean {
  return definitions.length === 0 || getVariableValues(schema, definitions, variables).errors === undefined
}
