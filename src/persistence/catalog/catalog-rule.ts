/** Catalog rules in the database. */
import type { CatalogRule, RuleSchedule } from '../../domain/catalog/catalog-rule.ts'
import type { Prisma, CatalogRule as Row } from '../../generated/prisma/client.ts'
import { json } from '../database/json.ts'
import type { Table } from '../database/table.ts'

/** The table of catalog rules. */
export const ruleTable: Table<Omit<Row, 'version' | 'firstVersion'>, CatalogRule> = {
  model: 'catalogRule',
  fromRow: (row) => ({
    ...row,
    schedules: row.schedules as unknown as RuleSchedule[],
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }),
  toRow: (rule): Prisma.CatalogRuleUncheckedCreateInput => ({
    ...rule,
    accountIds: [...rule.accountIds],
    channels: [...rule.channels],
    tags: [...rule.tags],
    schedules: json(rule.schedules),
    createdAt: new Date(rule.createdAt),
    updatedAt: new Date(rule.updatedAt),
  }),
}
