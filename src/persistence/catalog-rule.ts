import type { CatalogRule, RuleSchedule } from '../domain/catalog-rule.ts'
import type { Prisma, CatalogRule as Row } from '../generated/prisma/client.ts'
import { json } from './json.ts'
import type { Table } from './table.ts'

export function ruleFromRow(row: Omit<Row, 'version'> & Partial<Row>): CatalogRule {
  const { version: _, ...columns } = row
  return {
    ...columns,
    schedules: row.schedules as unknown as RuleSchedule[],
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}

function toRow(rule: CatalogRule): Prisma.CatalogRuleUncheckedCreateInput {
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

export const ruleTable: Table<Omit<Row, 'version'>, CatalogRule> = {
  model: 'catalogRule',
  members: ruleMembers,
  fromRow: ruleFromRow,
  toRow,
}
