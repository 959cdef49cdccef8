/** Catalog rules in the database. */
import { catalogRuleRecord } from '../../domain/catalog/catalog-rule.ts'
import { recordTable } from '../database/record-table.ts'

/** The table of catalog rules. */
export const ruleTable = recordTable('catalogRule', catalogRuleRecord)
