/**
 * Catalog mutations. They change a catalog's settings; shoppers see the change after the next publish (release.is-a-snapshot).
 */
import { CATALOG_PRICE_BOOKS_MAX } from '../../domain/input/limits.ts'
import { createCatalog, deleteCatalog, updateCatalog } from '../../operations/catalog/catalog.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation, type InputBuilder } from '../schema/define-mutation.ts'
import { type InputMembers, idMember } from '../schema/graph-input.ts'
import { requiredId } from '../schema/ids.ts'
import { LocaleInput, localesMember } from '../schema/locale.ts'
import { CatalogRef } from './catalog-refs.ts'
import { CatalogSettingsRef } from './catalog-settings.ts'

const CatalogPriceBookInput = builder.inputType('CatalogPriceBookInput', {
  description: 'A price book of a catalog.',
  fields: (t) => ({
    id: t.id(requiredId('book')),
    priority: t.field({ type: 'Long', required: true, description: 'The highest wins; of equal ones the book listed first.' }),
  }),
})

function settingFields(t: InputBuilder, required: boolean) {
  return {
    description: t.string({ description: 'The description, at most 65536 characters.' }),
    externalRef: t.string({ description: 'A free reference to another system, at most 2048 characters.' }),
    hierarchyIds: t.idList({ required, description: 'All hierarchies in their order, none twice, at most 1000.' }),
    priceBooks: t.field({
      type: [CatalogPriceBookInput],
      required,
      description: `All price books, at most ${CATALOG_PRICE_BOOKS_MAX}, none twice.`,
    }),
    locales: t.field({ type: [LocaleInput], description: 'Texts in other languages, at most 200, replaced whole.' }),
  }
}

const members: InputMembers = {
  locales: localesMember,
  hierarchy_ids: idMember('Hierarchy'),
  pricebook_ids: { name: 'priceBooks', members: { id: idMember('PriceBook') } },
}

defineMutation('createCatalog', {
  description: 'Creates a catalog. Shoppers see it once it is published.',
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({ name: t.string({ required: true, description: 'The name, 1 to 1024 characters.' }), ...settingFields(t, true) }),
  members,
  result: { name: 'catalog', type: CatalogRef, description: 'The new catalog.' },
  run: (ctx, { data }, options) => createCatalog(ctx, { data }, options),
})

defineMutation('updateCatalog', {
  description: 'Changes the members that are given; others keep their value. Shoppers see it after the next publish.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Catalog', noun: 'catalog' },
  input: (t) => ({
    name: t.string({ description: 'The name, 1 to 1024 characters; it can not be cleared.' }),
    ...settingFields(t, false),
  }),
  members,
  result: { name: 'catalog', type: CatalogRef, description: 'The catalog after the change.' },
  run: (ctx, { id, data }, options) => updateCatalog(ctx, { catalogId: id, data }, options),
})

defineMutation('deleteCatalog', {
  description: 'Deletes a catalog that no rule chooses and that has no release (IN_USE): delete those first.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Catalog', noun: 'catalog' },
  result: { name: 'settings', type: CatalogSettingsRef, description: 'The settings of the catalog as they were.' },
  run: (ctx, { id }, options) => deleteCatalog(ctx, { catalogId: id }, options),
})
