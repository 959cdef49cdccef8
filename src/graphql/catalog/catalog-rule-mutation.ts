/** Catalog rule mutations: create, update, delete. */
import { catalogRuleRecord } from '../../domain/catalog/catalog-rule.ts'
import { createCatalogRule, deleteCatalogRule, updateCatalogRule } from '../../operations/catalog/catalog-rule.ts'
import { kept } from '../pricing/record-input.ts'
import { defineRecordMutations } from '../pricing/record-mutations.ts'
import { builder } from '../schema/builder.ts'
import { idMember } from '../schema/graph-input.ts'
import { CatalogRuleRef } from './catalog-rule.ts'

const RuleScheduleInput = builder.inputType('RuleScheduleInput', {
  description: 'When a rule is in force; a bound that is absent or null is open.',
  fields: (t) => ({
    validFrom: t.field({ type: 'DateTime', description: 'From this instant on.' }),
    validTo: t.field({ type: 'DateTime', description: 'Before this instant.' }),
  }),
})

defineRecordMutations('CatalogRule', {
  record: catalogRuleRecord,
  ref: CatalogRuleRef,
  noun: 'rule',
  members: {
    name: kept('The name, {limits}'),
    catalogId: { ids: ['Catalog'], description: 'The global id or the UUID of the catalog that it chooses.' },
    accountIds: {
      field: (t, options) => t.idList(options),
      form: idMember('Account'),
      description: 'The global ids or the UUIDs of the accounts that match, {limits}; empty or null: no criterion.',
    },
    channels: {
      field: (t, options) => t.stringList(options),
      description: 'The channels that match, {limits}; empty or null: no criterion.',
    },
    tags: {
      field: (t, options) => t.stringList(options),
      description: 'The tags that match, {limits}; empty or null: no criterion.',
    },
    schedules: {
      field: (t, options) => t.field({ ...options, type: [RuleScheduleInput] }),
      description: 'When the rule is in force, {limits}; empty or null: always.',
    },
    externalRef: 'A free reference to another system, {limits}.',
  },
  create: { description: 'Creates a rule that chooses a catalog for shoppers.', run: createCatalogRule },
  update: {
    description: 'Changes the members that are given; others keep their value. Lists are replaced whole.',
    run: updateCatalogRule,
  },
  remove: { description: 'Deletes a rule.', run: deleteCatalogRule },
})
