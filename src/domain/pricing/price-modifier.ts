/** Price modifiers of a price book as they are stored and written; modifier.ts applies them to prices. */
import type { InputReader } from '../input/input-reader.ts'
import { EXTERNAL_REF_MAX, FREE_NAME_MAX } from '../input/limits.ts'
import { applyPatch, type PatchOf, type StoredRecord } from '../input/patch.ts'
import { recordReaders } from '../input/record.ts'
import { type CurrencyPriceRecords, type ModifierType, modifierTypes } from './price-record.ts'
import { type CurrenciesPatch, patchCurrencies, readCurrencies } from './tiered-price-input.ts'

/** A stored price modifier. */
export interface PriceModifier extends StoredRecord {
  readonly priceBookId: string
  readonly externalRef: string | null
  /** Unique in the price book, compared exactly. */
  readonly name: string
  readonly modifierType: ModifierType
  readonly currencies: CurrencyPriceRecords
}

/** A partial update of a modifier. Currencies merge at every depth (patch.maps-merge-at-every-depth). */
export interface PriceModifierPatch extends PatchOf<PriceModifier, 'name' | 'modifierType' | 'externalRef'> {
  readonly currencies: CurrenciesPatch | null | undefined
}

/** Readers of a modifier's `data`: `{ id?, type: 'price-modifier', attributes }`. */
export const { readNew: readPriceModifier, readUpdate: readPriceModifierUpdate } = recordReaders('price-modifier', readAttributes)

/** A new modifier from the input of a create, which has a name and a type. `now` is in epoch milliseconds. */
export function newPriceModifier(priceBookId: string, patch: PriceModifierPatch, id: string, now: number): PriceModifier {
  return {
    id,
    priceBookId,
    externalRef: patch.externalRef ?? null,
    name: patch.name as string,
    modifierType: patch.modifierType as ModifierType,
    currencies: patchCurrencies({}, patch.currencies),
    createdAt: now,
    updatedAt: now,
  }
}

/** The modifier after the patch; the same object when nothing changes. */
export function applyPriceModifierPatch(stored: PriceModifier, patch: PriceModifierPatch, now: number): PriceModifier {
  return applyPatch(stored, { ...patch, currencies: patchCurrencies(stored.currencies, patch.currencies) }, now)
}

/** The attributes in the order of the type's fields. Tiers follow the rules of a list price's tiers (tier.same-rules-everywhere). */
function readAttributes(attributes: InputReader, { create }: { create: boolean }): PriceModifierPatch {
  return {
    name: attributes.text('name', { required: create, min: 1, max: FREE_NAME_MAX, isName: true }) ?? undefined,
    modifierType: attributes.oneOf('modifier_type', modifierTypes, { required: create }) ?? undefined,
    currencies: readCurrencies(attributes, { required: create, nullable: !create, entryNullable: !create }),
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
  }
}
