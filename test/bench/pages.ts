/** Which pages are asked for: one again and again (hot), or uniformly over far more than any cache holds (spread). */
import { PRODUCTS_PER_HIERARCHY, SMALL_HIERARCHIES } from './data.ts'

export const PAGE_LENGTH = 25

/** Twenty-five products of a hierarchy's deepest node, which are all that the hierarchy has, in its order. */
export interface PageSpec {
  readonly hierarchy: number
  readonly offset: number
  readonly currency: string
  readonly language: string
}

const languages = ['en', 'de', 'fr'] as const
export const everyTongue = ['USD', 'EUR', 'GBP'].flatMap((currency) =>
  languages.map((language) => ({ currency, language })),
)
/** Those that products have texts in. */
const tongues = everyTongue.filter(({ language }) => language !== 'fr')
const offsets = Array.from({ length: (PRODUCTS_PER_HIERARCHY - PAGE_LENGTH) / 5 + 1 }, (_, index) => index * 5)

export const hotPage: PageSpec = { hierarchy: 7, offset: 25, currency: 'EUR', language: 'de' }

/** 86,000 of them, in a fixed shuffled order. */
export function allPages(): PageSpec[] {
  const pages: PageSpec[] = []
  for (let hierarchy = SMALL_HIERARCHIES.first; hierarchy <= SMALL_HIERARCHIES.last; hierarchy++) {
    for (const offset of offsets) {
      for (const tongue of tongues) pages.push({ hierarchy, offset, ...tongue })
    }
  }
  return shuffle(pages)
}

/** In an order that is the same in every run. */
export function shuffle<T>(items: T[]): T[] {
  let state = 1
  for (let at = items.length - 1; at > 0; at--) {
    // Numerical Recipes' generator: the same order in every run.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (at + 1)
    const kept = items[at] as T
    items[at] = items[other] as T
    items[other] = kept
  }
  return items
}
