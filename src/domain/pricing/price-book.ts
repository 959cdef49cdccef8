/** Price books: named sets of product prices and modifiers (price-book.name-is-unique). */
import { DESCRIPTION_MAX, FREE_NAME_MAX } from '../input/limits.ts'
import { defineRecord, type RecordOf } from '../input/record-definition.ts'
import { externalRef, optionalText, text } from '../input/record-members.ts'

export const priceBookRecord = defineRecord('pricebook', {
  externalRef: externalRef('among books'),
  name: text({ min: 1, max: FREE_NAME_MAX, isName: true, unique: 'among books' }),
  description: optionalText({ max: DESCRIPTION_MAX }),
})

/** A stored price book. */
export type PriceBook = RecordOf<typeof priceBookRecord.members>
