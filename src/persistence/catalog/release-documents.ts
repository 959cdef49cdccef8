/**
 * Release documents by number: a bounded cache in front of one statement for all requests that miss documents at once.
 *
 * SQL, since the bodies are parsed from text here and may come from a standby, which Prisma does not know.
 */
import { LRUCache } from 'lru-cache'
import type { DocumentBody } from '../../domain/catalog/document-codec.ts'
import { type ReleaseDocument, readDocument } from '../../domain/catalog/release-document.ts'
import { cacheLookups } from '../../lib/metrics.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Database } from '../database/database.ts'

const lookups = cacheLookups('release_documents')

/** The approximate bytes of a decoded document. Measured: 500 plus 2.2 to 2.6 for each character of its JSON. */
export function documentBytes({ characters }: Pick<ReleaseDocument, 'characters'>): number {
  return 500 + 3 * characters
}

/** The documents of one process. */
export class ReleaseDocuments {
  private readonly cache: LRUCache<number, ReleaseDocument>
  /** The running reads of documents, by number. */
  private readonly reads = new SingleFlight<number, ReadonlyMap<number, ReleaseDocument>>()

  /** `limit`: bytes of all cached documents, as `documentBytes` estimates them. */
  constructor(
    private readonly database: Database,
    limit: number,
  ) {
    this.cache = new LRUCache({ maxSize: limit, sizeCalculation: (document) => documentBytes(document) })
  }

  /**
   * The documents in the order of `numbers`; undefined where one was deleted with its release. No statement when all
   * are cached.
   */
  async load(numbers: ArrayLike<number>): Promise<(ReleaseDocument | undefined)[]> {
    const found = Array.from(numbers, (number) => lookups.count(this.cache.get(number)))
    const missing = Array.from(numbers).filter((_, at) => !found[at])
    if (missing.length === 0) return found
    const fetched = await this.fetch(missing)
    return found.map((document, at) => document ?? fetched.get(numbers[at] as number))
  }

  /**
   * Reads missing documents in one statement with those of other requests; joins running reads of the same documents.
   */
  private async fetch(numbers: readonly number[]): Promise<ReadonlyMap<number, ReleaseDocument>> {
    const unread = numbers.filter((number) => !this.reads.get(number))
    const path = { name: 'release documents', read: (_: Database, wanted: number[]) => read(this.database, wanted) }
    let reading: Promise<ReadonlyMap<number, ReleaseDocument>> | undefined
    const readUnread = () => (reading ??= this.database.batchRead(path, unread))
    const found = new Map<number, ReleaseDocument>()
    // Awaited together: if one failed while another was awaited, an unhandled rejection would end the process.
    const reads = await Promise.all(numbers.map((number) => this.reads.run(number, readUnread)))
    for (const [at, number] of numbers.entries()) {
      const one = reads[at]?.get(number)
      if (one) found.set(number, one)
    }
    for (const number of unread) {
      const one = found.get(number)
      if (one) this.cache.set(number, one)
    }
    return found
  }
}

async function read(database: Database, numbers: number[]): Promise<ReadonlyMap<number, ReleaseDocument>> {
  const text = 'SELECT id, body::text AS body FROM release_document WHERE id = ANY ($1::int[])'
  const rows = await database.query<{ id: number; body: string }>('release_documents', text, [numbers])
  return new Map(rows.map(({ id, body }) => [id, readDocument(id, JSON.parse(body) as DocumentBody, body.length)]))
}
