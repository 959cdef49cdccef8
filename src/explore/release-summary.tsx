/** What differs between two releases, counted, in one sentence. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { graphql } from './graph.ts'
import { plain } from './parts.tsx'

/** What a summary shows. */
export const Counts = graphql(`
  fragment Counts on ReleaseSummary {
    added
    removed
    changed
    fields
    priceChanges { currency up down added removed }
    nodes { added removed changed moved }
  }
`)

/** Whether nothing differs. */
export function isEmpty({ added, removed, changed, fields, nodes }: FragmentOf<typeof Counts>): boolean {
  const all = [added, removed, changed, nodes.added, nodes.removed, nodes.changed, nodes.moved]
  return fields.length === 0 && all.every((count) => count === 0)
}

/** The counts of products, prices and nodes, and what differs of the catalog itself. */
export function Summary({ of: counts }: { readonly of: FragmentOf<typeof Counts> }): JSX.Element {
  const prices = counts.priceChanges.map(({ currency, up, down }) => `${up} up and ${down} down in ${currency}`)
  if (isEmpty(counts)) return <>Nothing differs.</>
  return (
    <>
      {counts.added} added, {counts.removed} removed, {counts.changed} changed
      {prices.length > 0 && `; prices: ${prices.join(', ')}`}; categories: {counts.nodes.added} added,{' '}
      {counts.nodes.removed} removed, {counts.nodes.changed} changed, {counts.nodes.moved} moved
      {counts.fields.length > 0 && `; catalog: ${counts.fields.map(plain).join(', ')}`}
    </>
  )
}
