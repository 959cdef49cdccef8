import { expect, test } from 'vitest'
import { ReleaseDocuments } from '../../../src/persistence/catalog/release-documents.ts'
import type { Database } from '../../../src/persistence/database/database.ts'

test('a request that waits for two reads fails once when both fail, and leaves no failure unhandled', async () => {
  const failures: ((error: Error) => void)[] = []
  const batchRead = () => new Promise((_, reject) => failures.push(reject))
  const documents = new ReleaseDocuments({ batchRead } as Partial<Database> as Database, 1_000_000)
  const first = documents.load([1])
  const both = documents.load([1, 2])
  const outcomes = Promise.allSettled([first, both])
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  for (const [at, fail] of failures.entries()) {
    fail(new Error(`read ${at + 1}`))
    await new Promise((resolve) => setImmediate(resolve))
  }
  process.off('unhandledRejection', note)
  expect((await outcomes).map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual([
    'Error: read 1',
    'Error: read 1',
  ])
  expect(unhandled).toEqual([])
})
