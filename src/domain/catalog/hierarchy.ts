/** Hierarchies as clients write them; a stored one is the root node of its tree (hierarchy.is-its-root-node; hierarchy-node.ts). */
import type { InputReader } from '../input/input-reader.ts'
import { recordReaders } from '../input/record.ts'
import { readTreeTexts, type TreePatch } from './hierarchy-node.ts'

/** Readers of a hierarchy's `data`: `{ id?, type: 'hierarchy', attributes }`. */
export const { readNew: readHierarchy, readUpdate: readHierarchyUpdate } = recordReaders('hierarchy', readPatch)

/** A hierarchy has no label and sort order; only nodes below it do. */
function readPatch(attributes: InputReader, rule: { create: boolean }): TreePatch {
  return { ...readTreeTexts(attributes, rule), label: undefined, sortOrder: undefined }
}
