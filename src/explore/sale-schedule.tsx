/** The sales of a product that run or come, on a time line with the releases that are scheduled. For administrators. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { Ask } from './ask.tsx'
import { period } from './edit-sales.tsx'
import { graphql, useShopper } from './graph.ts'
import { counted } from './parts.tsx'
import { numberText } from './release-name.tsx'
import { type Row, TimeLine } from './time-line.tsx'

const Scheduled = graphql(`
  fragment Scheduled on ProductPrice {
    id
    priceBook { name }
    sales {
      id
      name
      schedule { validFrom validTo }
      bundleIds
      prices { currency amount { formatted } }
    }
  }
`)

const Schedule = graphql(
  `
  query Schedule(
    $slug: String!
    $currency: CurrencyCode
    $locale: String
    $channel: String
    $tags: [String!]
    $at: DateTime
  ) @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
    storefront {
      scheduledReleases { id sequence name scheduledFor }
      latestRelease {
        product(by: { slug: $slug }) {
          id
          product {
            id
            prices { ...Scheduled }
          }
        }
      }
    }
  }
`,
  [Scheduled],
)

const WEEK = 7 * 86_400_000
const YEAR = 366 * 86_400_000

/** The time line; what was edited counts, also before it is published. Nothing while no sale runs or comes. */
export function SaleSchedule({ slug }: { readonly slug: string }): JSX.Element {
  const { address } = useAddress()
  const now = useMemo(() => (address.at ? Date.parse(address.at) : Date.now()), [address.at])
  return (
    <section class="schedule">
      <Ask query={Schedule} variables={{ slug, ...useShopper() }} link="sales">
        {({ storefront }) => {
          const sales = (storefront?.latestRelease?.product?.product?.prices ?? []).flatMap(salesOf)
          const shown = sales
            .filter(({ to }) => to > now)
            .sort((one, other) => one.from - other.from || one.to - other.to)
          if (shown.length === 0) return null
          const ended = sales.length - shown.length
          const releases = (storefront?.scheduledReleases ?? []).flatMap(({ scheduledFor: at, ...release }) =>
            at ? [{ at, kind: 'ahead' as const, name: `release ${numberText(release)} becomes the latest` }] : [],
          )
          const turns = [...shown.flatMap(({ from, to }) => [from, to]), ...releases.map(({ at }) => Date.parse(at))]
          const mark = {
            at: new Date(now).toISOString(),
            kind: 'now',
            name: address.at ? 'the time shown' : 'now',
          } as const
          return (
            <>
              <h2>Sales that run or come</h2>
              <TimeLine
                label="Sales over time"
                {...timeAround(now, turns)}
                rows={shown.map((sale) => rowOf(sale, now))}
                marks={[mark, ...releases]}
              />
              {ended > 0 && <p class="soft">{counted(ended, 'sale')} ended before.</p>}
            </>
          )
        }}
      </Ask>
    </section>
  )
}

type Priced = FragmentOf<typeof Scheduled>

/** The sales of a price record, with the instants between which they run. */
const salesOf = ({ id, priceBook, sales }: Priced) =>
  sales.map(({ schedule, ...sale }) => ({
    ...{ ...sale, key: `${id} ${sale.id}`, book: priceBook.name },
    ...{ validFrom: schedule?.validFrom ?? null, validTo: schedule?.validTo ?? null },
    ...{ from: instant(schedule?.validFrom, -Infinity), to: instant(schedule?.validTo, Infinity) },
  }))

function rowOf(sale: ReturnType<typeof salesOf>[number], now: number): Row {
  const { key, name, book, bundleIds, prices, from, to } = sale
  return {
    key,
    name: (
      <>
        <bdi>
          <b>{name}</b>
        </bdi>{' '}
        {prices.flatMap(({ amount }) => amount?.formatted ?? []).join(', ')}
        <div class="soft">
          {from > now ? 'comes' : 'runs'} {period(sale.validFrom, sale.validTo)}, in {book}
          {bundleIds.length > 0 && `, inside ${counted(bundleIds.length, 'bundle')} alone`}
        </div>
      </>
    ),
    bands: [{ from, to, isAhead: from > now, title: name }],
  }
}

const instant = (at: string | null | undefined, open: number): number => (at ? Date.parse(at) : open)

/**
 * The time that shows what turns within a year, or, when nothing does, all that turns: so that the next days are not a
 * hair beside a sale that lasts for decades.
 */
function timeAround(now: number, turns: readonly number[]): { from: number; to: number } {
  const ahead = turns.filter((at) => at > now && at < Infinity)
  const soon = ahead.filter((at) => at < now + YEAR)
  const reach = Math.max(WEEK, ...(soon.length > 0 ? soon : ahead).map((at) => at - now))
  const earliest = Math.min(now - reach / 10, ...turns.filter((at) => at > -Infinity))
  return { from: Math.max(earliest, now - reach / 2), to: now + reach * 1.1 }
}
