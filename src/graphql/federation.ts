/**
 * Apollo Federation 2 subgraph: every node is an entity by its `id`, a CatalogProduct also by `catalog { id } key`
 * (graph.federation-keys).
 *
 * @pothos/plugin-federation does not fit: it builds a second schema without the rights, resolves lists of promises,
 * which graphql-jit can't take, and writes a brand onto loaded objects, which may be frozen.
 */
import { badRequest, DomainError, type Path } from '../domain/input/errors.ts'
import { isObject } from '../lib/json-object.ts'
import type { Context } from '../request/context.ts'
import { latestProduct } from './catalog/published-counterparts.ts'
import { assertCount } from './schema/argument-reader.ts'
import { builder } from './schema/builder.ts'
import { rawId, readId } from './schema/ids.ts'
import { loadNode, nodeTypeNames, settleToError, typeNameOf, withTypeName } from './schema/relay.ts'
import { subgraphSdl } from './subgraph-sdl.ts'

/** The most entities in one call of `_entities`. A gateway requests all entities of one of its lists at once. */
export const ENTITIES_MAX = 1000

const AnyScalar = builder.scalarType('_Any', {
  description:
    'A reference to an entity, as gateways send it: an object with its `__typename` and the fields of one of its keys.',
  serialize: (value) => value,
})

const EntityRef = builder.unionType('_Entity', {
  description: 'What other subgraphs may refer to.',
  types: () => nodeTypeNames() as never,
  resolveType: (entity) => typeNameOf(entity) as never,
})

const ServiceRef = builder.objectRef<{ readonly sdl: string }>('_Service').implement({
  description: 'This server as a subgraph.',
  right: 'anyone',
  fields: (t) => ({ sdl: t.exposeString('sdl', { description: 'The schema with the directives of Federation 2.' }) }),
})

builder.queryFields((t) => ({
  _service: t.field({
    type: ServiceRef,
    right: 'anyone',
    description:
      'For gateways that compose this server with others: its schema. In production it is for administrators only.',
    resolve: (_, __, { config, viewer }, { schema }) => {
      if (config.production && viewer.role !== 'admin')
        throw new DomainError('forbidden', 'Query._service is for administrators in production')
      return { sdl: subgraphSdl(schema, nodeTypeNames()) }
    },
  }),
  _entities: t.field({
    type: [EntityRef],
    nullable: { list: false, items: true },
    right: 'anyone',
    description:
      'For gateways: entities by their keys, in the order of the references; null where there is no such thing.',
    args: {
      representations: t.arg({
        type: [AnyScalar],
        required: true,
        description: `References, at most ${ENTITIES_MAX}.`,
      }),
    },
    resolve: (_, { representations }, ctx) => {
      assertCount(representations, ENTITIES_MAX, ['representations'])
      return Promise.all(
        representations.map((reference, index) =>
          settleToError(loadEntity(reference, ['representations', index], ctx)),
        ),
      )
    },
  }),
}))

async function loadEntity(reference: unknown, path: Path, ctx: Context): Promise<object | null> {
  const { __typename: type, id, catalog, key } = isObject(reference) ? reference : {}
  if (typeof type !== 'string' || !nodeTypeNames().includes(type)) {
    throw badRequest('INVALID_VALUE', path, 'must have the name of a type with a key as its __typename')
  }
  if (typeof id === 'string')
    return loadNode({ typename: type, id: rawId(type, id) }, 'Query._entities', [...path, 'id'], ctx)
  if (type === 'CatalogProduct' && isObject(catalog) && typeof catalog.id === 'string' && typeof key === 'string') {
    const catalogId = readId('Catalog', catalog.id, [...path, 'catalog', 'id'])
    return withTypeName(type, await latestProduct(catalogId, readId('Product', key, [...path, 'key']), ctx))
  }
  throw badRequest('REQUIRED', [...path, 'id'], 'must be given')
}
