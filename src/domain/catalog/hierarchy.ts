/** Hierarchies as clients write them; a stored one is the root node of its tree (hierarchy.is-its-root-node; hierarchy-node.ts). */
import type { InputReader, ReadResult } from '../input/input-reader.ts'
import { type NewRecord, readNewRecord, readRecordUpdate } from '../input/record.ts'
import { readTreeTexts, type TreePatch } from './hierarchy-node.ts'

/** Reads `data` of a new hierarchy: `{ id?, type: 'hierarchy', attributes }`. */
export function readHierarchy(data: unknown): ReadResult<NewRecord<TreePatch>> {
  return readNewRecord(data, 'hierarchy', (attributes) => readPatch(attributes, { create: true }))
}

/** Reads `data` of a hierarchy's update; `data.id`, when given, must equal `hierarchyId`. */
export function readHierarchyUpdate(data: unknown, hierarchyId: string): ReadResult<TreePatch> {
  return readRecordUpdate(data, 'hierarchy', hierarchyId, (attributes) => readPatch(attributes, { create: false }))
}

/** A hierarchy has no label and sort order; only nodes below it do. */
function readPatch(attributes: InputReader, rule: { create: boolean }): TreePatch {
  return { ...readTreeTexts(attributes, rule), label: undefined, sortOrder: undefined }
}
