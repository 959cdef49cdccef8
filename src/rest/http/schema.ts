/** JSON Schema of what several paths respond with. */
import {
  currencyCode,
  instant,
  integer,
  list,
  nullable,
  object,
  type Schema,
  text,
  word,
} from '../../domain/input/json-schema.ts'

export const timestamps: Schema = object({ updated_at: instant, created_at: instant }, 'Timestamps')
export const owner: Schema = word('store', 'organization')

const formattedPrice = object({ amount: integer(0), currency: currencyCode, formatted: text() }, 'FormattedPrice')
export const displayPrice: Schema = object({ with_tax: formattedPrice, without_tax: formattedPrice }, 'DisplayPrice')

export const errors: Schema = object(
  { errors: list(object({ title: text(), status: text(), detail: text(), code: text() }, 'Error')) },
  'Errors',
)

const link = text({ format: 'uri-reference' })
const pageLinks = object(
  { self: link, first: link, last: nullable(link), prev: nullable(link), next: nullable(link) },
  'PageLinks',
)
const pageMeta = object(
  {
    results: object({ total: integer(0) }),
    page: object({ limit: integer(1, 100), offset: integer(0, 10_000), current: integer(1), total: integer(0) }),
  },
  'PageMeta',
)

/** A page of a list, as links.ts writes it. */
export function listOf(item: Schema): Schema {
  return object({ meta: pageMeta, data: list(item), links: pageLinks })
}
