/** Catalog rules: use cases. The rules choose the catalog of a shopper (catalog-rule.most-matches-win). */
import { catalogRuleRecord } from '../../domain/catalog/catalog-rule.ts'
import { ruleTable } from '../../persistence/catalog/catalog-rule.ts'
import { recordCommands } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'
import { writesKnowledge } from './writes-knowledge.ts'

/** A rule by its raw id, null when there is none. */
export const catalogRule = recordById('admin', ({ catalogRuleById }) => catalogRuleById)

/** All rules, in pages. */
export const catalogRules = recordReads('admin', ruleTable)

const commands = recordCommands('CatalogRule', { record: catalogRuleRecord, table: ruleTable, noun: 'catalog rule' })

/** Creates, changes and deletes a rule. */
export const createCatalogRule = writesKnowledge(commands.create)
export const updateCatalogRule = writesKnowledge(commands.update)
export const deleteCatalogRule = writesKnowledge(commands.remove)
