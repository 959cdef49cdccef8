/**
 * Facet column: the values that the products of a release have in one field, such as tags. It is indexed by rank
 * (listing-scope.ts), so the cost of filters and counts depends on the length of the list, not of the posting lists.
 */
import type { Locales } from '../language/locale.ts'

/** A posting list: the documents that have a value. */
export interface Posting {
  readonly value: string
  readonly documents: readonly number[]
}

/**
 * The product at `rank` has the values at `offsets[rank]` up to before `offsets[rank + 1]`. Without offsets each
 * product has at most one value, that at its rank.
 */
interface Entries {
  readonly offsets: Int32Array | null
  /** Indexes of values; -1 for none. */
  readonly codes: Int32Array | Int16Array
}

/** The values of a field, by rank; immutable. */
export class FacetColumn {
  private readonly codeOf: ReadonlyMap<string, number>

  private constructor(
    readonly values: readonly string[],
    private readonly entries: Entries,
  ) {
    this.codeOf = new Map(values.map((value, code) => [value, code]))
  }

  /**
   * Turns posting lists into a column of `length` products; `rankOf` returns -1 for a document that the release lacks.
   */
  static of(postings: readonly Posting[], length: number, rankOf: (document: number) => number): FacetColumn {
    const lists = postings.map(({ documents }) => documents.map(rankOf).filter((rank) => rank >= 0))
    const values = postings.map(({ value }) => value)
    return new FacetColumn(values, singleEntries(lists, length) ?? manyEntries(lists, length))
  }

  /** Calls `visit` with the code of each value of a product. */
  forEach(rank: number, visit: (code: number) => void): void {
    const { offsets, codes } = this.entries
    if (offsets === null) {
      const code = codes[rank] as number
      if (code >= 0) visit(code)
      return
    }
    const end = offsets[rank + 1] as number
    for (let at = offsets[rank] as number; at < end; at++) visit(codes[at] as number)
  }

  /** A test for a rank: whether its product has one of `values`. */
  hasOneOf(values: readonly string[]): (rank: number) => boolean {
    const isWanted = new Uint8Array(this.values.length)
    for (const value of values) {
      const code = this.codeOf.get(value)
      if (code !== undefined) isWanted[code] = 1
    }
    const { offsets, codes } = this.entries
    if (offsets === null) return (rank) => isWanted[codes[rank] as number] === 1
    return (rank) => {
      const end = offsets[rank + 1] as number
      for (let at = offsets[rank] as number; at < end; at++) if (isWanted[codes[at] as number] === 1) return true
      return false
    }
  }

  /** Estimated memory in bytes. */
  get sizeInBytes(): number {
    const texts = this.values.reduce((sum, value) => sum + 120 + 2 * value.length, 0)
    return (this.entries.offsets?.byteLength ?? 0) + this.entries.codes.byteLength + texts
  }
}

/** Entries with at most one value per product; null when a product has several. */
function singleEntries(lists: readonly (readonly number[])[], length: number): Entries | null {
  const codes = lists.length < 2 ** 15 ? new Int16Array(length) : new Int32Array(length)
  codes.fill(-1)
  for (const [code, ranks] of lists.entries()) {
    for (const rank of ranks) {
      if (codes[rank] !== -1) return null
      codes[rank] = code
    }
  }
  return { offsets: null, codes }
}

function manyEntries(lists: readonly (readonly number[])[], length: number): Entries {
  const offsets = new Int32Array(length + 1)
  for (const ranks of lists) for (const rank of ranks) offsets[rank + 1] = (offsets[rank + 1] as number) + 1
  for (let rank = 1; rank <= length; rank++) offsets[rank] = (offsets[rank] as number) + (offsets[rank - 1] as number)
  const codes = new Int32Array(offsets[length] as number)
  const next = offsets.slice()
  for (const [code, ranks] of lists.entries()) {
    for (const rank of ranks) {
      const place = next[rank] as number
      codes[place] = code
      next[rank] = place + 1
    }
  }
  return { offsets, codes }
}

/** The names of a variation and its options in other languages: those that most parents of the release give them. */
export interface VariationNames {
  readonly locales: Locales
  readonly options: ReadonlyMap<string, Locales>
}

/** The facet columns of a release, and which parent in the release stands for each child. */
export interface ReleaseFacets {
  readonly columns: ReadonlyMap<string, FacetColumn>
  /** Fields that are no facet: they have too many values, or too few products have them (facet.short-values). */
  readonly tooManyValues: ReadonlySet<string>
  /**
   * Indexed by rank: the rank of the product that represents this one in a grouped list. A child has its parent's rank,
   * any other product its own.
   */
  readonly leaders: Int32Array
  readonly variationNames: ReadonlyMap<string, VariationNames>
  /** By variation and option, both by name: the sort order that most parents give the option. */
  readonly sortOrders: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly sizeInBytes: number
}
