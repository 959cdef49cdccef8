/** Catalog rules: use cases. The rules choose the catalog of a shopper (catalog-rule.most-matches-win). */
import {
  applyCatalogRulePatch,
  type CatalogRule,
  type CatalogRulePatch,
  newCatalogRule,
  readCatalogRule,
  readCatalogRuleUpdate,
} from '../../domain/catalog/catalog-rule.ts'
import type { NewRecord } from '../../domain/input/record.ts'
import { ruleTable } from '../../persistence/catalog/catalog-rule.ts'
import { newId } from '../../persistence/database/id.ts'
import { insertRecord, updateRecord } from '../../persistence/database/table.ts'
import type { Context } from '../../request/context.ts'
import { type Command, command } from '../operation.ts'
import { lockOrThrow, recordDelete } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'
import { resolveId } from '../references.ts'

const CATALOG_PATH = ['attributes', 'catalog_id']

/** A rule by its raw id, null when there is none. */
export const catalogRule = recordById('catalogRule', 'admin', ({ catalogRuleById }) => catalogRuleById)

/** All rules, in pages. */
export const catalogRules = recordReads('catalogRules', 'admin', ruleTable)

/** A command that writes a rule, of which the storefronts of its server learn at once (release.seen-within-a-second). */
function ruleCommand<Input, Result>(write: Command<Input, Result>): Command<Input, Result> {
  return async (ctx: Context, ...rest) => {
    try {
      return await write(ctx, ...rest)
    } finally {
      ctx.releases.invalidate()
    }
  }
}

/** Creates a rule, with `data.id` if given. */
export const createCatalogRule = ruleCommand(
  command<{ data: unknown }, NewRecord<CatalogRulePatch>, undefined, CatalogRule>({
    name: 'createCatalogRule',
    right: 'admin',
    read: ({ data }) => readCatalogRule(data),
    run: async (tx, { id = newId(), patch }, _, ctx) => {
      const catalogId = (await resolveId(tx, 'catalog', patch.catalog, CATALOG_PATH)) ?? ''
      const created = newCatalogRule(patch, catalogId, id, ctx.now)
      await insertRecord(tx, ruleTable, created)
      return created
    },
  }),
)

/** Changes the given attributes of a rule; equal values write nothing. */
export const updateCatalogRule = ruleCommand(
  command<{ ruleId: string; data: unknown }, CatalogRulePatch, CatalogRule, CatalogRule>({
    name: 'updateCatalogRule',
    right: 'admin',
    read: ({ ruleId, data }, _, stored) => readCatalogRuleUpdate(data, ruleId, stored),
    load: (tx, { ruleId }) => lockOrThrow(tx, ruleTable, ruleId, 'catalog rule'),
    run: async (tx, patch, stored, ctx) => {
      const updated = applyCatalogRulePatch(stored, patch, await resolveId(tx, 'catalog', patch.catalog, CATALOG_PATH), ctx.now)
      if (updated !== stored) await updateRecord(tx, ruleTable, stored, updated)
      return updated
    },
  }),
)

/** Deletes a rule and returns it. */
export const deleteCatalogRule = ruleCommand(
  recordDelete<{ ruleId: string }, CatalogRule>({
    name: 'deleteCatalogRule',
    table: ruleTable,
    load: (tx, { ruleId }) => lockOrThrow(tx, ruleTable, ruleId, 'catalog rule'),
  }),
)
