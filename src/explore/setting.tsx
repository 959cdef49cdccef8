/** Settings of the shopper in the bar: currency, language, channel, tags and quantity. */
import type { JSX, TargetedEvent, TargetedKeyboardEvent } from 'preact'
import { type Change, useAddress } from './address.tsx'
import { Chip } from './chip.tsx'
import { graphql, useGraph, useShopper } from './graph.ts'
import { saying, useValue } from './parts.tsx'
import { useRole } from './session.tsx'
import { languageName } from './text-values.ts'

type Name = 'currency' | 'language' | 'channel' | 'tag' | 'quantity'

interface Kind {
  readonly label: string
  /** What it is where the address has none. */
  readonly none: string
  readonly type?: 'number'
  readonly pattern?: string
  /** What is wrong with a text that is not taken. */
  readonly message?: string
}

const kinds: Readonly<Record<Name, Kind>> = {
  currency: {
    label: 'Currency',
    none: 'shop’s',
    pattern: '[A-Z]{3}',
    message: 'A currency is its code of three capital letters, such as EUR.',
  },
  language: {
    label: 'Language',
    none: 'browser’s',
    pattern: '[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*',
    message: 'A language is its code, such as de or de-CH.',
  },
  channel: { label: 'Channel', none: 'none' },
  tag: { label: 'Tag', none: 'none' },
  quantity: { label: 'Quantity', none: '1', type: 'number', message: 'A quantity is a whole number from 1 on.' },
}

/** A chip; its panel offers what the graph has of it, and takes any other text. */
export function Setting({ name }: { readonly name: Name }): JSX.Element {
  const { address } = useAddress()
  const { label, none, pattern } = kinds[name]
  const currency = useShopCurrency(name !== 'currency' || address.currency !== undefined)
  const value = address[name] ?? (name === 'currency' ? (currency ?? none) : none)
  return (
    <Chip label={label} value={value} isSet={address[name] !== undefined} hasDefault={pattern !== undefined}>
      {(close) => <Control name={name} close={close} />}
    </Chip>
  )
}

interface ControlProps {
  readonly name: Name
  readonly close: () => void
}

function Control({ name, close }: ControlProps): JSX.Element {
  const { address, go } = useAddress()
  const { label, none, type, pattern, message } = kinds[name]
  const offered = useOffered(name)
  const set = (value: string | null): void => go({ [name]: value, page: null } as Change)
  const change = ({ currentTarget }: TargetedEvent<HTMLInputElement>): void => {
    currentTarget.setCustomValidity('')
    if (currentTarget.reportValidity()) set(currentTarget.value)
  }
  /** What was typed is dropped with the panel. */
  const drop = ({ key, currentTarget }: TargetedKeyboardEvent<HTMLInputElement>): void => {
    if (key === 'Escape') currentTarget.value = address[name] ?? ''
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    close()
  }
  const choose = (value: string | null): void => {
    set(value)
    close()
  }
  return (
    <form onSubmit={submit}>
      <label class="field">
        {label}
        <input
          ref={useValue(address[name])}
          placeholder={none}
          onChange={change}
          onKeyDown={drop}
          {...(type === 'number' && { type, min: 1, step: 1 })}
          {...(pattern && { pattern })}
          {...(message && saying(message))}
        />
      </label>
      <div class="choices">
        {offered.map((value) => (
          <button key={value} type="button" aria-pressed={value === address[name]} onClick={() => choose(value)}>
            {name === 'language' ? languageName(value) : value}
          </button>
        ))}
        {address[name] !== undefined && (
          <button type="button" onClick={() => choose(null)}>
            As by default
          </button>
        )}
      </div>
    </form>
  )
}

const ShopCurrency = graphql(`
  query ShopCurrency($channel: String, $tags: [String!], $at: DateTime)
  @inContext(channel: $channel, tags: $tags, at: $at) {
    storefront {
      latestRelease {
        products(first: 1, filter: { price: { min: 0 } }) { nodes { id priceRange { min { currency } } } }
      }
    }
  }
`)

/** The currency of prices where none is chosen; undefined while it is not known. */
function useShopCurrency(pause: boolean): string | undefined {
  const { channel, tags, at } = useShopper()
  const { data } = useGraph(ShopCurrency, { channel, tags, at }, pause)
  return data?.storefront?.latestRelease?.products.nodes[0]?.priceRange?.min.currency
}

const Currencies = graphql(`
  query Currencies($channel: String, $tags: [String!], $at: DateTime)
  @inContext(channel: $channel, tags: $tags, at: $at) {
    storefront {
      latestRelease {
        products(first: 24, filter: { price: { min: 0 } }) { nodes { id prices { amount { currency } } } }
      }
    }
  }
`)
const Offered = graphql(`
  query Offered {
    products(first: 100) { nodes { id locales { language } } }
    catalogRules(first: 100) { nodes { id channels tags } }
  }
`)

/** What the graph has of a setting: the currencies of first prices, the languages of first texts, what rules match. */
function useOffered(name: Name): readonly string[] {
  const { channel, tags, at } = useShopper()
  const isCurrency = name === 'currency'
  const isRead = useRole() === 'admin' && !isCurrency && name !== 'quantity'
  const { data: prices } = useGraph(Currencies, { channel, tags, at }, !isCurrency)
  const { data: found } = useGraph(Offered, {}, !isRead)
  const priced = prices?.storefront?.latestRelease?.products.nodes ?? []
  const rules = found?.catalogRules.nodes ?? []
  const lists: Readonly<Record<Name, () => readonly string[]>> = {
    currency: () => priced.flatMap((product) => product.prices.map(({ amount }) => amount.currency)),
    language: () => (found?.products.nodes ?? []).flatMap(({ locales }) => locales.map(({ language }) => language)),
    channel: () => rules.flatMap((rule) => rule.channels),
    tag: () => rules.flatMap((rule) => rule.tags),
    quantity: () => [],
  }
  return [...new Set(lists[name]())].sort()
}
