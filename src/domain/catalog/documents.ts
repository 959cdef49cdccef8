/** Documents of hierarchies, nodes, catalogs, their rules and releases in an import (input/document.ts). */
import { externalRef, locales, freeName as name, recordDocument, reference, relationships, schedule } from '../input/document.ts'
import * as schema from '../input/json-schema.ts'
import {
  CATALOG_HIERARCHIES_MAX,
  CATALOG_PRICE_BOOKS_MAX,
  FREE_NAME_MAX,
  INT4_MAX,
  NODE_CURATED_MAX,
  NODE_PRODUCTS_MAX,
  PRODUCT_DESCRIPTION_MAX,
  RULE_SCHEDULES_MAX,
  RULE_VALUES_MAX,
} from '../input/limits.ts'

const { list, nullable, text, uuid } = schema
const texts = { 'name?': name, 'description?': nullable(text({ max: PRODUCT_DESCRIPTION_MAX })), 'external_ref?': externalRef }
const treeTexts = { ...texts, 'slug?': nullable(text({ max: FREE_NAME_MAX })), 'locales?': locales }

/** A hierarchy. */
export const hierarchyDocument = recordDocument('hierarchy', treeTexts)

/** A node. */
export const nodeDocument = recordDocument(
  'node',
  {
    ...treeTexts,
    'label?': nullable(text({ max: FREE_NAME_MAX })),
    'sort_order?': nullable(schema.integer(-INT4_MAX - 1, INT4_MAX)),
    'curated_products?': nullable(list(reference(['product']), NODE_CURATED_MAX)),
  },
  {
    'id?': uuid,
    'relationships?': relationships({
      parent: reference(['hierarchy', 'node']),
      products: list(reference(['product']), NODE_PRODUCTS_MAX),
    }),
  },
)

/** A catalog. */
export const catalogDocument = recordDocument('catalog', {
  ...texts,
  'locales?': locales,
  'hierarchy_ids?': list(reference(['hierarchy']), CATALOG_HIERARCHIES_MAX),
  'pricebook_ids?': list(reference(['pricebook'], { priority: schema.integer() }), CATALOG_PRICE_BOOKS_MAX),
})

const values = (of: schema.Schema): schema.Schema => nullable(list(of, RULE_VALUES_MAX))

/** A catalog rule. */
export const catalogRuleDocument = recordDocument('catalog_rule', {
  'name?': name,
  'external_ref?': externalRef,
  'catalog_id?': reference(['catalog']),
  'account_ids?': values(uuid),
  'channels?': values(name),
  'tags?': values(name),
  'schedules?': nullable(list(schedule, RULE_SCHEDULES_MAX)),
})

/** A publish. */
export const releaseDocument = recordDocument('catalog-release', { catalog_id: reference(['catalog']) })
