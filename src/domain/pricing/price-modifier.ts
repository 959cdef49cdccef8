/** Price modifiers of a price book as they are stored and written; modifier.ts applies them to prices. */
import { FREE_NAME_MAX } from '../input/limits.ts'
import { defineRecord, type RecordOf } from '../input/record-definition.ts'
import { externalRef, text, word } from '../input/record-members.ts'
import { tieredPrices } from './price-members.ts'
import { modifierTypes } from './price-record.ts'

export const priceModifierRecord = defineRecord('price-modifier', {
  /** Compared exactly. */
  name: text({ min: 1, max: FREE_NAME_MAX, isName: true, unique: 'within the book' }),
  modifierType: word(modifierTypes),
  /** Tiers follow the rules of a list price's tiers (tier.same-rules-everywhere). */
  currencies: tieredPrices,
  externalRef: externalRef(),
})

/** A stored price modifier. */
export type PriceModifier = RecordOf<typeof priceModifierRecord.members> & { readonly priceBookId: string }
