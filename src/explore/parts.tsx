/** Parts that all views share: a heading, an input, a price, breadcrumbs, an instant. */
import type { JSX, RefObject, TargetedEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isFirstView, Link, noList, useAddress } from './address.tsx'
import { graphql } from './graph.ts'

interface TitleProps {
  readonly children: string
  readonly language?: string | null
  /** Whether the view shows nothing else. */
  readonly empty?: boolean
}

/** The heading of a view, which names the document. It gets the focus when the element that had the focus is gone. */
export function Title({ children, language, empty }: TitleProps): JSX.Element {
  const { address } = useAddress()
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${children} · commerce-graph`
  }, [children])
  useEffect(() => {
    if (!isFirstView() && document.activeElement === document.body) place.current?.focus()
  }, [address])
  return (
    <h1 ref={place} tabIndex={-1} lang={language ?? undefined} class={empty ? 'empty' : undefined}>
      {children}
    </h1>
  )
}

/** What has a name in a language. */
export interface Named {
  readonly name: string
  /** The language tag of the name; null for the shop's own text. */
  readonly language: string | null
}

/**
 * A name in its language. A text of the shop is isolated, so that its direction does not turn an amount beside it
 * around.
 */
export function Name({ of: { name, language } }: { readonly of: Named }): JSX.Element {
  return <bdi lang={language ?? undefined}>{name}</bdi>
}

/**
 * For the `ref` of an input or a choice. The element follows `value`, and keeps the focus and the typed text until that
 * changes.
 */
export function useValue<Input extends { value: string } = HTMLInputElement>(value = ''): RefObject<Input | null> {
  const place = useRef<Input>(null)
  useLayoutEffect(() => {
    if (place.current) place.current.value = value
  }, [value])
  return place
}

/**
 * For an input whose text may be of another form than it takes: says so in these words, not in those of the browser.
 */
export const saying = (message: string) => ({
  onInvalid: ({ currentTarget }: TargetedEvent<HTMLInputElement>): void => {
    // A message that was set says more.
    if (!currentTarget.validity.customError) currentTarget.setCustomValidity(message)
  },
  onInput: ({ currentTarget }: TargetedEvent<HTMLInputElement>): void => currentTarget.setCustomValidity(''),
})

/** A price as PriceTag shows it. */
export const Paid = graphql(`
  fragment Paid on CatalogPrice {
    amount { formatted }
    originalAmount { formatted }
    sale { name: label }
  }
`)

interface PaidPrice {
  readonly amount: { readonly formatted: string }
  readonly originalAmount: { readonly formatted: string } | null
  readonly sale: { readonly name: string } | null
}

/** The price, the list price struck out, and the sale's name. */
export function PriceTag({ price }: { readonly price: PaidPrice | null }): JSX.Element {
  if (!price) return <span class="soft">no price</span>
  const { amount, originalAmount, sale } = price
  return (
    <span class="price">
      <b>{amount.formatted}</b>
      {originalAmount && <s>{originalAmount.formatted}</s>}
      {sale && <bdi class="sale">{sale.name}</bdi>}
    </span>
  )
}

interface Place extends Named {
  readonly slug: string
}

/** The breadcrumbs from the catalog down to a node. The last one is a link only when something stands below it. */
export function Breadcrumbs({
  places,
  below,
}: {
  readonly places: readonly Place[]
  readonly below?: boolean
}): JSX.Element {
  return (
    <nav class="crumbs" aria-label="Breadcrumbs">
      <Link to={noList}>All products</Link>
      {places.map((place, index) => {
        const path = places.slice(0, index + 1).map(({ slug }) => slug)
        const isHere = !below && index === places.length - 1
        const name = <Name of={place} />
        return (
          <span key={place.slug}>{isHere ? name : <Link to={{ ...noList, path: path.join('/') }}>{name}</Link>}</span>
        )
      })}
    </nav>
  )
}

/** A number of things, such as `1 product` and `2 products`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count.toLocaleString()} ${count === 1 ? noun : plural}`

/** A word of the graph as people write it: `shopperAttributes` is shopper attributes, `IN_PROGRESS` in progress. */
export const plain = (word: string): string =>
  (/^[A-Z_]+$/.test(word) ? word : word.replace(/[A-Z]/g, ' $&')).toLowerCase().replaceAll('_', ' ')

/** The reader's own time zone, in which the page shows instants, such as `Europe/Berlin`. */
export const readersZone = Intl.DateTimeFormat().resolvedOptions().timeZone

const day = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const

/** The day of an instant in the reader's own time zone, such as `Fri, Dec 4, 2026`. */
export const dayText = (at: number): string => new Date(at).toLocaleDateString(undefined, day)

/** An instant as a text in the reader's own time zone, which it names, such as `Fri, Dec 4, 2026, 12:00 PM UTC`. */
export const instantText = (at: string): string =>
  new Date(at).toLocaleString(undefined, { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })

/** An instant. A line ends in it only between its day and its time. */
export function Time({ at }: { readonly at: string }): JSX.Element {
  const [text, begin] = [instantText(at), dayText(Date.parse(at))]
  const end = text.startsWith(begin) ? text.indexOf(' ', begin.length) : -1
  return (
    <time dateTime={at} title={readersZone}>
      {end > 0 && <span>{text.slice(0, end)}</span>}
      {end > 0 && ' '}
      <span>{text.slice(end + 1)}</span>
    </time>
  )
}

interface MoreProps {
  readonly total: number
  readonly shown: number
  readonly more: () => void
  /** What is listed, the last first, such as `writes`. */
  readonly lastOf?: string
}

/** How many items of a list are shown, and a button for more. */
export function More({ total, shown, more, lastOf }: MoreProps): JSX.Element | null {
  if (shown >= total) return null
  return (
    <p class="more">
      {lastOf && 'The last '}
      {shown.toLocaleString()} of {total.toLocaleString()} {lastOf && `${lastOf} `}
      <button type="button" onClick={more}>
        More
      </button>
    </p>
  )
}

/** The length of a list after More: first a hundred, then a hundred more each time. */
export const longer = (count: number): number => (count < 100 ? 100 : count + 100)
