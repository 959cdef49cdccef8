/**
 * Unknown members of imported objects (input.unknown-members-refused): refused, or with --ignore-unknown left out and
 * counted.
 */
import { releaseDocument } from '../domain/catalog/documents.ts'
import { envelopeOf, serverSet } from '../domain/input/document.ts'
import type { Path, Violation } from '../domain/input/errors.ts'
import type { Schema } from '../domain/input/json-schema.ts'
import { recordSchema } from '../domain/input/record-schema.ts'
import { toStorable } from '../domain/input/text.ts'
import { unknownMembers } from '../domain/input/unknown-members.ts'
import { productPriceRecord } from '../domain/pricing/product-price.ts'
import { inBook } from './keys.ts'
import { recordTypes } from './record-types.ts'

/** The members that objects of each type may have in `data`. */
export const documents: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(Object.entries(recordTypes).map(([type, { document }]) => [type, document])),
  'product-price': recordSchema(productPriceRecord, { own: inBook }),
  'catalog-release': releaseDocument,
}
const schemas = new Map(
  Object.entries(documents).map(([type, document]) => [type, envelopeOf(document, { 'refused?': serverSet })]),
)

/** Unknown members of an object of a known type; paths begin at the object. */
export function unknownIn(type: string, object: object): Violation[] {
  const schema = schemas.get(type)
  return schema ? unknownMembers(schema, object) : []
}

/**
 * The number of ignored members by name, such as `product data.attributes.colour`. In names `*` stands for keys and
 * indexes.
 */
export type IgnoredCounts = ReadonlyMap<string, number>

/** Names with a count of their own. Further names share one count, so that the memory of an import is bounded. */
const NAMES_MAX = 1000
const OTHERS = '(others)'

/** The name by which an ignored member is counted. */
export function ignoredName(type: string, path: Path): string {
  return `${type} ${path.map((segment) => (typeof segment === 'string' ? segment : '*')).join('.')}`
}

/** The counts with further names. */
export function countIgnored(counts: IgnoredCounts, names: readonly string[]): IgnoredCounts {
  if (names.length === 0) return counts
  const more = new Map(counts)
  for (const name of names.map(toStorable)) {
    const counted = more.has(name) || more.size < NAMES_MAX ? name : OTHERS
    more.set(counted, (more.get(counted) ?? 0) + 1)
  }
  return more
}

/** A line for each name, in the order in which they were found; undefined when nothing was ignored. */
export function describeIgnored(counts: IgnoredCounts): string | undefined {
  if (counts.size === 0) return undefined
  return ['Ignored unknown members:', ...[...counts].map(([name, count]) => `  ${name}: ${count} times`)].join('\n')
}
