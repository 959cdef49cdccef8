/** Price panel: a price over time as a chart and a table, and the explanation of the price of the chosen instant. */
import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { PriceChart } from './chart.tsx'
import { graphql, useQuantity, useShopper } from './graph.ts'
import { Ask, Head, Paid, PriceTag, Time } from './parts.tsx'
import { useRole } from './session.tsx'

const Prices = graphql(
  `
  query Prices(
    $slug: String!
    $from: DateTime!
    $to: DateTime
    $quantity: Long
    $currency: CurrencyCode
    $locale: String
    $channel: String
    $at: DateTime
    $isAdmin: Boolean!
  ) @inContext(currency: $currency, locale: $locale, channel: $channel, at: $at) {
    storefront {
      latestRelease {
        product(by: { slug: $slug }) {
          id
          components { options { productKey product { name } } }
          price(quantity: $quantity) {
            changesAt
            priceBookKey
            priceBook @include(if: $isAdmin) { name }
            lowestPrior { formatted }
            explanation { kind name outcome reason amount { formatted } }
          }
          priceTimeline(from: $from, to: $to, quantity: $quantity) {
            from
            to
            price {
              ...Paid
              amount { amount currency fractionDigits formatted }
              list { amount { amount } }
              tiers { minimumQuantity price { amount formatted } }
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
  month: { label: '1 month', days: 30 },
  year: { label: '1 year', days: 365 },
  '': { label: '3 years', days: 3 * 365 },
  decade: { label: '10 years', days: 3650 },
  age: { label: '50 years', days: 50 * 365 },
}

/** The days around an instant, in whole days so that the same view sends the same query; a shopper sees no future. */
function periodAround(now: number, days: number, isAdmin: boolean): { from: string; to: string | null } {
  const iso = (day: number): string => new Date(day * DAY).toISOString()
  const today = Math.floor(now / DAY)
  return { from: iso(today - Math.round(days / (isAdmin ? 3 : 1))), to: isAdmin ? iso(today + Math.round((days * 2) / 3)) : null }
}

/** The panel of a product's price over time. */
export function PricePanel({ slug }: { readonly slug: string }): JSX.Element {
  const { address, go } = useAddress()
  const { days = 365 } = periods[address.period ?? ''] ?? {}
  const now = useMemo(() => (address.at ? Date.parse(address.at) : Date.now()), [address.at])
  const isAdmin = useRole() === 'admin'
  const variables = { slug, isAdmin, quantity: useQuantity(), ...periodAround(now, days, isAdmin), ...useShopper() }
  return (
    <section>
      <h2>Price over time</h2>
      <label class="field">
        Period
        <select onChange={({ currentTarget }) => go({ period: currentTarget.value })}>
          {Object.entries(periods).map(([value, { label }]) => (
            <option key={value} value={value} selected={value === (address.period ?? '')}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <Ask query={Prices} variables={variables} link>
        {({ storefront }) => {
          const product = storefront?.latestRelease?.product
          if (!product?.price) return <p class="soft">It has no price of its own.</p>
          const { price, priceTimeline, components } = product
          const options = components.flatMap((component) => component.options)
          const names = new Map(options.map(({ productKey, product: option }) => [productKey, option?.name ?? '']))
          if (price.priceBookKey) names.set(price.priceBookKey, price.priceBook?.name ?? '')
          return (
            <>
              <PriceChart spans={priceTimeline} now={now} />
              {price.changesAt && !address.at && <Countdown to={price.changesAt} />}
              <table class="spans">
                <caption>Prices of the period</caption>
                <Head titles={['From', 'Price', 'Tiers']} />
                <tbody>
                  {priceTimeline.map((span) => (
                    <tr key={span.from}>
                      <td>
                        <Time at={span.from} />
                      </td>
                      <td>
                        <PriceTag price={span.price} />
                      </td>
                      <td class="soft">
                        {span.price?.tiers.map((tier) => `${tier.price.formatted} from ${tier.minimumQuantity}`).join(', ')}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <h2>Why this price</h2>
              {price.lowestPrior && <p>The lowest price before the sale was {price.lowestPrior.formatted}.</p>}
              <ol class="steps">
                {price.explanation.map(({ kind, name, outcome, reason, amount }, index) => (
                  <li key={index} class={outcome === 'APPLIED' ? 'applied' : 'soft'}>
                    <span class="kind">{kind.toLowerCase()}</span> {name && withNames(name, names)} {amount && <b>{amount.formatted}</b>}
                    <span class="outcome">{outcome.toLowerCase().replaceAll('_', ' ')}</span>
                    <div>{withNames(reason, names)}</div>
                  </li>
                ))}
              </ol>
            </>
          )
        }}
      </Ask>
    </section>
  )
}

/** A text with names for the ids of price books and products; an id without one is left out. */
const withNames = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(/ ?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, (found) => {
    const name = names.get(found.trim())
    return name ? found.replace(found.trim(), `“${name}”`) : ''
  })

/** Time until the next change, counted down by the second. */
function Countdown({ to }: { readonly to: string }): JSX.Element {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.round((Date.parse(to) - now) / 1000))
  const two = (value: number): string => String(value).padStart(2, '0')
  const clock = [seconds / 3600, seconds / 60, seconds].map((value, index) => two(Math.floor(index === 0 ? value % 24 : value % 60)))
  return (
    <p class="countdown">
      The next change is in {Math.floor(seconds / 86_400).toLocaleString()} days, {clock.join(':')}.
    </p>
  )
}
