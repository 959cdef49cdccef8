/** Export objects: nothing that a record has is left out. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { exportObject } from '../../src/export/objects.ts'
import { type AuthoredRecord, authoredRecords } from '../../src/persistence/authored-records.ts'
import { useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()

/**
 * What the object of a record is without: a copy has instants of its own, and a hierarchy is the node at the top of its
 * tree.
 */
const instants = ['createdAt', 'updatedAt']
const without: Partial<Record<AuthoredRecord['type'], readonly string[]>> = {
  hierarchy: ['hierarchyId', 'parentId', 'label', 'sortOrder', 'curatedProductIds'],
  node: ['hierarchyId'],
}

/**
 * Whether the object has that member of the record: with another value there it is another object, or can't be made.
 */
function has(found: AuthoredRecord, member: string): boolean {
  const other = { ...found, record: { ...found.record, [member]: 'another value' } } as AuthoredRecord
  try {
    return JSON.stringify(exportObject(other)) !== JSON.stringify(exportObject(found))
  } catch {
    return true
  }
}

test('export.import-restores-it: an exported object has every member of its record', async () => {
  await runImport(servicesOf(database), readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8'))
  const missing = new Set<string>()
  const types = new Set<string>()
  for await (const found of authoredRecords(database)) {
    types.add(found.type)
    for (const member of Object.keys(found.record)) {
      const expected = ![...instants, ...(without[found.type] ?? [])].includes(member)
      if (expected && !has(found, member)) missing.add(`${found.type}: ${member}`)
    }
  }
  expect([...missing]).toEqual([])
  expect(types.size).toBe(12)
})
