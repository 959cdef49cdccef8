/**
 * Products of Shopify's CSV as objects of the import (import.from-shopify); README.md beside it has the same as a
 * table.
 */
import { segmentTexts, type Violation } from '../../domain/input/errors.ts'
import { PRODUCT_TAGS_MAX } from '../../domain/input/limits.ts'
import { distinctParts } from '../../domain/input/slug.ts'
import type { JsonObject } from '../../lib/json-object.ts'
import type { LeftOut } from './left-out.ts'
import { codeOf, commodityOf, gramsOf, statusOf, WrongCell } from './shopify-cells.ts'
import type { Field } from './shopify-columns.ts'
import { shopifyId } from './shopify-id.ts'
import { filesOf, imagesOf, type ShopifyImage, variantImage } from './shopify-images.ts'
import { productField } from './shopify-places.ts'
import type { ShopifyRow } from './shopify-rows.ts'

/** A row that gives a variant, with its values of the product's options. */
export interface Variant {
  readonly row: ShopifyRow
  readonly values: readonly string[]
}

const optionFields = [
  ['option1Name', 'option1Value'],
  ['option2Name', 'option2Value'],
  ['option3Name', 'option3Value'],
] as const

/** What Shopify calls the only variant of a product without options. */
const NO_OPTION = 'Default Title'

/** The rows of one product. Throws WrongCell where it is made, and by its functions. */
export class ShopifyProduct {
  readonly variants: readonly Variant[]
  /** Whether it has no options, so that it is a product without children. */
  readonly isPlain: boolean
  private readonly first: ShopifyRow
  private readonly handle: string
  private readonly id: string
  /** Its options, and the fields of their names and values. */
  private readonly options: readonly { readonly name: string; readonly nameField: Field; readonly field: Field }[]
  private readonly images: readonly ShopifyImage[]
  private readonly shared: JsonObject
  /** Parts of SKUs by the values of each option; undefined until one is needed. */
  private parts: readonly ReadonlyMap<string, string>[] | undefined

  constructor(
    rows: readonly [ShopifyRow, ...ShopifyRow[]],
    private readonly leftOut: LeftOut,
  ) {
    const [first] = rows
    this.first = first
    this.handle = first.text('handle')
    this.id = shopifyId('product', this.handle)
    const given = rows.filter((row) => row.isVariant)
    const named = optionFields.flatMap(([nameField, field]) => {
      const name = first.text(nameField)
      return name === '' ? [] : [{ name, nameField, field }]
    })
    const hasOptions = named.length > 1 || (named.length === 1 && given[0]?.text('option1Value') !== NO_OPTION)
    this.isPlain = given.length <= 1 && !hasOptions
    this.options = this.isPlain ? [] : named
    if (!this.isPlain && named.length === 0)
      throw new WrongCell('has several variants, and no Option1 Name by which they differ')
    if (new Set(named.map(({ name }) => name)).size < named.length) throw new WrongCell('has two options of one name')
    const rowsOfVariants = this.isPlain && given.length === 0 ? [first] : given
    this.variants = rowsOfVariants.map((row) => ({ row, values: this.valuesOf(row) }))
    this.images = imagesOf(rows, leftOut)
    this.shared = { status: statusOf(first), tags: this.tags() }
  }

  /** The parent of its variants. */
  parent(): JsonObject {
    const kinds = new Set(this.variants.map(({ row }) => commodityOf(row, this.first)))
    return this.whole({
      sku: null,
      upc_ean: null,
      commodity_type: kinds.size === 1 ? [...kinds][0] : 'physical',
      extensions: this.extensions(this.first.metafields('product'), {}, this.images),
      variations: this.options.map(({ name }, at) => ({
        id: shopifyId('option', this.handle, name),
        name,
        sort_order: -at,
        options: this.valuesAt(at).map((value, index) => ({
          id: this.valueId(name, value),
          name: value,
          sort_order: -index,
        })),
      })),
    })
  }

  /** The product of its only variant. */
  plain({ row }: Variant, sku: string): JsonObject {
    const [ofProduct, ofVariant] = [this.first.metafields('product'), row.metafields('variant')]
    const templates = [...new Set([...Object.keys(ofProduct), ...Object.keys(ofVariant)])]
    const metafields = templates.map((one) => [one, { ...ofProduct[one], ...ofVariant[one] }] as const)
    return this.whole({
      ...codesOf(row, sku),
      commodity_type: commodityOf(row, this.first),
      extensions: this.extensions(Object.fromEntries(metafields), gramsIn(row), this.images),
      variations: null,
    })
  }

  /** A variant as a child. */
  child({ row, values }: Variant, sku: string): JsonObject {
    const images = variantImage(row, this.images)
    return {
      type: 'product',
      id: shopifyId('variant', this.handle, ...values),
      relationships: { parent: { data: { type: 'product', id: this.id } }, ...filesOf(images) },
      attributes: {
        ...this.shared,
        ...codesOf(row, sku),
        name: `${this.first.text('title')}, ${values.join(' / ')}`,
        commodity_type: commodityOf(row, this.first),
        extensions: this.extensions(row.metafields('variant'), gramsIn(row), images),
        option_ids: values.map((value, at) => this.valueId(this.options[at]?.name ?? '', value)),
      },
    }
  }

  /** The SKU of a variant; one that has none gets one of the handle and its options. */
  skuOf({ row, values }: Variant): string {
    const sku = codeOf(row, 'sku')
    if (sku !== '') return sku
    this.leftOut.add('Variant SKU that is empty, so that one is made of the handle')
    this.parts ??= this.options.map((_, at) => {
      const all = this.valuesAt(at)
      return new Map(distinctParts(all).map((part, index) => [all[index] ?? '', part]))
    })
    return [this.handle, ...values.map((value, at) => this.parts?.[at]?.get(value) ?? value)].join('-')
  }

  /** A sentence for what is wrong of it, or of the variant of a row, with the cell that says it. */
  describe(row: ShopifyRow, violation: Violation): string {
    const [, member, at = '', part, index] = segmentTexts(violation.path)
    const option = this.options[Number(at || -1)]
    if (member === 'variations' && option) {
      const value = part === 'options' ? this.valuesAt(Number(at))[Number(index)] : undefined
      const owner = this.variants.find(({ values }) => values[Number(at)] === value)?.row
      return owner ? owner.describe(option.field, violation) : this.first.describe(option.nameField, violation)
    }
    const field = productField(violation.path)
    const isOwn = field !== undefined && row.text(field) !== ''
    return (isOwn ? row : this.first).describe(field, violation)
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
    for (const [, field] of optionFields) {
      const value = row.text(field)
      const isTaken = value === '' || value === NO_OPTION || this.options.some((option) => option.field === field)
      if (!isTaken) this.leftOut.add('value of an option without a name')
    }
    return this.options.map(({ name, field }) => {
      const value = row.text(field)
      if (value === '') throw new WrongCell(`must be given: it is the value of the option ${name}`, { row, field })
      return value
    })
  }

  private valuesAt(at: number): string[] {
    return [...new Set(this.variants.map(({ values }) => values[at] ?? ''))]
  }

  private valueId(name: string, value: string): string {
    return shopifyId('value', this.handle, name, value)
  }

  private tags(): string[] {
    const texts = this.first.text('tags').split(',')
    const given = texts.map((tag) => tag.trim()).filter((tag) => tag !== '')
    for (const _ of given.slice(PRODUCT_TAGS_MAX)) this.leftOut.add(`tags of a product beyond ${PRODUCT_TAGS_MAX}`)
    return given.slice(0, PRODUCT_TAGS_MAX)
  }

  private extensions(metafields: JsonObject, more: JsonObject, images: readonly ShopifyImage[]): JsonObject | null {
    const { first } = this
    const texts = {
      vendor: first.text('vendor'),
      product_type: first.text('type'),
      product_category: first.text('category'),
    }
    const shopify = {
      ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')),
      ...more,
      ...(images.length > 0 && { images: images.map(({ address }) => address) }),
    }
    const all = { ...(Object.keys(shopify).length > 0 && { shopify }), ...metafields }
    return Object.keys(all).length > 0 ? all : null
  }
}

function codesOf(row: ShopifyRow, sku: string): JsonObject {
  return { sku, upc_ean: codeOf(row, 'barcode') || null }
}

function gramsIn(row: ShopifyRow): JsonObject {
  const grams = gramsOf(row)
  return grams === undefined ? {} : { grams }
}
