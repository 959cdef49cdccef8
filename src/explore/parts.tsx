/** Parts that all views share: a heading, an input, a price, breadcrumbs, an instant. */
import type { JSX, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { isFirstView, Link, noList, useAddress } from './address.tsx'
import { graphql } from './graph.ts'

interface TitleProps {
  readonly children: string
  readonly language?: string | null
  /** Whether the view has nothing else. */
  readonly empty?: boolean
}

/** The heading of a view, which names the document; the focus goes there when what had it is gone. */
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
  /** The tag of the language that the name is in; null for the shop's own text. */
  readonly language: string | null
}

/** A name in its language. A text of the shop is isolated, so that its direction turns no amount beside it around. */
export function Name({ of: { name, language } }: { readonly of: Named }): JSX.Element {
  return <bdi lang={language ?? undefined}>{name}</bdi>
}

/** For the `ref` of an input or a choice: it follows `value`, and keeps the focus and what is typed until that changes. */
export function useValue<Input extends { value: string } = HTMLInputElement>(value = ''): RefObject<Input | null> {
  const place = useRef<Input>(null)
  useLayoutEffect(() => {
    if (place.current) place.current.value = value
  }, [value])
  return place
}

/** A price as PriceTag shows it. */
export const Paid = graphql(`
  fragment Paid on CatalogPrice {
    amount { formatted }
    originalAmount { formatted }
    sale { name }
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
      {originalAmount && originalAmount.formatted !== amount.formatted && <s>{originalAmount.formatted}</s>}
      {sale && <bdi class="sale">{sale.name}</bdi>}
    </span>
  )
}

interface Place extends Named {
  readonly slug: string
}

/** The way from the catalog down to a node; the last place is a link only when something stands below it. */
export function Breadcrumbs({ places, below }: { readonly places: readonly Place[]; readonly below?: boolean }): JSX.Element {
  return (
    <nav class="crumbs" aria-label="Breadcrumbs">
      <Link to={noList}>Catalog</Link>
      {places.map((place, index) => {
        const path = places.slice(0, index + 1).map(({ slug }) => slug)
        const isHere = !below && index === places.length - 1
        const name = <Name of={place} />
        return <span key={place.slug}>{isHere ? name : <Link to={{ ...noList, path: path.join('/') }}>{name}</Link>}</span>
      })}
    </nav>
  )
}

/** The head of a table. */
export function Head({ titles }: { readonly titles: readonly string[] }): JSX.Element {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** A number of things, such as `1 product` and `2 products`. */
export const counted = (count: number, noun: string): string => `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`

/** An instant as a text in the reader's own time zone. */
export const instantText = (at: string): string => new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })

export function Time({ at }: { readonly at: string }): JSX.Element {
  return <time dateTime={at}>{instantText(at)}</time>
}

interface MoreProps {
  readonly total: number
  readonly shown: number
  readonly more: () => void
}

/** How many of a list are shown, and more of them. */
export function More({ total, shown, more }: MoreProps): JSX.Element | null {
  if (shown >= total) return null
  return (
    <p class="more">
      {shown.toLocaleString()} of {total.toLocaleString()}{' '}
      <button type="button" onClick={more}>
        More
      </button>
    </p>
  )
}

/** The length of a list after More: to a hundred, then by hundreds. */
export const longer = (count: number): number => (count < 100 ? 100 : count + 100)
