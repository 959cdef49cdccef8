/**
 * Catalog mutations. They change a catalog's settings; shoppers see the change after the next publish
 * (release.is-a-snapshot).
 */
import { catalogRecord } from '../../domain/catalog/catalog.ts'
import { createCatalog, deleteCatalog, updateCatalog } from '../../operations/catalog/catalog.ts'
import { kept, recordInputs } from '../pricing/record-input.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { idMember } from '../schema/graph-input.ts'
import { requiredId } from '../schema/ids.ts'
import { CatalogRef } from './catalog-refs.ts'
import { CatalogSettingsRef } from './catalog-settings.ts'

const CatalogPriceBookInput = builder.inputType('CatalogPriceBookInput', {
  description: 'A price book of a catalog.',
  fields: (t) => ({
    id: t.id(requiredId('book')),
    priority: t.field({
      type: 'Long',
      required: true,
      description: 'The highest wins; of equal ones the book listed first.',
    }),
  }),
})

const inputs = recordInputs(catalogRecord, {
  name: kept('The name, {limits}'),
  description: 'The description, {limits}.',
  hierarchyIds: { ids: ['Hierarchy'], description: 'All hierarchies in their order, none twice, {limits}.' },
  priceBooks: {
    field: (t, options) => t.field({ ...options, type: [CatalogPriceBookInput] }),
    form: { members: { id: idMember('PriceBook') } },
    description: 'All price books, {limits}, none twice.',
  },
  confidential: kept(
    'Whether the catalog exists for those shoppers alone to whom a rule gives it by what their token proves, at once and without a publish; false by default',
  ),
  externalRef: 'A free reference to another system, {limits}.',
  locales: 'Texts in other languages, {limits}, replaced whole.',
})

defineMutation('createCatalog', {
  description: 'Creates a catalog. Shoppers see it once it is published.',
  right: 'admin',
  guard: 'idempotencyKey',
  input: inputs.create,
  members: inputs.members,
  result: { name: 'catalog', type: CatalogRef, description: 'The new catalog.' },
  run: (ctx, { data }, options) => createCatalog(ctx, { data }, options),
})

defineMutation('updateCatalog', {
  description: 'Changes the members that are given; others keep their value. Shoppers see it after the next publish.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Catalog', noun: 'catalog' },
  input: inputs.update,
  members: inputs.members,
  result: { name: 'catalog', type: CatalogRef, description: 'The catalog after the change.' },
  run: (ctx, { id, data }, options) => updateCatalog(ctx, { id, data }, options),
})

defineMutation('deleteCatalog', {
  description: 'Deletes a catalog that no rule chooses and that has no release (IN_USE): delete those first.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Catalog', noun: 'catalog' },
  result: { name: 'settings', type: CatalogSettingsRef, description: 'The settings of the catalog as they were.' },
  run: (ctx, { id }, options) => deleteCatalog(ctx, { id }, options),
})
