/** What lists of records are ordered by, and the kind of its values. */
export const orderKinds = {
  createdAt: 'instant',
  updatedAt: 'instant',
  name: 'text',
  sku: 'text',
  sortOrder: 'integer',
  sequence: 'integer',
} as const

/** The order of a list of records: by one field, and by id between equal values. */
export interface RecordOrder {
  readonly field: keyof typeof orderKinds
  readonly descending: boolean
}

/**
 * The sort value of a record without a sort order. It is beyond every 32-bit integer, so that the record comes last in
 * both directions.
 */
export function absentSortOrder(descending: boolean): number {
  return descending ? -(2 ** 31) - 1 : 2 ** 31
}

/** The sort key of a record: the value of the order's field (instants in epoch milliseconds), then the id. */
export function sortKey(
  { field, descending }: RecordOrder,
  record: { readonly id: string | number },
): readonly (string | number)[] {
  // Only lists of records that have the field offer the order by it.
  const value = (record as Readonly<Partial<Record<typeof field, string | number | null>>>)[field]
  return [value ?? absentSortOrder(descending), record.id]
}
