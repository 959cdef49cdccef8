/** The orders that a list of records can be asked for in; equal places are settled by the id. */
export interface RecordOrder {
  readonly field: 'createdAt' | 'updatedAt' | 'name'
  readonly descending: boolean
}

interface Ordered {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** The place of a record in the order: the value of the field (instants in epoch milliseconds), then the id. */
export function sortKey({ field }: RecordOrder, record: Ordered): readonly (string | number)[] {
  // Orders by name are for lists of records that have one.
  return [field === 'name' ? (record as Ordered & { readonly name: string }).name : record[field], record.id]
}
