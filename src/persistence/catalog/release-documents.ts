/** Release documents by number: a bounded cache in front of one statement for all who ask at once. */
import { LRUCache } from 'lru-cache'
import type { DocumentBody } from '../../domain/catalog/document-codec.ts'
import { type ReleaseDocument, readDocument } from '../../domain/catalog/release-document.ts'
import type { Database } from '../database/database.ts'

/** Bytes of memory that kept documents take, as `weightOf` tells. */
export const DOCUMENT_BYTES_MAX = 54 * 1024 * 1024

/** About how many bytes a decoded document takes: objects for a product and its price, and its texts. */
export function documentBytes({ characters }: Pick<ReleaseDocument, 'characters'>): number {
  return 6_000 + 2 * characters
}

export class ReleaseDocuments {
  private readonly kept: LRUCache<number, ReleaseDocument>
  /** What statements that run are to bring, by number. */
  private readonly coming = new Map<number, Promise<ReadonlyMap<number, ReleaseDocument>>>()

  constructor(
    private readonly database: Database,
    limit = DOCUMENT_BYTES_MAX,
  ) {
    this.kept = new LRUCache({ maxSize: limit, sizeCalculation: (document) => documentBytes(document) })
  }

  /** The documents in the order asked; undefined where one was deleted with its release. No statement when all are known. */
  async load(numbers: ArrayLike<number>): Promise<(ReleaseDocument | undefined)[]> {
    const found = Array.from(numbers, (number) => this.kept.get(number))
    const missing = Array.from(numbers).filter((_, at) => !found[at])
    if (missing.length === 0) return found
    const fetched = await this.fetch(missing)
    return found.map((document, at) => document ?? fetched.get(numbers[at] as number))
  }

  /** Those missing, in one statement with what other requests miss now; what is on its way already is not asked for again. */
  private async fetch(numbers: readonly number[]): Promise<ReadonlyMap<number, ReleaseDocument>> {
    const asked = numbers.filter((number) => !this.coming.has(number))
    if (asked.length > 0) {
      const coming = this.database.batchRead({ name: 'release documents', read }, asked).finally(() => {
        for (const number of asked) this.coming.delete(number)
      })
      for (const number of asked) this.coming.set(number, coming)
    }
    const found = new Map<number, ReleaseDocument>()
    const comings = numbers.map((number) => this.coming.get(number))
    for (const [at, number] of numbers.entries()) {
      const one = (await comings[at])?.get(number)
      if (one) found.set(number, one)
    }
    for (const number of asked) {
      const one = found.get(number)
      if (one) this.kept.set(number, one)
    }
    return found
  }
}

async function read(database: Database, numbers: number[]): Promise<ReadonlyMap<number, ReleaseDocument>> {
  const text = 'SELECT id, body::text AS body FROM release_document WHERE id = ANY ($1::int[])'
  const rows = await database.query<{ id: number; body: string }>('release_documents', text, [numbers])
  return new Map(rows.map(({ id, body }) => [id, readDocument(id, JSON.parse(body) as DocumentBody, body.length)]))
}
