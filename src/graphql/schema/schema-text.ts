/**
 * The schema as text: schema.graphql and the start of a subgraph's SDL, with @access on types and fields that are not
 * for everyone.
 */
import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql'
import type { Right } from '../../operations/operation.ts'
import { isAdminType, rightOf, rightOfField } from './rights.ts'
import { roleOf } from './role.ts'

/** The text, which ends in a line break. */
export function schemaText(schema: GraphQLSchema): string {
  const document = visit(parse(printSchema(schema), { noLocation: true }), {
    ObjectTypeDefinition: (node) => ({
      ...node,
      fields: withAccess(schema, node),
      directives: access(rightOfType(schema, node.name.value)),
    }),
    InterfaceTypeDefinition: (node) => ({ ...node, fields: withAccess(schema, node) }),
  })
  return `${print(document)}\n`
}

function rightOfType(schema: GraphQLSchema, name: string): Right {
  const type = schema.getType(name)
  return (type && rightOf(type)) ?? 'anyone'
}

function withAccess(
  schema: GraphQLSchema,
  { name, fields = [] }: Pick<ObjectTypeDefinitionNode, 'name' | 'fields'>,
): FieldDefinitionNode[] {
  const type = schema.getType(name.value)
  // A type for administrators states its right once; its fields don't repeat it.
  if (!(isObjectType(type) || isInterfaceType(type)) || isAdminType(type)) return [...fields]
  return fields.map((node) => {
    const field = type.getFields()[node.name.value]
    return field ? { ...node, directives: access(rightOfField(field)) } : node
  })
}

function access(right: Right): ConstDirectiveNode[] {
  const role = roleOf[right]
  if (role === null) return []
  const value = { kind: Kind.ENUM, value: role } as const
  const argument = { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: 'role' }, value } as const
  return [{ kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: 'access' }, arguments: [argument] }]
}
