import type { CatalogRule, RuleSchedule } from '../domain/catalog-rule.ts'
import type { CatalogRule as Row } from '../generated/prisma/client.ts'
import { json } from './json.ts'
import type { RecordList } from './record-list.ts'

export function ruleFromRow(row: Omit<Row, 'version'> & Partial<Row>): CatalogRule {
  const { version: _, ...columns } = row
  return {
    ...columns,
    schedules: row.schedules as unknown as RuleSchedule[],
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}

export function ruleToRow(rule: CatalogRule) {
  return {
    ...rule,
    accountIds: [...rule.accountIds],
    channels: [...rule.channels],
    tags: [...rule.tags],
    schedules: json(rule.schedules),
    createdAt: new Date(rule.createdAt),
    updatedAt: new Date(rule.updatedAt),
  }
}

/** What a page reads of a rule. */
export const ruleMembers = [
  ...(['id', 'externalRef', 'name', 'catalogId', 'accountIds', 'channels', 'tags', 'schedules', 'createdAt', 'updatedAt'] as const),
] as const

export const ruleList: RecordList<Omit<Row, 'version'>, CatalogRule> = {
  table: 'catalog_rule',
  members: ruleMembers,
  filters: { name: 'text', externalRef: 'text', catalogId: 'uuid' },
  itemOf: ruleFromRow,
}
