/**
 * Products of Shopify's CSV as objects of the import (import.from-shopify); README.md beside it has the same as a
 * table.
 */
import { v5 as uuidFromName } from 'uuid'
import { PRODUCT_FILES_MAX, PRODUCT_TAGS_MAX } from '../../domain/input/limits.ts'
import { distinctParts } from '../../domain/input/slug.ts'
import type { JsonObject } from '../../lib/json-object.ts'
import type { ParsedObject } from '../parsed-object.ts'
import { readFlag, readText } from '../sheet/cells.ts'
import { converted, unreadable } from './converted.ts'
import type { LeftOut } from './left-out.ts'
import type { Field } from './shopify-columns.ts'
import { type PriceOptions, priceOf } from './shopify-price.ts'
import type { ShopifyRow } from './shopify-rows.ts'

/** Names of ids, so that an import that is run again finds its records (import.repeat-changes-nothing). */
const NAMESPACE = '0b0d3c3e-5a0f-4d0e-9c39-1f1f6a9d2f5c'

/** The id of something of a file by what names it there: its kind, the handle, and what it is called within that. */
export function shopifyId(...name: readonly string[]): string {
  return uuidFromName(JSON.stringify(name), NAMESPACE)
}

/** What the objects of products depend on. */
export interface ProductOptions extends PriceOptions {
  /** The places of SKUs so far. */
  readonly skus: Map<string, string>
}

/** A row that gives a variant, with its values of the product's options. */
interface Variant {
  readonly row: ShopifyRow
  readonly values: readonly string[]
}

/** A value, or what is wrong with a row. */
class WrongCell extends Error {}

const optionFields = [
  ['option1Name', 'option1Value'],
  ['option2Name', 'option2Value'],
  ['option3Name', 'option3Value'],
] as const satisfies readonly (readonly [Field, Field])[]

const statuses: Readonly<Record<string, 'live' | 'draft'>> = {
  '': 'live',
  active: 'live',
  draft: 'draft',
  archived: 'draft',
  unlisted: 'draft',
}

/**
 * The objects of a product: itself, its variants as children where it has options, and their prices. A product with a
 * wrong cell is one that can't be read, and nothing of it is taken; a wrong variant is left to itself.
 */
export function* productObjects(
  rows: readonly [ShopifyRow, ...ShopifyRow[]],
  options: ProductOptions,
): Generator<ParsedObject> {
  const [first] = rows
  for (const row of rows) row.countLeftOut(options.leftOut)
  const wrong = (row: ShopifyRow, error: unknown): ParsedObject => {
    if (error instanceof WrongCell) return unreadable(row, error.message, JSON.stringify(row.cells))
    throw error
  }
  let product: Product
  try {
    product = new Product(rows, options.leftOut)
  } catch (error) {
    yield wrong(first, error)
    return
  }
  const { variants, isPlain } = product
  if (!isPlain) yield converted(first, product.parent())
  const combinations = new Map<string, string>()
  for (const variant of variants) {
    const { row, values } = variant
    try {
      const combination = JSON.stringify(values)
      const before = combinations.get(combination)
      if (before !== undefined) throw new WrongCell(`has the same options as ${before}`)
      combinations.set(combination, row.at)
      const sku = product.skuOf(variant)
      const owner = options.skus.get(sku)
      if (owner !== undefined) throw new WrongCell(`has the SKU ${sku} of ${owner}: SKUs differ here`)
      options.skus.set(sku, row.at)
      yield converted(row, isPlain ? product.plain(variant, sku) : product.child(variant, sku))
      const price = priceOf(row, sku, options)
      if (price) yield price
    } catch (error) {
      yield wrong(row, error)
    }
  }
}

/** The rows of one product. */
class Product {
  readonly variants: readonly Variant[]
  /** Whether it has no options, so that it is a product without children. */
  readonly isPlain: boolean
  readonly id: string
  private readonly first: ShopifyRow
  private readonly handle: string
  private readonly optionNames: readonly string[]
  private readonly shared: JsonObject
  private readonly images: readonly { readonly src: string; readonly alt: string }[]

  constructor(
    private readonly rows: readonly [ShopifyRow, ...ShopifyRow[]],
    private readonly leftOut: LeftOut,
  ) {
    const [first] = rows
    this.first = first
    this.handle = first.text('handle')
    this.id = shopifyId('product', this.handle)
    const given = rows.filter((row) => row.isVariant)
    this.optionNames = optionFields.map(([name]) => first.text(name)).filter((name) => name !== '')
    this.isPlain =
      given.length <= 1 &&
      (this.optionNames.length === 0 ||
        (this.optionNames.length === 1 && given[0]?.text('option1Value') === 'Default Title'))
    if (!this.isPlain && this.optionNames.length === 0)
      throw new WrongCell('has several variants, and no Option1 Name by which they differ')
    if (new Set(this.optionNames).size < this.optionNames.length) throw new WrongCell('has two options of one name')
    const rowsOfVariants = given.length > 0 || !this.isPlain ? given : [first]
    this.variants = rowsOfVariants.map((row) => ({ row, values: this.isPlain ? [] : this.valuesOf(row) }))
    this.images = this.imagesOf()
    this.shared = { status: this.status(), tags: this.tags() }
  }

  /** The parent of its variants. */
  parent(): JsonObject {
    const kinds = new Set(this.variants.map(({ row }) => commodityOf(row, this.first)))
    const variations = this.optionNames.map((name, at) => ({
      id: shopifyId('option', this.handle, name),
      name,
      sort_order: -at,
      options: this.optionValues(at).map((value, index) => ({
        id: this.valueId(name, value),
        name: value,
        sort_order: -index,
      })),
    }))
    return this.whole({
      sku: null,
      upc_ean: null,
      commodity_type: kinds.size === 1 ? [...kinds][0] : 'physical',
      extensions: this.extensions(this.first.metafields('product'), {}, this.images),
      variations,
    })
  }

  /** The product of its only variant. */
  plain({ row }: Variant, sku: string): JsonObject {
    return this.whole({
      sku,
      upc_ean: codeOf(row, 'barcode') || null,
      commodity_type: commodityOf(row, this.first),
      extensions: this.extensions(
        { ...this.first.metafields('product'), ...row.metafields('variant') },
        gramsOf(row),
        this.images,
      ),
      variations: null,
    })
  }

  /** A variant as a child. */
  child({ row, values }: Variant, sku: string): JsonObject {
    const src = row.text('variantImage')
    const image = src === '' ? [] : [{ src, alt: this.images.find((one) => one.src === src)?.alt ?? '' }]
    return {
      type: 'product',
      id: shopifyId('variant', this.handle, ...values),
      relationships: { parent: { data: { type: 'product', id: this.id } }, ...filesOf(image) },
      attributes: {
        ...this.shared,
        name: `${this.first.text('title')}, ${values.join(' / ')}`,
        sku,
        upc_ean: codeOf(row, 'barcode') || null,
        commodity_type: commodityOf(row, this.first),
        extensions: this.extensions(row.metafields('variant'), gramsOf(row), image),
        option_ids: values.map((value, at) => this.valueId(this.optionNames[at] ?? '', value)),
      },
    }
  }

  /** The SKU of a variant; one that has none gets one of the handle and its options. */
  skuOf({ row, values }: Variant): string {
    const sku = codeOf(row, 'sku')
    if (sku !== '') return sku
    this.leftOut.add('Variant SKU that is empty, so that one is made of the handle')
    const parts = values.map((value, at) => {
      const all = this.optionValues(at)
      return distinctParts(all)[all.indexOf(value)] ?? value
    })
    return [this.handle, ...parts].join('-')
  }

  private whole(attributes: JsonObject): JsonObject {
    const { first, handle } = this
    const isSlug = /^[\w.-]+$/.test(handle)
    if (!isSlug) this.leftOut.add('Handle that is no slug, so that one is made of the title')
    return {
      type: 'product',
      id: this.id,
      relationships: { parent: { data: null }, ...filesOf(this.images) },
      attributes: {
        ...this.shared,
        name: first.text('title'),
        ...(isSlug && { slug: handle }),
        external_ref: handle,
        description: first.raw('body') || null,
        seo_title: first.text('seoTitle') || null,
        seo_description: first.text('seoDescription') || null,
        manufacturer_part_num: codeOf(first, 'mpn') || null,
        ...attributes,
      },
    }
  }

  private valuesOf(row: ShopifyRow): string[] {
    return this.optionNames.map((name, at) => {
      const value = row.text(optionFields[at]?.[1] ?? 'option1Value')
      if (value === '') throw new WrongCell(`row ${row.line} has no value of the option ${name}`)
      return value
    })
  }

  private optionValues(at: number): string[] {
    return [...new Set(this.variants.map(({ values }) => values[at] ?? ''))]
  }

  private valueId(name: string, value: string): string {
    return shopifyId('value', this.handle, name, value)
  }

  private imagesOf(): { src: string; alt: string }[] {
    const found = this.rows.flatMap((row, index) => {
      const src = row.text('imageSrc')
      const position = Number(row.text('imagePosition') || index + 1)
      return src === '' ? [] : [{ src, alt: row.text('imageAlt'), position }]
    })
    found.sort((left, right) => left.position - right.position)
    const distinct = found.filter(({ src }, index) => found.findIndex((one) => one.src === src) === index)
    for (const _ of distinct.slice(PRODUCT_FILES_MAX))
      this.leftOut.add(`images of a product beyond ${PRODUCT_FILES_MAX}`)
    return distinct.slice(0, PRODUCT_FILES_MAX)
  }

  private status(): 'live' | 'draft' {
    const given = this.first.text('status').toLowerCase()
    const status = Object.hasOwn(statuses, given) ? statuses[given] : undefined
    if (!status) throw new WrongCell(`Status must be active, draft, archived or unlisted, and is ${given}`)
    return flagOf(this.first, 'published', 'Published') === false ? 'draft' : status
  }

  private tags(): string[] {
    const given = this.first
      .text('tags')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '')
    for (const _ of given.slice(PRODUCT_TAGS_MAX)) this.leftOut.add(`tags of a product beyond ${PRODUCT_TAGS_MAX}`)
    return given.slice(0, PRODUCT_TAGS_MAX)
  }

  private extensions(metafields: JsonObject, more: JsonObject, images: Product['images']): JsonObject | null {
    const texts = { vendor: 'vendor', product_type: 'type', product_category: 'category' } as const
    const shopify = {
      ...Object.fromEntries(
        Object.entries(texts).flatMap(([name, field]) => {
          const text = this.first.text(field)
          return text === '' ? [] : [[name, text]]
        }),
      ),
      ...more,
      ...(images.length > 0 && { images: images.map(({ src }) => src) }),
    }
    const all = { ...(Object.keys(shopify).length > 0 && { shopify }), ...metafields }
    return Object.keys(all).length > 0 ? all : null
  }
}

/** Files by ids that are made of their addresses, which stand in `extensions.shopify.images` in the same order. */
function filesOf(images: readonly { readonly src: string; readonly alt: string }[]): JsonObject {
  const files = images.map(({ src, alt }) => ({ type: 'file', id: shopifyId('image', src), alt: alt || null }))
  const [main] = files
  return { files: { data: files }, main_image: { data: main ? { type: 'main_image', id: main.id } : null } }
}

function commodityOf(row: ShopifyRow, first: ShopifyRow): 'physical' | 'digital' {
  const isGiftCard = flagOf(first, 'giftCard', 'Gift Card') === true
  return isGiftCard || flagOf(row, 'requiresShipping', 'Requires Shipping') === false ? 'digital' : 'physical'
}

function gramsOf(row: ShopifyRow): JsonObject {
  const text = row.text('grams')
  if (text === '') return {}
  if (!/^\d+(\.\d+)?$/.test(text)) throw new WrongCell(`Grams must be a number such as 250, and is ${text}`)
  return { grams: Number(text) }
}

function flagOf(row: ShopifyRow, field: Field, name: string): boolean | undefined {
  const text = row.text(field)
  if (text === '') return undefined
  const read = readFlag(text)
  if ('value' in read) return read.value
  throw new WrongCell(`${name} ${read.message}, and is ${text}`)
}

function codeOf(row: ShopifyRow, field: Field): string {
  const read = readText(row.raw(field))
  if ('value' in read) return read.value
  throw new WrongCell(`${row.raw(field)} ${read.message}`)
}
