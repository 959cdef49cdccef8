import type { ModifierType, StoredCurrencies } from '../domain/frozen-price.ts'
import type { PriceModifier } from '../domain/price-modifier.ts'
import type { PriceModifier as Row } from '../generated/prisma/client.ts'
import { json } from './json.ts'

export function priceModifierFromRow(row: Row): PriceModifier {
  const { version: _, ...columns } = row
  return {
    ...columns,
    modifierType: row.modifierType as ModifierType,
    currencies: row.currencies as unknown as StoredCurrencies,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}

export function priceModifierToRow(modifier: PriceModifier) {
  return {
    ...modifier,
    currencies: json(modifier.currencies),
    createdAt: new Date(modifier.createdAt),
    updatedAt: new Date(modifier.updatedAt),
  }
}
