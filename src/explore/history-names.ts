/** The names of records that the history holds by their ids. */
import { type DocumentInput, gql } from '@urql/core'
import { firstNames } from './account-names.tsx'
import { graphql, useGraph } from './graph.ts'

/** JSON, as an entry has it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [member: string]: Json | undefined
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The fields of the graph that find a record, by the member that has its id; some are of one of two kinds. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  accountId: ['account'],
  accountIds: ['account'],
  attachedProductIds: ['product'],
  bundleIds: ['product'],
  carriedInto: ['release'],
  catalogId: ['catalog'],
  curatedProductIds: ['product'],
  detachedProductIds: ['product'],
  former: ['release'],
  from: ['release'],
  hierarchyId: ['hierarchy'],
  hierarchyIds: ['hierarchy'],
  hierarchy_id: ['hierarchy'],
  nodeId: ['hierarchyNode'],
  offeringId: ['offering'],
  options: ['product'],
  parentId: ['product', 'hierarchyNode', 'hierarchy'],
  planId: ['plan'],
  planIds: ['plan'],
  priceBookId: ['priceBook'],
  priceBooks: ['priceBook'],
  price_book_id: ['priceBook'],
  // Of a carry a product, of an offering and its subscriptions one that is subscribed to.
  productId: ['product', 'subscriptionProduct'],
  productIds: ['subscriptionProduct'],
  releaseId: ['release'],
  release_id: ['release'],
}

/** Whether a member, or the `id` of what it lists, names another record. */
export const namesRecord = (member: string): boolean => Object.hasOwn(fieldsOf, member)

const selections: Readonly<Record<string, string>> = {
  account: '{ subscriptions(first: 25) { nodes { subscriber { name } } } }',
  product: '{ name variations { options { key name } } }',
  release: '{ sequence catalog { name } }',
}

interface Found {
  readonly name?: string
  readonly sequence?: number
  readonly catalog?: { readonly name: string }
  readonly subscriptions?: { readonly nodes: readonly { readonly subscriber: { readonly name: string } }[] }
  readonly variations?: readonly { readonly options: readonly { readonly key: string; readonly name: string }[] }[]
}

interface Wanted {
  readonly field: string
  readonly id: string
}

/** Ids of one query, within the limits of the graph. */
const IDS_MAX = 100

/** The ids of other records in a value. */
function gather(value: Json | undefined, member: string, wanted: Map<string, Wanted>): void {
  if (typeof value === 'string' && UUID.test(value))
    for (const field of fieldsOf[member] ?? []) wanted.set(`${field} ${value}`, { field, id: value })
  if (Array.isArray(value)) for (const one of value) gather(one, member, wanted)
  if (!isObject(value)) return
  for (const [key, one] of Object.entries(value))
    if (key !== 'id') gather(one, key, wanted)
    else if (value.name === undefined) gather(one, member, wanted)
}

/** The names that stand in a value beside their ids, such as those of options. */
function namesIn(value: Json | undefined): (readonly [string, string])[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (!isObject(value)) return []
  const { id, name } = value
  const own = typeof id === 'string' && typeof name === 'string' ? [[id, name] as const] : []
  return [...own, ...Object.values(value).flatMap(namesIn)]
}

/** The query for the names; the fields differ with what is wanted. */
function queryFor(wanted: readonly Wanted[]): DocumentInput<Record<string, Found | null>, Record<string, string>> {
  const variables = wanted.map((_, index) => `$id${index}: ID!`)
  const fields = wanted.map(
    ({ field }, index) => `name${index}: ${field}(id: $id${index}) ${selections[field] ?? '{ name }'}`,
  )
  return gql(`query NamesOf(${variables.join(', ')}) { ${fields.join(' ')} }`)
}

const Nothing = graphql('query NoNames { __typename }')

/** The names by raw id of what the values name; those that are loading, or gone, are missing. */
export function useNames(
  values: Readonly<Record<string, Json | undefined>>,
  records: readonly JsonObject[],
): ReadonlyMap<string, string> {
  const all = new Map<string, Wanted>()
  for (const [member, value] of Object.entries(values)) gather(value, member, all)
  const names = new Map(records.flatMap(namesIn))
  const wanted = [...all.values()].filter(({ id }) => !names.has(id)).slice(0, IDS_MAX)
  const isNone = wanted.length === 0
  const query = isNone ? (Nothing as unknown as ReturnType<typeof queryFor>) : queryFor(wanted)
  const ids = Object.fromEntries(wanted.map(({ id }, index) => [`id${index}`, id]))
  const { data } = useGraph(query, ids, isNone)
  for (const [index, { id }] of wanted.entries()) {
    const found = data?.[`name${index}`]
    const name = found && nameOf(found)
    if (name) names.set(id, name)
    for (const { options } of found?.variations ?? []) for (const { key, name } of options) names.set(key, name)
  }
  return names
}

function nameOf({ name, sequence, catalog, subscriptions }: Found): string | undefined {
  if (subscriptions) return firstNames(subscriptions.nodes.map(({ subscriber }) => subscriber.name))
  return sequence === undefined ? name : `no. ${sequence} of ${catalog?.name}`
}
