import { cacheExchange } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import type { IntrospectionQuery } from 'graphql'

/** The cache of the graph, for `exchanges`; `schema` is what writeSchema wrote. */
export function createCache(schema: IntrospectionQuery) {
  const { types } = schema.__schema
  const values = types.filter((type) => type.kind === 'OBJECT' && !type.fields.some(({ name }) => name === 'id'))
  return cacheExchange({
    schema,
    // Values without an id stay inside their object.
    keys: Object.fromEntries(values.map(({ name }) => [name, () => null])),
    resolvers: {
      Release: { products: relayPagination() },
      CatalogHierarchy: { products: relayPagination() },
      CatalogNode: { products: relayPagination() },
    },
  })
}
