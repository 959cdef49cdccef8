import { parseGlobalId, rawId } from '../schema/ids.ts'

/** The raw id of a hierarchy or node from its global id; any other text is returned as it is, for the operation to validate. */
export function parentIdOf(text: string): string {
  return rawId(parseGlobalId(text)?.type === 'Hierarchy' ? 'Hierarchy' : 'HierarchyNode', text)
}

/** The raw id of a product from its global id; any other text is returned as it is. */
export function productIdOf(text: string): string {
  return rawId('Product', text)
}
