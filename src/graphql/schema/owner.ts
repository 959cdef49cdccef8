/** Owner of a record, as an enum. */
import { builder } from './builder.ts'

export const OwnerEnum = builder.enumType('Owner', {
  description: 'Who owns a record.',
  values: {
    STORE: { value: 'store', description: 'The store.' },
    ORGANIZATION: { value: 'organization', description: 'The organization that the store belongs to.' },
  },
} as const)
