import { parseGlobalId, rawId } from '../schema/ids.ts'

/** The raw id of a hierarchy or node from its global id; any other text is returned as it is, for the operation to validate. */
export function parentIdOf(text: string): string {
  return rawId(parseGlobalId(text)?.type === 'Hierarchy' ? 'Hierarchy' : 'HierarchyNode', text)
}

/** The raw ids of products from their global ids; null and absent stay as they are. */
export function rawProductIds(ids: readonly string[] | null | undefined): readonly string[] | null | undefined {
  return ids?.map((id) => rawId('Product', id)) ?? ids
}
