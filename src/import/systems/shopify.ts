/**
 * Shopify's product CSV as objects of the import: the price book, each product with its variants and prices as it is
 * read, and in the end the categories as nodes of a hierarchy.
 *
 * Memory holds the rows of one product, and handles, SKUs and ids of products.
 */
import { isUuid } from '../../domain/input/formats.ts'
import type { ParsedObject } from '../parsed-object.ts'
import { converted, type StandsAt, unreadable } from './converted.ts'
import type { LeftOut } from './left-out.ts'
import { shopifyId } from './shopify-id.ts'
import { productObjects } from './shopify-objects.ts'
import { nodeField } from './shopify-places.ts'
import { productRows, type ShopifyRow } from './shopify-rows.ts'
import type { ShopifyArguments } from './system-arguments.ts'

/** The name of the hierarchy, and of the node of products without a category. */
const HIERARCHY = 'Categories'
const NO_CATEGORY = 'Other'

/** The arguments, with the price book that they name. */
export interface ShopifySource extends ShopifyArguments {
  /** The id of the stored book, or that of the one to make. */
  readonly bookId: string
}

/** How the files are read. */
export interface ShopifyReading {
  readonly leftOut: LeftOut
  readonly ignoreUnknown: boolean
  readonly onRead: (bytes: number) => void
}

/** The id that a price book of a name gets when there is none. */
export function newBookId(name: string): string {
  return shopifyId('book', name)
}

/** The objects of files that together are one export. */
export async function* shopifyObjects(
  files: readonly string[],
  { book, ...source }: ShopifySource,
  { leftOut, ignoreUnknown, onRead }: ShopifyReading,
): AsyncGenerator<ParsedObject> {
  const start = { at: files[0] ?? '', line: 1 }
  // A book that is given by its id keeps its name.
  const name = isUuid(book) ? {} : { name: book }
  yield converted(start, { type: 'pricebook', id: source.bookId, attributes: name })
  const handles = new Map<string, string>()
  const options = { ...source, leftOut, skus: new Map<string, string>() }
  const categories = new Categories()
  let before = 0
  for (const file of files) {
    let ofFile = 0
    const reading = {
      ignoreUnknown,
      onRead: (bytes: number) => {
        ofFile = bytes
        onRead(before + bytes)
      },
    }
    for await (const found of productRows(file, reading, handles)) {
      if ('problem' in found) yield unreadable(found, found.problem)
      else {
        yield* productObjects(found, options)
        categories.add(found[0])
      }
    }
    before += ofFile
  }
  if (handles.size > 0) yield* categories.objects(start)
}

/** The categories with the ids of their products. */
class Categories {
  private readonly found = new Map<string, { readonly row: ShopifyRow; readonly products: string[] }>()

  add(row: ShopifyRow): void {
    const steps = row
      .text('category')
      .split('>')
      .map((step) => step.trim())
      .filter((step) => step !== '')
    const path = steps.length > 0 ? steps : [NO_CATEGORY]
    // Those above it are nodes too.
    for (const depth of path.keys()) {
      const key = path.slice(0, depth + 1).join(' > ')
      if (!this.found.has(key)) this.found.set(key, { row: row.withoutCells(), products: [] })
    }
    this.found.get(path.join(' > '))?.products.push(shopifyId('product', row.text('handle')))
  }

  *objects(start: StandsAt): Generator<ParsedObject> {
    const hierarchy = shopifyId('hierarchy')
    yield converted(start, { type: 'hierarchy', id: hierarchy, attributes: { name: HIERARCHY } })
    for (const [path, { row, products }] of this.found) {
      const steps = path.split(' > ')
      const above = steps.slice(0, -1).join(' > ')
      const data = {
        type: 'node',
        id: shopifyId('category', path),
        relationships: {
          parent: { data: { id: above === '' ? hierarchy : shopifyId('category', above) } },
          products: { data: products.map((id) => ({ type: 'product', id })) },
        },
        attributes: { name: steps.at(-1), external_ref: path },
      }
      yield converted(row, data, (violation) => row.describe(nodeField(violation.path), violation))
    }
  }
}
