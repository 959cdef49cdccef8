/**
 * Names of releases, in which a text is looked up while it is being typed, within bounded memory. The releases of a
 * catalog share one index: documents never change, so after a publish only new ones are read.
 */
import { LRUCache } from 'lru-cache'
import { type Named, NameIndex } from '../../domain/catalog/name-index.ts'
import type { Release } from '../../domain/catalog/release.ts'
import type { Effort } from '../../lib/effort.ts'
import { groupBy } from '../../lib/group-by.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { JoinedRow } from '../database/joined-reads.ts'
import type { ReleaseTexts } from './release-texts.ts'
import { namesOfDocuments } from './search-sql.ts'

/** Bytes of all indexes. A larger one is kept alone. */
const NAMES_BYTES_MAX = 256 * 1024 * 1024
/** What the names of a document take at most, as a rule. */
const DOCUMENT_BYTES = 800
/** Milliseconds after which the index of a catalog that nobody asks for gives way to another one. */
const IDLE_MS = 600_000
/** Documents whose names are read at once: five milliseconds of analysis. */
const DOCUMENTS_AT_ONCE = 250
/** Documents of former releases that an index keeps beside as many as a release has. */
const FORMER_KEPT = 1_000

/** The index of a catalog, and the releases that are in it whole. */
interface Kept {
  readonly index: NameIndex
  readonly releases: Set<string>
  /** Milliseconds, by the clock. */
  usedAt: number
}

/** Tests have less room, and another clock. */
interface Options {
  readonly bytesMax?: number
  /** Milliseconds. */
  readonly clock?: () => number
}

/** The names of the catalogs that one process was asked for. */
export class ReleaseNames {
  private readonly catalogs: LRUCache<string, Kept>
  private readonly reads = new SingleFlight<string, NameIndex>()
  private readonly bytesMax: number
  private readonly clock: () => number

  constructor(
    private readonly texts: Pick<ReleaseTexts, 'read'>,
    { bytesMax = NAMES_BYTES_MAX, clock = () => performance.now() }: Options = {},
  ) {
    this.bytesMax = bytesMax
    this.clock = clock
    this.catalogs = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: ({ index }) => Math.min(Math.max(index.bytes, 1), bytesMax),
    })
  }

  /**
   * An index that has at least the names of a release; null where it would take the room of another catalog's that was
   * asked for lately, since both would be read again and again. One statement for every 250 documents whose names were
   * not read yet.
   */
  async of(release: Release, { pause }: Pick<Effort, 'pause'>): Promise<NameIndex | null> {
    for (;;) {
      const known = this.catalogs.get(release.catalogId)
      if (known) known.usedAt = this.clock()
      if (known?.releases.has(release.id)) return known.index
      const running = this.reads.get(release.catalogId)
      if (!running && !known && !this.makeRoom(release.allProducts.documents.length * DOCUMENT_BYTES)) return null
      if (!running) return this.reads.run(release.catalogId, () => this.read(release, known, pause))
      // It reads another release, or its request ended.
      await running.catch(() => undefined)
    }
  }

  /** Whether there is room, maybe where indexes were that nobody asked for lately. */
  private makeRoom(bytes: number): boolean {
    for (const catalogId of [...this.catalogs.rkeys()]) {
      if (this.catalogs.calculatedSize + bytes <= this.bytesMax) return true
      const usedAt = this.catalogs.peek(catalogId)?.usedAt ?? Number.NEGATIVE_INFINITY
      if (this.clock() - usedAt < IDLE_MS) return false
      this.catalogs.delete(catalogId)
    }
    return true
  }

  private async read(release: Release, known: Kept | undefined, pause: Effort['pause']): Promise<NameIndex> {
    const { documents } = release.allProducts
    const isLacking = (kept: Kept | undefined) => documents.filter((document) => !kept?.index.has(document))
    const former = known ? known.index.size + isLacking(known).length - documents.length : 0
    const kept =
      known && former <= documents.length + FORMER_KEPT
        ? known
        : { index: new NameIndex(), releases: new Set<string>(), usedAt: this.clock() }
    const lacking = isLacking(kept)
    for (let from = 0; from < lacking.length; from += DOCUMENTS_AT_ONCE) {
      const wanted = lacking.subarray(from, from + DOCUMENTS_AT_ONCE)
      const [row] = await this.texts.read(release, 'names_of_documents', namesOfDocuments, [[...wanted]], isAnalysed)
      kept.index.add(namedOf(row?.body ?? '[]'))
      await pause()
    }
    kept.releases.add(release.id)
    this.catalogs.set(release.catalogId, kept)
    return kept.index
  }
}

const isAnalysed = ([row]: readonly JoinedRow[]): boolean => row?.key === 'true'

function namedOf(body: string): Named[] {
  const rows = JSON.parse(body) as [id: number, language: string, name: string, code: string][]
  return [...groupBy(rows, ([id]) => id)].map(([id, ofOne]) => ({
    id,
    names: ofOne.map(([, language, name]) => [language, name] as const),
    code: ofOne.find(([, language]) => language === '')?.[3] ?? '',
  }))
}
