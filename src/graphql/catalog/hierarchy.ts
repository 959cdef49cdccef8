/** Authored hierarchies: the type Hierarchy and its queries. For administrators only. */
import { hierarchies, hierarchy } from '../../operations/catalog/hierarchy.ts'
import { defineNamedList, namedListArgs } from '../schema/named-list.ts'
import { implementNode } from '../schema/node.ts'
import { childRecordConnection } from '../schema/record-connection.ts'
import { namedClauses } from '../schema/record-filter.ts'
import { CatalogConnection } from './catalog-refs.ts'
import { HierarchyConnection, HierarchyRef, treeFields } from './hierarchy-refs.ts'

implementNode(HierarchyRef, {
  description: 'A tree of nodes as it is authored. Shoppers see it as a CatalogHierarchy of a release.',
  right: 'admin',
  load: (id, ctx) => hierarchy(ctx, { id }),
  rootField: {
    name: 'hierarchy',
    noun: 'hierarchy',
    example: 'c0ffee00-0007-4000-8000-000000000001',
    description: 'One hierarchy as it is authored; null when there is none.',
  },
  fields: (t) => ({
    ...treeFields(t, 'hierarchy'),
    catalogs: t.field({
      type: CatalogConnection,
      description: 'The catalogs that list it, oldest first.',
      args: namedListArgs,
      resolve: ({ id }, { filter, ...args }, { loaders }) =>
        childRecordConnection(args, id, namedClauses(filter), loaders.catalogListByHierarchyId),
    }),
  }),
})

defineNamedList('hierarchies', HierarchyConnection, {
  right: 'admin',
  description: 'All hierarchies as they are authored, oldest first.',
  reads: hierarchies,
})
