/**
 * Name order: the place of each product of a release when sorted by name in a language, cached within bounded memory.
 * Names are ranked once for each release and collation, in a thread of their own, and stored with the release. So a
 * list keeps its order, whatever version of ICU a server has.
 *
 * SQL (search-sql.ts), since it reads several releases' rows at once, and may read a standby.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { POSITIONS } from '../../domain/catalog/product-order.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { shownLanguages } from '../../domain/language/accept-language.ts'
import { collationOf } from '../../domain/language/collation.ts'
import { acceptedOf } from '../../domain/language/language.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Database } from '../database/database.ts'
import type { JoinedRow } from '../database/joined-reads.ts'
import type { StoredOrder } from './name-order-worker.mjs'
import type { ReleaseTexts } from './release-texts.ts'
import { formerNameOrder, nameLanguages, nameOrder, namesOfRelease, storeNameOrder } from './search-sql.ts'

const workerUrl = new URL('./name-order-worker.mjs', import.meta.url)

/** Bytes of all cached orders. */
const NAME_ORDERS_BYTES_MAX = 16 * 1024 * 1024

/**
 * The ranks of a language's names among the names of all languages, beside the positions of their products in the
 * release.
 */
interface LanguageNames {
  readonly positions: Int32Array
  readonly ranks: Int32Array
}

/** The names of a release in a collation by language tag; '' stands for the default names. */
type ReleaseNames = ReadonlyMap<string, LanguageNames>

/** What is ranked: names by language and the former order, as JSON. */
interface Ranked {
  readonly collation: string
  readonly names: readonly (readonly [language: string, body: string])[]
  readonly former: string
}

/** Orders whose names are cached. A cached list no longer needs them. */
const NAMES_MAX = 4
/** Releases whose languages are cached. */
const RELEASES_MAX = 100

/** The name orders of one process. */
export class NameOrder {
  private readonly languages = new LRUCache<string, readonly string[]>({ max: RELEASES_MAX })
  private readonly languageReads = new SingleFlight<string, readonly string[]>()
  private readonly names = new LRUCache<string, ReleaseNames>({ max: NAMES_MAX })
  private readonly reads = new SingleFlight<string, ReleaseNames>()
  private readonly orders = new LRUCache<string, Int32Array>({
    maxSize: NAME_ORDERS_BYTES_MAX,
    sizeCalculation: ({ byteLength }) => byteLength + 500,
  })

  /** The release that is ranked now: one at a time. */
  private ranking: Promise<unknown> = Promise.resolve()

  /** `primary` stores orders. */
  constructor(
    private readonly texts: ReleaseTexts,
    private readonly primary: Database,
  ) {}

  /**
   * The place of each product in the order by name, indexed by its position in the release. `acceptLanguage` decides
   * the language of each name (language.best-accepted-tag), and the best of these the collation. Two statements for a
   * release whose names are not cached, four when they were never ranked.
   */
  async ranks(release: Release, acceptLanguage: string | null): Promise<Int32Array> {
    const { storeLanguage } = this.texts.analyser
    const languages = acceptedOf(await this.languagesOf(release), shownLanguages(acceptLanguage, storeLanguage))
    const key = `${release.id} ${languages}`
    const cached = this.orders.get(key)
    if (cached) return cached
    const collation = collationOf(languages[0] ?? storeLanguage)
    const order = orderOf(release, await this.namesOf(release, collation), languages)
    this.orders.set(key, order)
    return order
  }

  private async languagesOf(release: Release): Promise<readonly string[]> {
    const read = async (): Promise<readonly string[]> => {
      const rows = await this.texts.read(release, 'name_languages', nameLanguages, [], isAnalysed)
      const languages = rows.flatMap(({ key }) => (key === null || key === '' ? [] : [key]))
      this.languages.set(release.id, languages)
      return languages
    }
    return this.languages.get(release.id) ?? this.languageReads.run(release.id, read)
  }

  private async namesOf(release: Release, collation: string): Promise<ReleaseNames> {
    const key = `${release.id} ${collation}`
    const read = async (): Promise<ReleaseNames> => {
      const [row] = await this.texts.read(release, 'name_order', nameOrder, [collation])
      const names = readNames(release, row?.body ?? (await this.rank(release, collation)))
      this.names.set(key, names)
      return names
    }
    return this.names.get(key) ?? this.reads.run(key, read)
  }

  /** Ranks the names, from the order of a former release where there is one, and stores the ranks. */
  private async rank(release: Release, collation: string): Promise<string> {
    const { icu } = process.versions
    const [rows, [former]] = await Promise.all([
      this.texts.read(release, 'names_of_release', namesOfRelease, [], isAnalysed),
      this.texts.read(release, 'former_name_order', formerNameOrder, [collation, icu]),
    ])
    const names = rows.flatMap(({ key, body }) => (key === null ? [] : [[key, body] as const]))
    const made = await this.inThread({ collation, names, former: former?.body ?? '[]' })
    const values = [release.id, this.texts.analyser.id, collation, icu, made]
    const [stored] = await this.primary.query<{ ranks: string }>('store_name_order', storeNameOrder, values)
    // Another server was first, or the release is gone meanwhile.
    if (stored) return made
    const [other] = await this.texts.readPrimary(release, 'name_order', nameOrder, [collation])
    return other?.body ?? made
  }

  private inThread(ranked: Ranked): Promise<string> {
    const made = this.ranking.then(() => runThread(ranked))
    this.ranking = made.catch(() => undefined)
    return made
  }
}

async function runThread(workerData: Ranked): Promise<string> {
  const [made] = await once(new Worker(workerUrl, { workerData, execArgv: [] }), 'message')
  return made
}

function isAnalysed(rows: readonly JoinedRow[]): boolean {
  return rows.some(({ key, body }) => key === null && body === 'true')
}

function readNames(release: Release, stored: string): ReleaseNames {
  const position = (document: number): number => release.allProducts.positionOf(document)
  return new Map(
    (JSON.parse(stored) as StoredOrder).map(([language, documents, ranks]) => [
      language,
      { positions: Int32Array.from(documents, position), ranks: Int32Array.from(ranks) },
    ]),
  )
}

/** Rank and position share one double (product-order.ts), so that one sort of numbers makes the order. */
function orderOf(release: Release, names: ReleaseNames, languages: readonly string[]): Int32Array {
  const keys = Float64Array.from(release.allProducts.documents, (_, position) => position)
  // From the worst language to the best, whose rank overwrites the others.
  for (const language of ['', ...languages.toReversed()]) {
    const { positions, ranks } = names.get(language) ?? { positions: new Int32Array(), ranks: new Int32Array() }
    for (const [at, position] of positions.entries())
      if (position >= 0) keys[position] = (ranks[at] as number) * POSITIONS + position
  }
  const order = new Int32Array(keys.length)
  let [place, placedRank] = [0, -1]
  for (const [at, key] of keys.sort().entries()) {
    const rank = Math.floor(key / POSITIONS)
    if (rank !== placedRank) [place, placedRank] = [at, rank]
    order[key % POSITIONS] = place
  }
  return order
}
