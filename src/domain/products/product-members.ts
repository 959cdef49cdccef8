/** Members of products that are read in their own way: tags, and the main image, a file of another service. */
import type { InputReader } from '../input/input-reader.ts'
import * as schema from '../input/json-schema.ts'
import { PRODUCT_TAGS_MAX, TAG_MAX } from '../input/limits.ts'
import { wholePlain } from '../input/whole-member.ts'
import { fileSchema, readFileId } from './product-file.ts'

const { list, nullable } = schema

/** In lower case, each once, in the order given. */
export const tags = wholePlain<readonly string[]>([], {
  max: PRODUCT_TAGS_MAX,
  schema: nullable(list(schema.text({ min: 1, max: TAG_MAX }), PRODUCT_TAGS_MAX)),
  read: readTags,
})

export const mainImageId = wholePlain<string | null>(null, {
  restName: 'main_image',
  at: 'relationships',
  schema: nullable(fileSchema(['main_image', 'file'])),
  read: readMainImage,
})

/** Tags in lower case, each once (product.tags-in-lower-case). */
function readTags(attributes: InputReader): string[] | null | undefined {
  const rule = { required: true, min: 1, max: TAG_MAX, format: tag, isName: true }
  const given = attributes.list('tags', (entries, index) => entries.text(index, rule)?.toLowerCase() ?? '', {
    nullable: true,
    max: PRODUCT_TAGS_MAX,
  })
  return given && [...new Set(given)]
}

/** Checks a tag. HTML allows no control characters, and clients join tags with commas. */
function tag(text: string): string | undefined {
  return /[,\p{Cc}]/u.test(text) ? 'must not hold a comma or a control character' : undefined
}

function readMainImage(relationship: InputReader): string | null | undefined {
  return relationship.raw('data', { nullable: true }) === null
    ? null
    : readFileId(relationship, 'data', ['main_image', 'file']).id
}
