/** Release documents by number: a bounded cache in front of one statement per turn of the event loop, whoever asks. */
import { type FrozenBody, type ReleaseDocument, readDocument } from '../domain/release-document.ts'
import type { Database } from './database.ts'

/** Bytes of JSON text whose documents are kept; decoded they take about six times that. */
export const DOCUMENTS_KEPT_BYTES = 8 * 1024 * 1024

interface Kept {
  readonly document: ReleaseDocument
  readonly bytes: number
}

export class ReleaseDocuments {
  /** Oldest use first: a Map keeps the order of insertion. */
  private readonly kept = new Map<number, Kept>()
  private bytes = 0

  constructor(
    private readonly database: Database,
    private readonly limit = DOCUMENTS_KEPT_BYTES,
  ) {}

  /** The documents in the order asked; undefined where one was deleted with its release. No statement when all are known. */
  async load(numbers: ArrayLike<number>): Promise<(ReleaseDocument | undefined)[]> {
    const found = new Array<ReleaseDocument | undefined>(numbers.length)
    const missing: number[] = []
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at] as number
      found[at] = this.use(number)
      if (!found[at]) missing.push(number)
    }
    if (missing.length === 0) return found
    const fetched = await this.fetch(missing)
    return found.map((document, at) => document ?? fetched.get(numbers[at] as number)?.document)
  }

  private use(number: number): ReleaseDocument | undefined {
    const kept = this.kept.get(number)
    if (!kept) return undefined
    this.kept.delete(number)
    this.kept.set(number, kept)
    return kept.document
  }

  /** Those missing, in one statement with what other requests of this turn miss. */
  private async fetch(numbers: readonly number[]): Promise<ReadonlyMap<number, Kept>> {
    const found = await this.database.readTogether('release documents', numbers, read)
    for (const number of numbers) this.keep(found.get(number))
    return found
  }

  private keep(one: Kept | undefined): void {
    if (!one || this.kept.has(one.document.number)) return
    this.kept.set(one.document.number, one)
    this.bytes += one.bytes
    for (const [number, oldest] of this.kept) {
      if (this.bytes <= this.limit) break
      this.kept.delete(number)
      this.bytes -= oldest.bytes
    }
  }
}

async function read(database: Database, numbers: number[]): Promise<ReadonlyMap<number, Kept>> {
  const text = 'SELECT id, body::text AS body FROM release_document WHERE id = ANY ($1::int[])'
  const rows = await database.query<{ id: number; body: string }>('release_documents', text, [numbers])
  return new Map(rows.map(({ id, body }) => [id, { document: readDocument(id, JSON.parse(body) as FrozenBody), bytes: body.length }]))
}
