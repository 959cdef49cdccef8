/** Subgraph SDL: the schema's text with the directives of Apollo Federation 2. */
import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type GraphQLSchema,
  Kind,
  type ObjectTypeDefinitionNode,
  OperationTypeNode,
  parse,
  print,
} from 'graphql'
import { schemaText } from './schema/schema-text.ts'

const LINK = '@link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])'
/**
 * Directives of GraphQL itself in the text that composers refuse when they are not defined: Apollo's does not know
 * `@oneOf`.
 */
const DEFINED = 'directive @oneOf on INPUT_OBJECT'
/** Keys of entities besides `id` (graph.federation-keys). */
const furtherKeys: Readonly<Record<string, string>> = { CatalogProduct: 'catalog { id } key' }

/** Types without an identity, which other subgraphs may define as well (graph.federation-without-clashes). */
const valueTypes: ReadonlySet<string> = new Set(['PageInfo', 'Money', 'Price'])
/**
 * Root fields of Relay. Each subgraph has its own, so they would clash behind a gateway, which reaches entities by
 * their keys.
 */
const relayFields: ReadonlySet<string> = new Set(['node', 'nodes'])

const texts = new WeakMap<GraphQLSchema, string>()

/** The SDL of a schema; `entities` are the names of the types with a key. Cached per schema. */
export function subgraphSdl(schema: GraphQLSchema, entities: readonly string[]): string {
  const cached = texts.get(schema)
  if (cached !== undefined) return cached
  const definitions = parse(schemaText(schema), { noLocation: true }).definitions.flatMap((definition) =>
    annotate(definition, schema, new Set(entities)),
  )
  const text = print({
    kind: Kind.DOCUMENT,
    definitions: [...parse(DEFINED, { noLocation: true }).definitions, ...definitions],
  })
  texts.set(schema, text)
  return text
}

function annotate(definition: DefinitionNode, schema: GraphQLSchema, entities: ReadonlySet<string>): DefinitionNode[] {
  if (definition.kind === Kind.SCHEMA_DEFINITION) {
    // Gateways run GraphQL subscriptions over a protocol that this server does not speak, so the SDL leaves out their
    // root.
    const operationTypes = definition.operationTypes.filter(
      ({ operation }) => operation !== OperationTypeNode.SUBSCRIPTION,
    )
    return [{ ...definition, operationTypes, directives: directives(LINK) }]
  }
  // Types such as _Any and _Entity, which the gateway adds itself.
  if ('name' in definition && definition.name?.value.startsWith('_')) return []
  if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return [definition]
  const name = definition.name.value
  if (name === schema.getSubscriptionType()?.name) return []
  if (name === schema.getQueryType()?.name) return [withoutOwnFields(definition)]
  if (valueTypes.has(name))
    return [{ ...definition, directives: [...(definition.directives ?? []), ...directives('@shareable')] }]
  if (!entities.has(name)) return [definition]
  const keys = ['id', ...(furtherKeys[name] === undefined ? [] : [furtherKeys[name]])]
  const added = directives(keys.map((fields) => `@key(fields: "${fields}")`).join(' '))
  return [{ ...definition, directives: [...(definition.directives ?? []), ...added] }]
}

/** The query root without the fields that gateways add themselves and those that belong to this server alone. */
function withoutOwnFields(query: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode {
  return {
    ...query,
    fields: query.fields?.filter(({ name }) => !name.value.startsWith('_') && !relayFields.has(name.value)) ?? [],
  }
}

function directives(text: string): ConstDirectiveNode[] {
  const [definition] = parse(`type Any ${text}`, { noLocation: true }).definitions
  return [...((definition as ObjectTypeDefinitionNode).directives ?? [])]
}
