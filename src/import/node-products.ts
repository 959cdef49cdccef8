/** Products that a node lists and that this import refused: the node is taken without them. */
import { DomainError, type Path, type Violation } from '../domain/input/errors.ts'
import { isObject, type JsonObject } from '../lib/json-object.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import type { ImportObject } from './batch.ts'
import type { Outcome } from './outcome.ts'
import type { GivenRow } from './parsed-object.ts'
import { findStored, keyOf, type RefusedProducts } from './refused-products.ts'

/** The lists of a node that name products, each by the member that holds it. */
const lists = [
  ['relationships', 'products', 'data'],
  ['attributes', 'curated_products'],
] as const

interface Entry {
  readonly path: Path
  readonly keys: readonly string[]
}

/** What is written of an object. */
type Written = Pick<ImportObject, 'type' | 'data' | 'row'>

/**
 * Writes an object by `write`. A node is written without the products that this import refused before and that are not
 * stored; the outcome says which. Where it names others that are not there it stays whole, so that it is refused. One
 * statement for a node that lists a refused product.
 */
export async function writeWithoutRefused(
  tx: Transaction,
  object: Written,
  refused: RefusedProducts,
  write: (data: JsonObject, row: GivenRow | undefined) => Promise<Outcome>,
): Promise<Outcome> {
  const { type, data, row } = object
  const entries = type === 'node' && !refused.isEmpty ? entriesOf(data, row !== undefined) : []
  if (!entries.some(({ keys }) => refused.placeOf(keys) !== undefined)) return write(data, row)
  const stored = await findStored(
    tx,
    entries.flatMap(({ keys }) => keys),
  )
  const missing = entries.filter(({ keys }) => !keys.some((key) => stored.has(key)))
  const lacking = missing.flatMap(({ path, keys }): Violation[] => {
    const place = refused.placeOf(keys)
    const name = keys[0]?.replace(/^\w+ /, '')
    const message = `names product ${name}, which was refused (${place}): the node is taken without it`
    return place === undefined ? [] : [{ code: 'NOT_FOUND', path, message }]
  })
  if (lacking.length === 0 || lacking.length < missing.length) return write(data, row)
  const left = new Set(missing.map(({ path }) => JSON.stringify(path)))
  const without = (given: object): JsonObject =>
    lists.reduce((rest: JsonObject, list) => withoutEntries(rest, list, left), given as JsonObject)
  try {
    const outcome = await write(without(data), row && { ...row, dataFor: (stored) => without(row.dataFor(stored)) })
    return outcome.kind === 'refused' ? outcome : { ...outcome, lacking }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    throw new DomainError(
      error.kind,
      error.violations.map((violation) => ({ ...violation, path: pathBefore(violation.path, left) })),
    )
  }
}

function entriesOf(data: JsonObject, isRow: boolean): Entry[] {
  return lists.flatMap((path) => {
    const list = at(data, path)
    return Array.isArray(list)
      ? list.map((entry, index) => ({ path: [...path, index], keys: keysOf(entry, isRow) }))
      : []
  })
}

/** The keys that an entry may mean; a text in a row is a SKU or an id. */
function keysOf(entry: unknown, isRow: boolean): string[] {
  if (!isObject(entry)) return [...keyOf('id', entry), ...(isRow ? keyOf('sku', entry) : [])]
  return entry.id == null ? keyOf('ref', entry.external_ref) : keyOf('id', entry.id)
}

function at(data: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (isObject(value) ? value[name] : undefined), data)
}

/** The object without the entries of one list whose paths are in `left`. */
function withoutEntries(
  data: JsonObject,
  [name, ...rest]: readonly string[],
  left: ReadonlySet<string>,
  path: Path = [],
): JsonObject {
  const own = [...path, name ?? '']
  const value = data[name ?? '']
  if (Array.isArray(value))
    return { ...data, [name ?? '']: value.filter((_, index) => !left.has(JSON.stringify([...own, index]))) }
  return isObject(value) ? { ...data, [name ?? '']: withoutEntries(value, rest, left, own) } : data
}

/** The path as it was before entries were left out. */
function pathBefore(path: Path, left: ReadonlySet<string>): Path {
  const place = path.findIndex((step) => typeof step === 'number')
  const list = path.slice(0, place)
  let index = path[place]
  if (typeof index !== 'number') return path
  for (let before = 0; before <= index; before++) if (left.has(JSON.stringify([...list, before]))) index++
  return [...list, index, ...path.slice(place + 1)]
}
