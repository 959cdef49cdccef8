/**
 * Unknown members of imported objects (input.unknown-members-refused): refused, or with --ignore-unknown left out and
 * counted.
 */
import { releaseDocument } from '../domain/catalog/documents.ts'
import { envelopeOf, serverSet } from '../domain/input/document.ts'
import type { Path, Violation } from '../domain/input/errors.ts'
import { unknownMembers } from '../domain/input/unknown-members.ts'
import { priceDocument } from '../domain/pricing/documents.ts'
import { recordTypes } from './record-types.ts'

const records = Object.entries(recordTypes).map(([type, { document }]) => [type, document] as const)
const documents = [...records, ['product-price', priceDocument] as const, ['catalog-release', releaseDocument] as const]
const schemas = new Map(documents.map(([type, document]) => [type, envelopeOf(document, { 'refused?': serverSet })]))

/** Unknown members of an object of a known type, with paths from the object on. */
export function unknownIn(type: string, object: object): Violation[] {
  const schema = schemas.get(type)
  return schema ? unknownMembers(schema, object) : []
}

/**
 * Members of one kind that were ignored, by their names, without the keys and indexes on their way: `product
 * data.attributes.colour`.
 */
export type IgnoredCounts = ReadonlyMap<string, number>

/** Names that are counted apart; further ones are counted together, so that the memory of an import is bounded. */
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
  for (const name of names) {
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
