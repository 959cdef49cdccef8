/** Prices that differ between two releases only from a later instant on, as those of a sale that has not begun. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { graphql, useGraph } from './graph.ts'
import { Time } from './parts.tsx'

const Spans = graphql(`
  fragment Spans on Release {
    products(first: 100, filter: { id: { in: $ids } }) {
      nodes {
        slug
        priceTimeline(from: $now, to: $end, currency: $currency) { from to price { amount { formatted } } }
      }
    }
  }
`)

const Later = graphql(
  `
  query LaterPrices(
    $catalog: ID!
    $from: ID!
    $to: ID!
    $isDraft: Boolean!
    $ids: [ID!]!
    $now: DateTime!
    $end: DateTime!
    $currency: CurrencyCode
  ) {
    catalog(id: $catalog) {
      base: release(id: $from) { id ...Spans }
      draft @include(if: $isDraft) { id ...Spans }
      release(id: $to) @skip(if: $isDraft) { id ...Spans }
    }
  }
`,
  [Spans],
)

const DAY = 86_400_000

/** Two releases, and the products whose price differs only later. */
export interface LaterQuery {
  readonly catalog: string
  readonly from: string
  readonly to: string
  readonly ids: readonly string[]
  readonly currency: string | null
  /** The instant that is shown; null for now. */
  readonly at: string | null
}

interface Span {
  readonly from: string
  readonly to: string
  readonly price: { readonly amount: { readonly formatted: string } } | null
}

/** Per slug the first price that differs in the year from then on: `$12.50 → $10.00 from Dec 4`; by one query. */
export function useLaterPrices({ ids, at, ...query }: LaterQuery): ReadonlyMap<string, JSX.Element> {
  // From a whole day where it is now, so that the same view sends the same query.
  const start = at === null ? Math.floor(Date.now() / DAY) * DAY : Date.parse(at)
  const [now, end] = [start, start + 366 * DAY].map((instant) => new Date(instant).toISOString()) as [string, string]
  const variables = { ...query, isDraft: query.to === 'draft', ids: [...ids], now, end }
  const catalog = useGraph(Later, variables, ids.length === 0).data?.catalog
  return useMemo(() => {
    const before = new Map((catalog?.base?.products.nodes ?? []).map((one) => [one.slug, one.priceTimeline]))
    const after = (catalog?.draft ?? catalog?.release)?.products.nodes ?? []
    return new Map(
      after.flatMap(({ slug, priceTimeline }) => {
        const change = slug && firstChange(before.get(slug) ?? [], priceTimeline)
        return slug && change ? [[slug, change] as const] : []
      }),
    )
  }, [catalog])
}

const amountAt = (spans: readonly Span[], instant: string): string =>
  spans.find(({ from, to }) => from <= instant && instant < to)?.price?.amount.formatted ?? 'none'

/** The first instant at which two timelines differ. */
function firstChange(before: readonly Span[], after: readonly Span[]): JSX.Element | null {
  const instants = [...before, ...after].map(({ from }) => from).sort()
  const at = instants.find((instant) => amountAt(before, instant) !== amountAt(after, instant))
  if (at === undefined) return null
  return (
    <>
      {amountAt(before, at)} → <b>{amountAt(after, at)}</b> from <Time at={at} />
    </>
  )
}
