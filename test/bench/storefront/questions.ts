/** Which questions a load asks: each list in a shuffled order that is the same in every run. */
import { PRODUCTS_PER_HIERARCHY } from '../data.ts'
import { shuffle } from '../pages.ts'
import { PAGE_LENGTH, type PageKind, type Question } from './question.ts'

export const styles = (
  'modern rustic slim wide bright quiet sturdy folding curved hidden ' +
  'woven painted polished carved round narrow tall heavy compact vintage'
).split(' ')
export const materials = (
  'oak walnut cherry maple birch bamboo steel copper brass marble ' +
  'glass linen cotton wool leather velvet rattan cork slate granite'
).split(' ')
export const kinds = (
  'table chair lamp shelf bench stool mirror vase bowl basket ' +
  'tray clock rug curtain pillow blanket ladder drawer cabinet desk'
).split(' ')

export const USD = ['USD']
export const everyCurrency = ['USD', 'EUR', 'GBP']

/** The last category that has all its products in a store of so many. */
const lastCategory = (products: number): number => Math.min(399, Math.floor(products / PRODUCTS_PER_HIERARCHY))

/** Pages that begin at any product of any category but the first, which has fewer. */
export function pagesOf(kind: PageKind, products: number, currencies: readonly string[]): Question[] {
  const questions: Question[] = []
  for (let category = 2; category <= lastCategory(products); category++) {
    for (let offset = 0; offset <= PRODUCTS_PER_HIERARCHY - PAGE_LENGTH; offset++) {
      for (const currency of currencies) questions.push({ kind, category, offset, currency })
    }
  }
  return shuffle(questions)
}

/** Those of `pagesOf` that shoppers meet who turn pages: few enough to be cached. */
export function wholePagesOf(products: number, currencies: readonly string[]): Question[] {
  return pagesOf('category', products, currencies).filter(
    (question) => 'offset' in question && question.offset % PAGE_LENGTH === 0,
  )
}

/** The pages of every tag, of which each product has one of each kind. */
export function tagPages(products: number, currencies: readonly string[]): Question[] {
  const pages = Math.floor(products / styles.length / PAGE_LENGTH)
  const offsets = Array.from({ length: pages }, (_, page) => page * PAGE_LENGTH)
  const tags = [...styles, ...materials, ...kinds]
  return shuffle(
    tags.flatMap((tag) =>
      offsets.flatMap((offset) => currencies.map((currency) => ({ kind: 'tag', tag, offset, currency }) as const)),
    ),
  )
}

/** Two words of each kind that a product has, in either order. */
const pairs: readonly string[] = [
  [styles, materials],
  [styles, kinds],
  [materials, kinds],
].flatMap(([left = [], right = []]) =>
  left.flatMap((one) => right.flatMap((other) => [`${one} ${other}`, `${other} ${one}`])),
)

/** The first pages of what two words find: a 400th of the store. */
export function searches(currencies: readonly string[]): Question[] {
  return shuffle(
    pairs.flatMap((text) =>
      [0, PAGE_LENGTH].flatMap((offset) =>
        currencies.map((currency) => ({ kind: 'search', text, offset, currency }) as const),
      ),
    ),
  )
}

/** What two words may become as they are typed, from the second letter on: beginnings are asked for more often. */
export function suggestionsOf(currencies: readonly string[]): Question[] {
  const typed = pairs.flatMap((text) => Array.from(text, (_, at) => text.slice(0, at + 1)).slice(1))
  return shuffle(
    typed.flatMap((text) => currencies.map((currency) => ({ kind: 'suggestions', text, currency }) as const)),
  )
}

/** Products, of which the first has number 10. */
export function productsOf(products: number, currencies: readonly string[]): Question[] {
  const numbers = Array.from({ length: products }, (_, index) => index + 10)
  return shuffle(
    numbers.flatMap((number) => currencies.map((currency) => ({ kind: 'product', number, currency }) as const)),
  )
}
