/**
 * Keys of the objects of a file: by which keys later objects may name one, and which keys one names
 * (job.check-equals-import). Both are texts with what they are before them.
 */
import { isUuid } from '../domain/input/formats.ts'
import type { ImportObject } from './batch.ts'

interface Data {
  readonly id?: unknown
  readonly attributes?: Readonly<Partial<Record<'sku' | 'external_ref' | 'name' | 'kind' | 'key', unknown>>> | null
  readonly relationships?: { readonly parent?: { readonly data?: unknown } | null } | null
}

/** The keys that an object gives, by which another one finds its record or is in conflict with it. */
export function keysOf({ type, data, row }: ImportObject): string[] {
  const { id, attributes, relationships } = data as Data
  const { sku, external_ref: externalRef, name, kind, key } = attributes ?? {}
  const parent = relationships?.parent?.data
  // Siblings alone must differ in names and slugs.
  const beside = type === 'node' ? JSON.stringify(row ? above(String(parent)) : parent) : ''
  const named = ([kind, value]: readonly [string, unknown]) =>
    typeof value === 'string' ? [`${kind} ${value.toLowerCase()}`] : []
  return [
    ...named(['id', id]),
    ...named([type === 'product-price' ? 'price ref' : 'ref', externalRef]),
    ...named([`sku ${type}`, sku]),
    ...(namedTypes.has(type) ? named([`name ${type} ${beside}`, name]) : []),
    ...(type === 'label' ? named([`label ${kind}`, key]) : []),
    ...(row && type === 'node' ? named(['path', parent]) : []),
    ...valuesOf(data).flatMap(([member, value]) => (member === 'slug' ? named([`slug ${type} ${beside}`, value]) : [])),
  ]
}

/** The types whose records may be found by their names, or must differ in them. */
const namedTypes: ReadonlySet<string> = new Set(['pricebook', 'price-modifier', 'hierarchy', 'node'])

/** All keys that an object names: its own and those that it refers to. */
export function namedKeys(object: ImportObject): string[] {
  const { type, data, row } = object
  const path = row && type === 'node' ? (data as Data).relationships?.parent?.data : undefined
  return [
    ...keysOf(object),
    ...valuesOf(data).flatMap(([member, value]) => {
      if (isUuid(value)) return [`id ${value.toLowerCase()}`]
      return member.endsWith('external_ref') ? [`ref ${value.toLowerCase()}`] : []
    }),
    ...(typeof path === 'string' ? pathsTo(path.toLowerCase()) : []),
  ]
}

/** The paths of the nodes above a node. */
function pathsTo(path: string): string[] {
  const slugs = path.split('/')
  return slugs.slice(1).map((_, at) => `path ${slugs.slice(0, at + 1).join('/')}`)
}

function above(path: string): string {
  return path.slice(0, path.lastIndexOf('/')).toLowerCase()
}

/** The texts in a value, each with the name of the member or list that has it. */
function valuesOf(value: unknown, member = ''): (readonly [string, string])[] {
  if (typeof value === 'string') return [[member, value]]
  if (Array.isArray(value)) return value.flatMap((entry) => valuesOf(entry, member))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, entry]) => valuesOf(entry, name))
}
