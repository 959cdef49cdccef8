/** Catalog rules in the database. */
import type { CatalogRule, RuleSchedule } from '../../domain/catalog/catalog-rule.ts'
import type { Prisma, CatalogRule as Row } from '../../generated/prisma/client.ts'
import { json } from '../database/json.ts'
import type { Table } from '../database/table.ts'

/** A row without its versions. */
export type RuleRow = Omit<Row, 'version' | 'firstVersion'>

/** The rule of a row. */
export function ruleFromRow(row: RuleRow): CatalogRule {
  return {
    ...row,
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

/** The table of catalog rules. */
export const ruleTable: Table<RuleRow, CatalogRule> = {
  model: 'catalogRule',
  fromRow: ruleFromRow,
  toRow,
}
