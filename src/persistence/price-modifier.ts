import type { ModifierType, StoredCurrencies } from '../domain/frozen-price.ts'
import type { PriceModifier } from '../domain/price-modifier.ts'
import type { Prisma, PriceModifier as Row } from '../generated/prisma/client.ts'
import { json } from './json.ts'
import type { Table } from './table.ts'

export function priceModifierFromRow(row: Omit<Row, 'version'> & Partial<Row>): PriceModifier {
  const { version: _, ...columns } = row
  return {
    ...columns,
    modifierType: row.modifierType as ModifierType,
    currencies: row.currencies as unknown as StoredCurrencies,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}

function toRow(modifier: PriceModifier): Prisma.PriceModifierUncheckedCreateInput {
  return {
    ...modifier,
    currencies: json(modifier.currencies),
    createdAt: new Date(modifier.createdAt),
    updatedAt: new Date(modifier.updatedAt),
  }
}

/** What is read of a modifier. */
export const priceModifierMembers = [
  ...(['id', 'priceBookId', 'name', 'externalRef', 'modifierType', 'currencies', 'createdAt', 'updatedAt'] as const),
] as const

export const priceModifierTable: Table<Omit<Row, 'version'>, PriceModifier> = {
  model: 'priceModifier',
  members: priceModifierMembers,
  fromRow: priceModifierFromRow,
  toRow,
}
