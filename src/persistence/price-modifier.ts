import type { ModifierType, StoredCurrencies } from '../domain/frozen-price.ts'
import type { PriceModifier } from '../domain/price-modifier.ts'
import type { PriceModifier as Row } from '../generated/prisma/client.ts'
import type { Transaction } from './transaction.ts'

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

/** Not through Prisma, like the next: it copies JSON member by member and so loses a tier that a client called `__proto__`. */
export async function insertPriceModifier(tx: Transaction, modifier: PriceModifier): Promise<void> {
  const { id, priceBookId, externalRef, name, modifierType, currencies, createdAt, updatedAt } = modifier
  await tx.$executeRaw`
    INSERT INTO price_modifier (id, price_book_id, external_ref, name, modifier_type, currencies, created_at, updated_at)
    VALUES (${id}::uuid, ${priceBookId}::uuid, ${externalRef}, ${name}, ${modifierType}, ${JSON.stringify(currencies)}::jsonb,
      ${new Date(createdAt)}, ${new Date(updatedAt)})`
}

export async function replacePriceModifier(tx: Transaction, modifier: PriceModifier): Promise<void> {
  const { id, externalRef, name, modifierType, currencies, updatedAt } = modifier
  await tx.$executeRaw`
    UPDATE price_modifier SET external_ref = ${externalRef}, name = ${name}, modifier_type = ${modifierType},
      currencies = ${JSON.stringify(currencies)}::jsonb, updated_at = ${new Date(updatedAt)}
    WHERE id = ${id}::uuid`
}
