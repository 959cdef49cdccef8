/** Columns of Shopify's product CSV by both sets of names that its exports have had; README.md has them as a table. */
import { onCommandLine } from '../option-words.ts'
import type { Row } from '../sheet/row.ts'
import { cellName } from '../sheet/sheet.ts'

/** What a cell says, by the names of its column; their case makes no difference. */
const columnNames = {
  handle: ['Handle', 'URL handle'],
  title: ['Title'],
  body: ['Body (HTML)', 'Description'],
  vendor: ['Vendor'],
  category: ['Product Category', 'Standard Product Type'],
  type: ['Type', 'Custom Product Type'],
  tags: ['Tags'],
  published: ['Published', 'Published on online store'],
  status: ['Status'],
  option1Name: ['Option1 Name'],
  option1Value: ['Option1 Value'],
  option2Name: ['Option2 Name'],
  option2Value: ['Option2 Value'],
  option3Name: ['Option3 Name'],
  option3Value: ['Option3 Value'],
  sku: ['Variant SKU', 'SKU'],
  barcode: ['Variant Barcode', 'Barcode'],
  grams: ['Variant Grams', 'Weight value (grams)'],
  price: ['Variant Price', 'Price'],
  compareAtPrice: ['Variant Compare At Price', 'Compare-at price'],
  requiresShipping: ['Variant Requires Shipping', 'Requires shipping'],
  imageSrc: ['Image Src', 'Product image URL'],
  imagePosition: ['Image Position'],
  imageAlt: ['Image Alt Text'],
  variantImage: ['Variant Image', 'Variant image URL'],
  giftCard: ['Gift Card'],
  seoTitle: ['SEO Title'],
  seoDescription: ['SEO Description'],
  mpn: ['Google Shopping / MPN', 'Google Shopping / Manufacturer part number (MPN)'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** What a cell of a known column says. */
export type Field = keyof typeof columnNames

const fields: ReadonlyMap<string, Field> = new Map(
  Object.entries(columnNames).flatMap(([field, names]) =>
    names.map((name) => [name.toLowerCase(), field as Field] as const),
  ),
)

/** Columns to which nothing here corresponds. */
const leftOutNames: ReadonlySet<string> = new Set([
  ...['option1 linked to', 'option2 linked to', 'option3 linked to', 'collection', 'cost per item'],
  ...['variant inventory tracker', 'inventory tracker', 'variant inventory qty', 'inventory quantity'],
  ...['variant inventory policy', 'continue selling when out of stock'],
  ...['variant fulfillment service', 'fulfillment service', 'variant weight unit', 'weight unit for display'],
  ...['variant taxable', 'charge tax', 'variant tax code', 'tax code'],
  ...['unit price total measure', 'unit price total measure unit'],
  ...['unit price base measure', 'unit price base measure unit'],
])
/** Prices of markets, in currencies that the file does not say, and what is for advertisements. */
const leftOutPattern = /^(?:google shopping|included|price|compare at price|compare-at price) \/ /
const metafieldPattern = /\((product|variant)\.metafields\.([^.()]+)\.([^()]+)\)$/

/** A column of a metafield, such as `Material (product.metafields.custom.material)`. */
export interface MetafieldColumn {
  readonly index: number
  readonly of: 'product' | 'variant'
  readonly namespace: string
  readonly key: string
}

/** The columns of a file. */
export interface ShopifyColumns {
  /** The header. */
  readonly names: readonly string[]
  /** The indexes of cells by what they say. */
  readonly fields: ReadonlyMap<Field, number>
  readonly metafields: readonly MetafieldColumn[]
  /** Columns that are counted and not taken. */
  readonly leftOut: readonly { readonly index: number; readonly name: string }[]
}

/** The columns of a header, or what is wrong with it; with `ignoreUnknown` unknown ones are counted and not taken. */
export function readColumns({ number: row, cells: names }: Row, ignoreUnknown: boolean): ShopifyColumns | string[] {
  const found = new Map<Field, number>()
  const metafields: MetafieldColumn[] = []
  const leftOut: { index: number; name: string }[] = []
  const problems: string[] = []
  for (const [index, given] of names.entries()) {
    const name = given.trim()
    if (name === '') continue
    const field = fields.get(name.toLowerCase())
    const [, of, namespace = '', key = ''] = metafieldPattern.exec(name) ?? []
    const before = field && found.get(field)
    const at = `${cellName(row, index)}: column ${name.slice(0, 100)}`
    if (before !== undefined) problems.push(`${at} says what ${names[before]} says: only one may be given`)
    else if (field) found.set(field, index)
    else if (of === 'product' || of === 'variant') metafields.push({ index, of, namespace, key })
    else if (ignoreUnknown || leftOutNames.has(name.toLowerCase()) || leftOutPattern.test(name.toLowerCase()))
      leftOut.push({ index, name })
    else problems.push(`${at} is unknown in Shopify's products; ${onCommandLine('ignore-unknown')} leaves it out`)
  }
  for (const field of ['handle', 'title'] as const)
    if (!found.has(field)) problems.push(`row ${row}: has no column ${columnNames[field].join(' or ')}`)
  return problems.length > 0 ? problems : { names, fields: found, metafields, leftOut }
}
