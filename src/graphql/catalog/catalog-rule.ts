/** Catalog rules, which choose a shopper's catalog (catalog-rule.most-matches-win). For administrators only. */
import type { CatalogRule, RuleSchedule } from '../../domain/catalog/catalog-rule.ts'
import { catalogRule, catalogRules } from '../../operations/catalog/catalog-rule.ts'
import { ruleWarnings } from '../../operations/catalog/catalog-warning.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection } from '../schema/connection.ts'
import { globalId } from '../schema/ids.ts'
import { defineNamedList, namedListArgs } from '../schema/named-list.ts'
import { implementNode } from '../schema/node.ts'
import { childRecordConnection } from '../schema/record-connection.ts'
import { namedClauses } from '../schema/record-filter.ts'
import { CatalogRef } from './catalog-refs.ts'
import { CatalogWarningEnum } from './catalog-warning.ts'

export const CatalogRuleRef = builder.objectRef<CatalogRule>('CatalogRule')
const CatalogRuleConnection = defineConnection(CatalogRuleRef, 'admin')

const RuleScheduleRef = builder.objectRef<RuleSchedule>('RuleSchedule').implement({
  description: 'When a rule is in force.',
  right: 'admin',
  fields: (t) => ({
    validFrom: t.expose('valid_from', {
      type: 'DateTime',
      nullable: true,
      description: 'From this instant on; null: from ever.',
    }),
    validTo: t.expose('valid_to', {
      type: 'DateTime',
      nullable: true,
      description: 'Before this instant; null: for ever.',
    }),
  }),
})

implementNode(CatalogRuleRef, {
  description:
    'Which catalog a shopper gets who names none. A rule that lists criteria and matches none of them, or is out of schedule, does not count; of the rest the one that matches most wins, then the one with the fewest unmatched criteria, then the oldest. A rule of a confidential catalog matches by what the token proves alone, and does not count without criteria.',
  right: 'admin',
  load: (id, ctx) => catalogRule(ctx, { id }),
  rootField: {
    name: 'catalogRule',
    noun: 'rule',
    example: 'c0ffee00-000a-4000-8000-000000000001',
    description: 'One catalog rule; null when there is none.',
  },
  fields: (t) => ({
    externalRef: t.exposeString('externalRef', { nullable: true, description: 'A free reference to another system.' }),
    name: t.exposeString('name', { description: 'The name of the rule.' }),
    catalog: t.field({
      type: CatalogRef,
      description: 'The catalog that it chooses.',
      resolve: ({ catalogId }) => ({ id: catalogId }),
    }),
    accountIds: t.idList({
      description: 'The global ids of the accounts that match, at most 1000; empty: no criterion.',
      resolve: ({ accountIds }) => accountIds.map((id) => globalId('Account', id)),
    }),
    channels: t.exposeStringList('channels', {
      description: 'The channels that match, at most 1000; empty: no criterion.',
    }),
    tags: t.exposeStringList('tags', { description: 'The tags that match, at most 1000; empty: no criterion.' }),
    schedules: t.expose('schedules', {
      type: [RuleScheduleRef],
      description: 'The rule is in force while any of them runs, at most 100; empty: always.',
    }),
    warnings: t.field({
      type: [CatalogWarningEnum],
      description: 'What is maybe not meant, of a rule of a confidential catalog.',
      resolve: (rule, _, ctx) => ruleWarnings(rule, ctx),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the rule was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the rule was last changed.' }),
  }),
})

builder.objectField(CatalogRef, 'rules', (t) =>
  t.field({
    type: CatalogRuleConnection,
    description: 'The rules that choose the catalog, oldest first.',
    args: namedListArgs,
    resolve: ({ id }, { filter, ...args }, { loaders }) =>
      childRecordConnection(args, id, namedClauses(filter), loaders.ruleListByCatalogId),
  }),
)

defineNamedList('catalogRules', CatalogRuleConnection, {
  right: 'admin',
  description: 'All catalog rules, oldest first.',
  reads: catalogRules,
})
