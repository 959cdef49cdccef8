/** Price history: a price over time as a chart and a table. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { Ask } from './ask.tsx'
import { PriceChart } from './chart.tsx'
import { graphql, useQuantity, useShopper } from './graph.ts'
import { Paid, PriceTag, Time } from './parts.tsx'
import { useRole } from './session.tsx'
import { Table } from './table.tsx'

const Timeline = graphql(
  `
  query Timeline(
    $slug: String!
    $from: DateTime!
    $to: DateTime
    $quantity: Long
    $currency: CurrencyCode
    $locale: String
    $channel: String
    $tags: [String!]
    $at: DateTime
  ) @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
    storefront {
      latestRelease {
        product(by: { slug: $slug }) {
          id
          priceTimeline(from: $from, to: $to, quantity: $quantity) {
            from
            to
            price {
              ...Paid
              amount { amount currency fractionDigits formatted }
              list { amount { amount } }
              tiers { name minimumQuantity price { amount formatted } }
            }
          }
        }
      }
    }
  }
`,
  [Paid],
)

const DAY = 86_400_000
const periods: Readonly<Record<string, { readonly label: string; readonly days: number }>> = {
  '': { label: 'What changes', days: 3 * 365 },
  month: { label: '1 month', days: 30 },
  year: { label: '1 year', days: 365 },
  three: { label: '3 years', days: 3 * 365 },
  decade: { label: '10 years', days: 3650 },
  age: { label: '50 years', days: 50 * 365 },
}

/**
 * The days around an instant. They are whole days, so that the same view sends the same query. A shopper sees no
 * future.
 */
function periodAround(
  now: number,
  days: number,
  isAdmin: boolean,
  reach: string | null,
): { from: string; to: string | null } {
  const iso = (day: number): string => new Date(day * DAY).toISOString()
  const today = Math.floor(now / DAY)
  const change = reach === null ? today : Math.ceil(Date.parse(reach) / DAY)
  const end = Math.max(today + Math.round((days * 2) / 3), change + Math.ceil((change - today) / 5))
  return { from: iso(today - Math.round(days / (isAdmin ? 3 : 1))), to: isAdmin ? iso(end) : null }
}

/**
 * The chart and its table. By default they reach to the next change, and the chart leaves out what comes before and
 * after all changes.
 */
export function PriceHistory({
  slug,
  changesAt,
}: {
  readonly slug: string
  readonly changesAt: string | null
}): JSX.Element {
  const { address, go } = useAddress()
  const period = address.period && Object.hasOwn(periods, address.period) ? address.period : ''
  const now = useMemo(Date.now, [])
  const shownAt = address.at ? Date.parse(address.at) : now
  const around = periodAround(shownAt, periods[period]?.days ?? 365, useRole() === 'admin', period ? null : changesAt)
  return (
    <>
      <label class="field">
        Period
        <select onChange={({ currentTarget }) => go({ period: currentTarget.value })}>
          {Object.entries(periods).map(([value, { label }]) => (
            <option key={value} value={value} selected={value === period}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Ask
        query={Timeline}
        variables={{ slug, quantity: useQuantity(), ...around, ...useShopper() }}
        link="price over time"
      >
        {({ storefront }) => {
          const spans = storefront?.latestRelease?.product?.priceTimeline ?? []
          const isTiered = spans.some(({ price }) => price && price.tiers.length > 0)
          return (
            <>
              <PriceChart spans={spans} shownAt={shownAt} now={now} narrow={period === ''} />
              <Table
                class="spans"
                caption="Prices of the period"
                titles={['From', 'Price', ...(isTiered ? ['Tiers'] : [])]}
              >
                {spans.map((span) => (
                  <tr key={span.from}>
                    <td>
                      <Time at={span.from} />
                    </td>
                    <td>
                      <PriceTag price={span.price} />
                    </td>
                    {isTiered && (
                      <td class="soft">
                        {span.price?.tiers
                          .map((tier) => `${tier.price.formatted} from ${tier.minimumQuantity}`)
                          .join(', ')}
                      </td>
                    )}
                  </tr>
                ))}
              </Table>
            </>
          )
        }}
      </Ask>
    </>
  )
}
