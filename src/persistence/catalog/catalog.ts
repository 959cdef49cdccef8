/** Catalogs in the database: the settings of a catalog with its lists of hierarchies and price books. */
import { type CatalogPriceBook, catalogRecord } from '../../domain/catalog/catalog.ts'
import { idList } from '../database/record-lists.ts'
import { recordTable } from '../database/record-table.ts'

/** The table of catalogs, without the columns that publishing maintains. */
export const catalogTable = recordTable('catalog', catalogRecord, {
  others: ['firstPublishedAt', 'priceHistoryFrom', 'wordsReleaseId', 'releaseSequence'],
  lists: {
    hierarchyIds: idList('catalogHierarchy', 'catalogId', 'hierarchyId'),
    priceBooks: {
      model: 'catalogPriceBook',
      owner: 'catalogId',
      columns: ['priceBookId', 'priority'],
      toRow: ({ id, priority }: CatalogPriceBook) => ({ priceBookId: id, priority: BigInt(priority) }),
      fromRow: ({ priceBookId, priority }) => ({ id: priceBookId, priority: Number(priority) }),
    },
  },
})
