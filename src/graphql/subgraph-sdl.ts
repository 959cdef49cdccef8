/** The schema's text as Apollo Federation 2 wants it of a subgraph. */
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type GraphQLSchema,
  Kind,
  type ObjectTypeDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  printSchema,
} from 'graphql'

const LINK = '@link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])'
/** Keys beside `id` (graph.federation-keys). */
const furtherKeys: Readonly<Record<string, string>> = { CatalogProduct: 'catalogId productId' }

const texts = new WeakMap<GraphQLSchema, string>()

/** `entities` are the types with a key. */
export function subgraphSdl(schema: GraphQLSchema, entities: readonly string[]): string {
  const cached = texts.get(schema)
  if (cached !== undefined) return cached
  const definitions = parse(printSchema(schema), { noLocation: true }).definitions.flatMap((definition) =>
    annotate(definition, schema, new Set(entities)),
  )
  const text = print({ kind: Kind.DOCUMENT, definitions })
  texts.set(schema, text)
  return text
}

function annotate(definition: DefinitionNode, schema: GraphQLSchema, entities: ReadonlySet<string>): DefinitionNode[] {
  if (definition.kind === Kind.SCHEMA_DEFINITION) {
    // A gateway speaks to subgraphs of subscriptions in a protocol of its own, so it is not told of their root.
    const operationTypes = definition.operationTypes.filter(({ operation }) => operation !== OperationTypeNode.SUBSCRIPTION)
    return [{ ...definition, operationTypes, directives: directives(LINK) }]
  }
  // What a gateway adds itself.
  if ('name' in definition && definition.name?.value.startsWith('_')) return []
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return [definition]
  const name = definition.name.value
  if (name === schema.getSubscriptionType()?.name) return []
  if (name === schema.getQueryType()?.name) return [withoutOwnFields(definition)]
  // Every subgraph with connections has it.
  if (name === 'PageInfo') return [{ ...definition, directives: directives('@shareable') }]
  if (!entities.has(name)) return [definition]
  const keys = ['id', ...(furtherKeys[name] === undefined ? [] : [furtherKeys[name]])]
  return [{ ...definition, directives: directives(keys.map((fields) => `@key(fields: "${fields}")`).join(' ')) }]
}

function withoutOwnFields(query: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode {
  return { ...query, fields: query.fields?.filter(({ name }) => !name.value.startsWith('_')) ?? [] }
}

function directives(text: string): ConstDirectiveNode[] {
  const [definition] = parse(`type Any ${text}`, { noLocation: true }).definitions
  return [...((definition as ObjectTypeDefinitionNode).directives ?? [])]
}
