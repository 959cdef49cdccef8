/** Price modifiers in the database. */
import type { PriceModifier } from '../../domain/pricing/price-modifier.ts'
import type { CurrencyPriceRecords, ModifierType } from '../../domain/pricing/price-record.ts'
import type { Prisma, PriceModifier as Row } from '../../generated/prisma/client.ts'
import { json } from '../database/json.ts'
import type { Table } from '../database/table.ts'

/** The table of price modifiers. */
export const priceModifierTable: Table<Omit<Row, 'version'>, PriceModifier> = {
  model: 'priceModifier',
  fromRow: (row) => ({
    ...row,
    modifierType: row.modifierType as ModifierType,
    currencies: row.currencies as unknown as CurrencyPriceRecords,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }),
  toRow: (modifier): Prisma.PriceModifierUncheckedCreateInput => ({
    ...modifier,
    currencies: json(modifier.currencies),
    createdAt: new Date(modifier.createdAt),
    updatedAt: new Date(modifier.updatedAt),
  }),
  scopeOf: ({ priceBookId }) => priceBookId,
}
