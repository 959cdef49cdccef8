/** Price modifiers in the database. */
import { priceModifierRecord } from '../../domain/pricing/price-modifier.ts'
import { recordTable } from '../database/record-table.ts'

/** The table of price modifiers. */
export const priceModifierTable = recordTable('priceModifier', priceModifierRecord, {
  own: ['priceBookId'],
  scopeOf: ({ priceBookId }) => priceBookId,
})
