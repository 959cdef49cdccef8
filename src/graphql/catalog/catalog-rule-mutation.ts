/** Catalog rule mutations: create, update, delete. */
import { createCatalogRule, deleteCatalogRule, updateCatalogRule } from '../../operations/catalog/catalog-rule.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation, type InputBuilder } from '../schema/define-mutation.ts'
import { type InputMembers, idMember } from '../schema/graph-input.ts'
import { requiredId } from '../schema/ids.ts'
import { CatalogRuleRef } from './catalog-rule.ts'

const CATALOG = 'The global id or the UUID of the catalog that it chooses.'

const RuleScheduleInput = builder.inputType('RuleScheduleInput', {
  description: 'When a rule is in force; a bound that is absent or null is open.',
  fields: (t) => ({
    validFrom: t.field({ type: 'DateTime', description: 'From this instant on.' }),
    validTo: t.field({ type: 'DateTime', description: 'Before this instant.' }),
  }),
})

function criteriaFields(t: InputBuilder) {
  return {
    externalRef: t.string({ description: 'A free reference to another system, at most 2048 characters.' }),
    accountIds: t.idList({
      description: 'The global ids or the UUIDs of the accounts that match, at most 1000; empty or null: no criterion.',
    }),
    channels: t.stringList({ description: 'The channels that match, at most 1000; empty or null: no criterion.' }),
    tags: t.stringList({ description: 'The tags that match, at most 1000; empty or null: no criterion.' }),
    schedules: t.field({ type: [RuleScheduleInput], description: 'When the rule is in force, at most 100; empty or null: always.' }),
  }
}

const members: InputMembers = {
  catalog_id: idMember('Catalog'),
  account_ids: idMember('Account'),
}

defineMutation('createCatalogRule', {
  description: 'Creates a rule that chooses a catalog for shoppers.',
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({
    name: t.string({ required: true, description: 'The name, 1 to 1024 characters.' }),
    catalogId: t.id(requiredId('catalog that it chooses')),
    ...criteriaFields(t),
  }),
  members,
  result: { name: 'catalogRule', type: CatalogRuleRef, description: 'The new rule.' },
  run: (ctx, { data }, options) => createCatalogRule(ctx, { data }, options),
})

defineMutation('updateCatalogRule', {
  description: 'Changes the members that are given; others keep their value. Lists are replaced whole.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'CatalogRule', noun: 'rule' },
  input: (t) => ({
    name: t.string({ description: 'The name, 1 to 1024 characters; it can not be cleared.' }),
    catalogId: t.id({ description: CATALOG }),
    ...criteriaFields(t),
  }),
  members,
  result: { name: 'catalogRule', type: CatalogRuleRef, description: 'The rule after the change.' },
  run: (ctx, { id, data }, options) => updateCatalogRule(ctx, { ruleId: id, data }, options),
})

defineMutation('deleteCatalogRule', {
  description: 'Deletes a rule.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'CatalogRule', noun: 'rule' },
  result: { name: 'catalogRule', type: CatalogRuleRef, description: 'The rule as it was.' },
  run: (ctx, { id }, options) => deleteCatalogRule(ctx, { ruleId: id }, options),
})
