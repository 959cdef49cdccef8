/** Price panel: a price over time, and beside it the explanation of the price of the chosen instant. */
import type { ResultOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { Ask } from './ask.tsx'
import { graphql, useQuantity, useShopper } from './graph.ts'
import { counted, instantText, plain } from './parts.tsx'
import { PriceHistory } from './price-history.tsx'
import { useRole } from './session.tsx'

const Why = graphql(`
  query Why(
    $slug: String!
    $quantity: Long
    $currency: CurrencyCode
    $locale: String
    $channel: String
    $tags: [String!]
    $at: DateTime
    $isAdmin: Boolean!
  ) @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
    storefront {
      latestRelease {
        product(by: { slug: $slug }) {
          id
          components { options { productKey product { name } } }
          priceRange { min { amount } }
          price(quantity: $quantity) {
            changesAt
            priceBookKey
            priceBook @include(if: $isAdmin) { name }
            amount { formatted }
            lowestPrior { formatted }
            explanation { kind name outcome reason amount { formatted } }
          }
        }
      }
    }
  }
`)

/** The panel of a product's price over time. */
export function PricePanel({ slug }: { readonly slug: string }): JSX.Element {
  const { address } = useAddress()
  const isAdmin = useRole() === 'admin'
  return (
    <Ask query={Why} variables={{ slug, isAdmin, quantity: useQuantity(), ...useShopper() }} link="why this price">
      {({ storefront }) => {
        const product = storefront?.latestRelease?.product
        if (!product?.price)
          return (
            product && <p class="soft">It has no price {product.priceRange ? 'of its own' : 'in this currency'}.</p>
          )
        const { price, components } = product
        const options = components.flatMap((component) => component.options)
        const names = new Map(options.map(({ productKey, product: option }) => [productKey, option?.name ?? '']))
        if (price.priceBookKey) names.set(price.priceBookKey, price.priceBook?.name ?? '')
        const applied = price.explanation.filter(({ outcome }) => outcome === 'APPLIED')
        const others = price.explanation.filter(({ outcome }) => outcome !== 'APPLIED')
        // The last one gives the amount.
        const decisive = applied.at(-1)
        return (
          <div class="panel">
            <section>
              <h2>Price over time</h2>
              <PriceHistory slug={slug} changesAt={price.changesAt} />
              {price.changesAt && !address.at && <Countdown to={price.changesAt} />}
            </section>
            <section>
              <h2>Why this price</h2>
              <p class="answer">
                <b>{price.amount.formatted}</b>: {readable(decisive?.reason ?? '', names)}
              </p>
              {price.lowestPrior && (
                <p class="prior">The lowest price before the sale was {price.lowestPrior.formatted}.</p>
              )}
              <Steps steps={applied} names={names} />
              {others.length > 0 && (
                <details class="others">
                  <summary>{counted(others.length, 'other')} did not count</summary>
                  <Steps steps={others} names={names} />
                </details>
              )}
            </section>
          </div>
        )
      }}
    </Ask>
  )
}

interface StepsProps {
  readonly steps: NonNullable<
    NonNullable<NonNullable<NonNullable<ResultOf<typeof Why>['storefront']>['latestRelease']>['product']>['price']
  >['explanation']
  readonly names: ReadonlyMap<string, string>
}

/** Candidates for a price, and what became of each. */
function Steps({ steps, names }: StepsProps): JSX.Element {
  return (
    <ol class="steps">
      {steps.map(({ kind, name, outcome, reason, amount }, index) => (
        <li key={index} class={outcome === 'APPLIED' ? 'applied' : 'soft'}>
          <span class="kind">{kind.toLowerCase()}</span> {name && <bdi>{readable(name, names)}</bdi>}{' '}
          {amount && <b>{amount.formatted}</b>}
          <span class="outcome">{plain(outcome)}</span>
          <div>{readable(reason, names)}</div>
        </li>
      ))}
    </ol>
  )
}

/**
 * A text with names in place of the ids of price books and products, and with instants as the page shows them. An id
 * without a name is left out.
 */
const readable = (text: string, names: ReadonlyMap<string, string>): string =>
  text
    .replace(/ ?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, (found) => {
      const name = names.get(found.trim())
      return name ? found.replace(found.trim(), `“${name}”`) : ''
    })
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, instantText)

/** Time until the next change, counted down by the second. */
function Countdown({ to }: { readonly to: string }): JSX.Element {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.round((Date.parse(to) - now) / 1000))
  const two = (value: number): string => String(value).padStart(2, '0')
  const clock = [seconds / 3600, seconds / 60, seconds].map((value, index) =>
    two(Math.floor(index === 0 ? value % 24 : value % 60)),
  )
  return (
    <p class="countdown">
      The next change is in {counted(Math.floor(seconds / 86_400), 'day')}, {clock.join(':')}.
    </p>
  )
}
