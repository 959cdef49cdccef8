/** Product input: a catalog product as clients write it (language.best-accepted-tag, product.slug-from-name). */
import { slug, uuid } from '../input/formats.ts'
import { type InputReader, isObject } from '../input/input-reader.ts'
import {
  EXTERNAL_REF_MAX,
  FREE_NAME_MAX,
  PRODUCT_CODE_MAX,
  PRODUCT_DESCRIPTION_MAX,
  PRODUCT_FILES_MAX,
  PRODUCT_TAGS_MAX,
  SKU_MAX,
  TAG_MAX,
  VARIATIONS_MAX,
} from '../input/limits.ts'
import { readReference, recordReaders } from '../input/record.ts'
import { readLocales } from '../language/locale.ts'
import { readBuildRules, readOptionId } from './build-rules.ts'
import { readComponents } from './component-input.ts'
import { readCustomInputs } from './custom-input.ts'
import { readExtensions } from './extension.ts'
import { commodityTypes, productStatuses } from './product.ts'
import type { FileInput, ProductPatch } from './product-patch.ts'
import { readVariations } from './variation.ts'

/** Readers of a product's `data`: `{ id?, type: 'product', attributes, relationships? }`. */
export const { readNew: readProduct, readUpdate: readProductUpdate } = recordReaders('product', readPatch)

/**
 * The fields of a listing in its order, then those that only this server has. Fields that the server computes, such as `base_product`,
 * have no effect (input.server-members-accepted).
 */
function readPatch(attributes: InputReader, { create }: { create: boolean }, reader: InputReader): ProductPatch {
  const read = {
    name: attributes.text('name', { required: create, min: 1, max: FREE_NAME_MAX, isName: true }) ?? undefined,
    description: attributes.text('description', { nullable: true, max: PRODUCT_DESCRIPTION_MAX }),
    sku: attributes.text('sku', { nullable: true, min: 1, max: SKU_MAX, isName: true }),
    slug: attributes.text('slug', { nullable: true, min: 1, max: FREE_NAME_MAX, format: slug }),
    status: attributes.oneOf('status', productStatuses) ?? undefined,
    commodityType: attributes.oneOf('commodity_type', commodityTypes, { nullable: true }),
    upcEan: attributes.text('upc_ean', { nullable: true, max: PRODUCT_CODE_MAX }),
    manufacturerPartNum: readPartNumber(attributes),
    tags: readTags(attributes),
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
    components: readComponents(attributes),
    customInputs: readCustomInputs(attributes),
    extensions: readExtensions(attributes),
    variations: readVariations(attributes),
    buildRules: readBuildRules(attributes),
    optionIds: attributes.list('option_ids', readOptionId, { nullable: true, max: VARIATIONS_MAX }),
    locales: readLocales(attributes),
  }
  const relationships = reader.object('relationships', { nullable: true })
  const related = <T>(name: string, readLink: (relationship: InputReader) => T): T | null | undefined => {
    const relationship = relationships?.object(name, { nullable: true })
    return relationship ? readLink(relationship) : relationship
  }
  return {
    ...read,
    parent: related('parent', (parent) => readReference(parent, 'data', ['product'], { nullable: true })),
    files: related('files', readFiles),
    mainImageId: related('main_image', readMainImage),
  }
}

/** `mpn` is an alias of `manufacturer_part_num` (product.mpn-is-an-alias). */
function readPartNumber(attributes: InputReader): string | null | undefined {
  const rule = { nullable: true, max: PRODUCT_CODE_MAX }
  const number = attributes.text('manufacturer_part_num', rule)
  return number === undefined ? attributes.text('mpn', rule) : number
}

/** Tags in lower case, each once (product.tags-in-lower-case). */
function readTags(attributes: InputReader): string[] | null | undefined {
  const rule = { required: true, min: 1, max: TAG_MAX, format: tag, isName: true }
  const tags = attributes.list('tags', (entries, index) => entries.text(index, rule)?.toLowerCase() ?? '', {
    nullable: true,
    max: PRODUCT_TAGS_MAX,
  })
  return tags && [...new Set(tags)]
}

/** Checks a tag. HTML has no control characters, and clients join tags with commas. */
function tag(text: string): string | undefined {
  return /[,\p{Cc}]/u.test(text) ? 'must not hold a comma or a control character' : undefined
}

/** Files without repetitions of one id; the last of them counts. */
function readFiles(relationship: InputReader): FileInput[] | null | undefined {
  const files = relationship.list('data', readFile, { nullable: true, max: PRODUCT_FILES_MAX })
  return files && [...new Map(files.map((file) => [file.id, file])).values()]
}

function readFile(files: InputReader, index: number): FileInput {
  const { id, reader } = readFileId(files, index, ['file'])
  return { id: id ?? '', createdAt: reader?.instant('created_at', { nullable: true }) ?? undefined }
}

function readMainImage(relationship: InputReader): string | null | undefined {
  return relationship.raw('data', { nullable: true }) === null ? null : readFileId(relationship, 'data', ['main_image', 'file']).id
}

/**
 * Reads a file's id, given alone or in `{ type?, id }`; `reader` reads that object. Files belong to another service, so nothing checks
 * that they exist.
 */
function readFileId(from: InputReader, name: string | number, types: readonly string[]): { id: string | undefined; reader?: InputReader } {
  if (!isObject(from.raw(name, { nullable: true }))) return { id: from.text(name, { format: uuid })?.toLowerCase() }
  const reader = from.object(name)
  reader?.oneOf('type', types)
  const id = reader?.text('id', { required: true, format: uuid })?.toLowerCase()
  return reader ? { id, reader } : { id }
}
