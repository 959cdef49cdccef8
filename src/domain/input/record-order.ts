/** The order of a list of records: by one field, and by id between equal values. */
export interface RecordOrder {
  readonly field: 'createdAt' | 'updatedAt' | 'name'
  readonly descending: boolean
}

interface Ordered {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** The sort key of a record: the value of the order's field (instants in epoch milliseconds), then the id. */
export function sortKey({ field }: RecordOrder, record: Ordered): readonly (string | number)[] {
  // Only lists of records with a name offer the order by name.
  return [field === 'name' ? (record as Ordered & { readonly name: string }).name : record[field], record.id]
}
