/** Owner of a record, as an enum. */
import { wordEnum } from './word-enum.ts'

export const OwnerEnum = wordEnum('Owner', 'Who owns a record.', {
  store: 'The store.',
  organization: 'The organization that the store belongs to.',
})
