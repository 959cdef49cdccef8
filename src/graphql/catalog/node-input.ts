import { parseGlobalId, rawId } from '../schema/ids.ts'

/** The raw id of the hierarchy or node that `text` names, a global id of either or a UUID; anything else as it is, for the operation to judge. */
export function parentIdOf(text: string): string {
  return rawId(parseGlobalId(text)?.type === 'Hierarchy' ? 'Hierarchy' : 'HierarchyNode', text)
}

/** The raw ids of products; null and absent stay what they are. */
export function rawProductIds(ids: readonly string[] | null | undefined): readonly string[] | null | undefined {
  return ids?.map((id) => rawId('Product', id)) ?? ids
}
