/** Release documents by number: a bounded cache in front of one statement for all who ask at once. */
import { LRUCache } from 'lru-cache'
import type { FrozenBody } from '../domain/frozen-body.ts'
import { type ReleaseDocument, readDocument } from '../domain/release-document.ts'
import type { Database } from './database.ts'

/** Bytes of JSON text whose documents are kept; decoded they take about nine times that. */
export const DOCUMENTS_KEPT_BYTES = 6 * 1024 * 1024

interface Kept {
  readonly document: ReleaseDocument
  readonly bytes: number
}

export class ReleaseDocuments {
  private readonly kept: LRUCache<number, Kept>

  constructor(
    private readonly database: Database,
    limit = DOCUMENTS_KEPT_BYTES,
  ) {
    this.kept = new LRUCache({ maxSize: limit, sizeCalculation: ({ bytes }) => bytes })
  }

  /** The documents in the order asked; undefined where one was deleted with its release. No statement when all are known. */
  async load(numbers: ArrayLike<number>): Promise<(ReleaseDocument | undefined)[]> {
    const found = Array.from(numbers, (number) => this.kept.get(number)?.document)
    const missing = Array.from(numbers).filter((_, at) => !found[at])
    if (missing.length === 0) return found
    const fetched = await this.fetch(missing)
    return found.map((document, at) => document ?? fetched.get(numbers[at] as number)?.document)
  }

  /** Those missing, in one statement with what other requests miss now. */
  private async fetch(numbers: readonly number[]): Promise<ReadonlyMap<number, Kept>> {
    const found = await this.database.batchRead({ name: 'release documents', read }, numbers)
    for (const number of numbers) {
      const one = found.get(number)
      if (one) this.kept.set(number, one)
    }
    return found
  }
}

async function read(database: Database, numbers: number[]): Promise<ReadonlyMap<number, Kept>> {
  const text = 'SELECT id, body::text AS body FROM release_document WHERE id = ANY ($1::int[])'
  const rows = await database.query<{ id: number; body: string }>('release_documents', text, [numbers])
  return new Map(rows.map(({ id, body }) => [id, { document: readDocument(id, JSON.parse(body) as FrozenBody), bytes: body.length }]))
}
