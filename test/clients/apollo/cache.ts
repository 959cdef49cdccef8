import { InMemoryCache } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'

/** A list's pages are joined; these arguments, unlike `first` and `after`, make another list. */
const products = relayStylePagination(['filter', 'orderBy', 'descendants', 'groupVariants', 'offset'])

/** An empty cache of the graph. */
export const createCache = () =>
  new InMemoryCache({
    possibleTypes: { CatalogTreeNode: ['CatalogHierarchy', 'CatalogNode'] },
    typePolicies: {
      Release: { fields: { products } },
      CatalogHierarchy: { fields: { products } },
      CatalogNode: { fields: { products } },
      // Values without an id stay inside their object; what two queries select of one is kept together.
      CatalogPrice: { keyFields: false, merge: true },
      Price: { keyFields: false, merge: true },
      Money: { keyFields: false, merge: true },
    },
  })
