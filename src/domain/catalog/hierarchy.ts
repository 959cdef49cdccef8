/** Hierarchies as clients write them; a stored one is the root node of its tree (hierarchy.is-its-root-node; hierarchy-node.ts). */

import type { Violation } from '../input/errors.ts'
import { type InputReader, readInput } from '../input/input-reader.ts'
import { readRecordHead } from '../input/record.ts'
import { type NewRecord, readTreeTexts, type TreePatch } from './hierarchy-node.ts'

/** Reads `data` of a new hierarchy: `{ id?, type: 'hierarchy', attributes }`. */
export function readHierarchy(data: unknown): { value: NewRecord<TreePatch> | undefined; violations: Violation[] } {
  return readInput(data, (reader) => {
    const { id, attributes } = readRecordHead(reader, 'hierarchy')
    return attributes && { id, patch: readPatch(attributes, { create: true }) }
  })
}

/** Reads `data` of a hierarchy's update; `data.id`, when given, must equal `hierarchyId`. */
export function readHierarchyUpdate(data: unknown, hierarchyId: string): { value: TreePatch | undefined; violations: Violation[] } {
  return readInput(data, (reader) => {
    const { attributes } = readRecordHead(reader, 'hierarchy', hierarchyId)
    return attributes && readPatch(attributes, { create: false })
  })
}

/** A hierarchy has no label and sort order; only nodes below it do. */
function readPatch(attributes: InputReader, rule: { create: boolean }): TreePatch {
  return { ...readTreeTexts(attributes, rule), label: undefined, sortOrder: undefined }
}
