/** Free slugs: the numbers of made slugs that others have (slug.made-ones-differ). */
import { FREE_NAME_MAX } from './limits.ts'

/** The keys (`slugKey`) among `keys` that a record has. */
export type TakenSlugs = (keys: readonly string[]) => Promise<ReadonlySet<string>>

/** Numbers that are tried at once for each slug. */
const TRIED = 16
/** No store has more records of one name. */
const NUMBER_MAX = 2 ** 30

/** A made slug that is looked for: `low` is the highest number that is known to be taken; 1 is the slug without one. */
interface Search {
  readonly made: string
  low: number
  tried: readonly number[]
}

/**
 * A free slug for each of the made slugs `made`, in their order: the slug itself, or `chay-2` where `chay` is taken,
 * with a number after one that is taken. Each is taken for those after it, as are the keys `given`. `taken` is called
 * once, and a few times more where slugs are taken, however many are.
 */
export async function freeSlugs(
  made: readonly string[],
  given: readonly string[],
  taken: TakenSlugs,
): Promise<string[]> {
  const found = new Map<number, string>()
  const used = new Set(given)
  while (found.size < made.length) {
    // Of equal slugs one at a time, since each takes a number from the others.
    const searches = new Map<string, { readonly index: number; readonly search: Search }>()
    for (const [index, slug] of made.entries())
      if (!found.has(index) && !searches.has(slug))
        searches.set(slug, { index, search: { made: slug, low: 0, tried: [1] } })
    while (searches.size > 0) {
      const candidates = [...searches.values()].flatMap(({ search }) => slugsOf(search))
      const others = await taken(candidates)
      for (const [slug, { index, search }] of searches) {
        const free = step(search, (candidate) => others.has(candidate) || used.has(candidate))
        if (free === null) continue
        searches.delete(slug)
        found.set(index, free)
        used.add(free)
      }
    }
  }
  return made.map((_, index) => found.get(index) as string)
}

/** The free slug after a taken one, once it is known; else the search goes on with other numbers. */
function step(search: Search, isTaken: (slug: string) => boolean): string | null {
  const { made, tried } = search
  const at = tried.findIndex((number) => !isTaken(numbered(made, number)))
  const free = at === -1 ? NUMBER_MAX : (tried[at] as number)
  search.low = at === -1 ? (tried.at(-1) as number) : at === 0 ? search.low : (tried[at - 1] as number)
  if (free - search.low <= 1) return numbered(made, free)
  search.tried = at === -1 ? firstNumbers() : between(search.low, free)
  return null
}

/** The first numbers, then powers of two, since many records may have one name. */
function firstNumbers(): number[] {
  const powers = Array.from({ length: 30 }, (_, exponent) => 2 ** (exponent + 1)).filter((number) => number > TRIED)
  return [...Array.from({ length: TRIED - 1 }, (_, index) => index + 2), ...powers]
}

/** Numbers between two, evenly spread, and the higher one, which is free. */
function between(low: number, high: number): number[] {
  const width = (high - low) / (TRIED + 1)
  const spread = Array.from({ length: TRIED }, (_, index) => Math.floor(low + width * (index + 1)))
  return [...new Set(spread.filter((number) => number > low)), high]
}

function slugsOf({ made, tried }: Search): string[] {
  return tried.map((number) => numbered(made, number))
}

/** A made slug with a number, within the length limit. */
function numbered(made: string, number: number): string {
  if (number === 1) return made
  const end = `-${number}`
  return made.slice(0, FREE_NAME_MAX - end.length).replace(/-+$/, '') + end
}
