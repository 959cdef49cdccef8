/**
 * Name order: the place of each product of a release in the order by its name in a language, cached within bounded memory.
 *
 * Names are compared without case and accents; equal ones have equal places, so that a list has them in its default
 * order (search.names-in-order).
 *
 * SQL (search-sql.ts), since Prisma can't rank rows.
 */
import { LRUCache } from 'lru-cache'
import { POSITIONS } from '../../domain/catalog/product-order.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { lookUpLanguage } from '../../domain/language/language.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import { throwTranslated } from '../database/failures.ts'
import type { JoinedRead } from '../database/joined-reads.ts'
import { namesInOrder } from './search-sql.ts'

/** Bytes of all cached orders. */
const NAME_ORDERS_BYTES_MAX = 16 * 1024 * 1024

/** The ranks of a language's names among the names of all languages, beside the positions of their products in the release. */
interface LanguageNames {
  readonly positions: Int32Array
  readonly ranks: Int32Array
}

/** The names of a release by language tag; '' has the default ones. */
type ReleaseNames = ReadonlyMap<string, LanguageNames>

/** The releases whose names are cached; an order that is cached needs them no more. */
const RELEASES_MAX = 4

/** The name orders of one process. */
export class NameOrder {
  private readonly names = new LRUCache<string, ReleaseNames>({ max: RELEASES_MAX })
  private readonly reads = new SingleFlight<string, ReleaseNames>()
  private readonly orders = new LRUCache<string, Int32Array>({
    maxSize: NAME_ORDERS_BYTES_MAX,
    sizeCalculation: ({ byteLength }) => byteLength + 500,
  })

  constructor(private readonly query: JoinedRead) {}

  /**
   * By position in the release, the place of each product in the order by name, in the language in which `acceptLanguage` shows it
   * (language.best-accepted-tag). One statement for a release whose names are not cached.
   */
  async ranks(release: Release, acceptLanguage: string | null): Promise<Int32Array> {
    const names = await this.namesOf(release)
    const languages = bestFirst([...names.keys()], acceptLanguage)
    const key = `${release.id} ${languages}`
    const cached = this.orders.get(key)
    if (cached) return cached
    const order = orderOf(release, names, languages)
    this.orders.set(key, order)
    return order
  }

  private async namesOf(release: Release): Promise<ReleaseNames> {
    const read = async (): Promise<ReleaseNames> => {
      const names = await readNames(this.query, release)
      this.names.set(release.id, names)
      return names
    }
    return this.names.get(release.id) ?? this.reads.run(release.id, read)
  }
}

async function readNames(query: JoinedRead, release: Release): Promise<ReleaseNames> {
  const rows = await query('names_in_order', namesInOrder, [release.id]).catch(throwTranslated)
  const position = (document: number): number => release.allProducts.positionOf(document)
  return new Map(
    rows.map(({ key, body }) => {
      const [documents, ranks] = JSON.parse(body) as [documents: number[], ranks: number[]]
      return [key ?? '', { positions: Int32Array.from(documents, position), ranks: Int32Array.from(ranks) }]
    }),
  )
}

/** The accepted ones of the languages, in the order in which a text would be shown in them. */
function bestFirst(languages: readonly string[], acceptLanguage: string | null): string[] {
  if (acceptLanguage === null) return []
  const best = lookUpLanguage(languages, acceptLanguage)
  if (best === null) return []
  const others = languages.filter((language) => language !== best)
  return [best, ...bestFirst(others, acceptLanguage)]
}

/** Rank and position share one double (product-order.ts), so that one sort of numbers makes the order. */
function orderOf(release: Release, names: ReleaseNames, languages: readonly string[]): Int32Array {
  const keys = Float64Array.from(release.allProducts.documents, (_, position) => position)
  // From the worst language to the best, whose rank stays.
  for (const language of ['', ...languages.toReversed()]) {
    const { positions, ranks } = names.get(language) ?? { positions: new Int32Array(), ranks: new Int32Array() }
    for (const [at, position] of positions.entries()) if (position >= 0) keys[position] = (ranks[at] as number) * POSITIONS + position
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
