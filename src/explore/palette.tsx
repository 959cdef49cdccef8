/** Palette: one field, by Ctrl-K, that leads to products, categories, subscriptions and views. */
import type { JSX, TargetedEvent, TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Change, Link, noView, useAddress } from './address.tsx'
import { graphql, useGraph, useShopper } from './graph.ts'
import { useRole } from './session.tsx'
import { asName } from './text-values.ts'
import { viewsOf } from './views.ts'

const Suggest = graphql(`
  query Suggest(
    $text: String!
    $currency: CurrencyCode
    $locale: String
    $channel: String
    $tags: [String!]
    $at: DateTime
    $who: String!
    $isAdmin: Boolean!
  ) @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
    subscriptions(filter: { name: { startsWith: $who } }, first: 1) @include(if: $isAdmin) { nodes { id } }
    storefront {
      latestRelease {
        product(by: { sku: $text }) { id slug name sku }
        suggest(text: $text, first: 6) {
          products { id slug name sku }
          nodes { id name canonicalPath }
        }
      }
    }
  }
`)

/** A place that the palette leads to. */
interface Place {
  readonly kind: string
  readonly name: string
  readonly sku?: string | null
  readonly to: Change
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The subscriptions of who has a name or an email like this. */
const whoOf = (who: string): Change => ({ ...noView, view: 'subscriptions', who })

/** The button that opens the palette, and its dialog. */
export function Palette(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  // How often it was opened; null while it is closed. The event of a close may come when it is open again.
  const [opened, setOpened] = useState<number | null>(null)
  const times = useRef(0)
  const open = (): void => {
    if (dialog.current?.open) return
    setOpened(++times.current)
    dialog.current?.showModal()
  }
  const close = (): void => {
    dialog.current?.close()
    setOpened(null)
  }
  const follow = (): void => {
    if (!dialog.current?.open) setOpened(null)
  }
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <button type="button" class="find" aria-haspopup="dialog" onClick={open}>
        Find <kbd>Ctrl K</kbd>
      </button>
      <dialog ref={dialog} class="palette" aria-label="Find" onKeyDown={step} onClose={follow}>
        {opened !== null && <Search key={opened} close={close} />}
      </dialog>
    </>
  )
}

function Search({ close }: { readonly close: () => void }): JSX.Element {
  const { address, go } = useAddress()
  const [text, setText] = useState('')
  const { found, places, fetching } = usePlaces(text.trim())
  // Enter waits for the places of what is typed.
  const [isEntered, setEntered] = useState(false)
  const begun = useRef(address)
  const field = useRef<HTMLInputElement>(null)
  // Before the next key is pressed.
  useLayoutEffect(() => field.current?.focus(), [])
  // Before anything else is pressed, which may open it again.
  useLayoutEffect(() => {
    if (address !== begun.current) close()
  }, [address])
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setEntered(true)
  }
  useEffect(() => {
    if (!isEntered || fetching) return
    setEntered(false)
    if (!places[0]) return
    close()
    go(places[0].to)
  }, [isEntered, fetching])
  return (
    <form onSubmit={submit}>
      <label class="field">
        Product, SKU, category, customer, account or view
        <input
          ref={field}
          class="palette-text"
          maxLength={200}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <ul>
        {places.map(({ kind, name, to }) => (
          <li key={`${kind} ${name}`}>
            <Link to={to}>
              <bdi>{name}</bdi> <span class="soft">{kind}</span>
            </Link>
          </li>
        ))}
      </ul>
      {text.trim() && !fetching && !found && <p class="soft">No product, category or view has this name.</p>}
    </form>
  )
}

/** The arrow keys move between the field and the links. */
function step(event: TargetedKeyboardEvent<HTMLDialogElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!by) return
  event.preventDefault()
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  stops[Math.max(0, Math.min(stops.length - 1, at + by))]?.focus()
}

/** Where the text leads: first what has this name, then what it begins, then what has its words, then anything else. */
function usePlaces(text: string): {
  readonly found: boolean
  readonly places: readonly Place[]
  readonly fetching: boolean
} {
  const role = useRole()
  const shopper = useShopper()
  const [isAdmin, who] = [role === 'admin', asName(text)]
  const { data, fetching } = useGraph(Suggest, { text, who, isAdmin, ...shopper }, text === '')
  const { product = null, suggest } = (text && data?.storefront?.latestRelease) || {}
  const { products = [], nodes = [] } = suggest ?? {}
  const views = Object.entries(viewsOf(role))
    .filter(([, name]) => name.toLowerCase().includes(text.toLowerCase()))
    .map(([view, name]): Place => ({ kind: 'view', name, to: { ...noView, view } }))
  const subscriptions: Place[] = uuid.test(text)
    ? [{ kind: 'subscriptions of the account', name: text, to: { ...noView, view: 'subscriptions', account: text } }]
    : isAdmin && text.includes('@')
      ? [{ kind: 'subscriptions of the email', name: text, to: whoOf(text) }]
      : []
  // A variant stands before its parent, which the graph suggests in its place.
  const others = products.filter(({ slug }) => slug !== product?.slug)
  const found = [
    ...subscriptions,
    ...[...(product ? [product] : []), ...others].map(
      ({ slug, name, sku }): Place => ({ kind: sku ?? 'product', name, sku, to: { ...noView, product: slug } }),
    ),
    ...nodes.map(
      ({ name, canonicalPath }): Place => ({
        kind: `category ${canonicalPath.join('/')}`,
        name,
        to: { ...noView, path: canonicalPath.join('/') },
      }),
    ),
    ...views,
  ].sort((one, other) => fitOf(one, text) - fitOf(other, text))
  // Other parts of names are looked for when this is asked for, since no index has them.
  const subscribers: Place[] =
    isAdmin && text && subscriptions.length === 0 ? [{ kind: 'among subscribers', name: who, to: whoOf(who) }] : []
  const isBegun = (data?.subscriptions?.nodes.length ?? 0) > 0
  const before = isBegun ? found.filter((place) => fitOf(place, text) < ELSE) : found
  const places = [...before, ...subscribers, ...found.slice(before.length)]
  return { found: found.length > 0 || (isBegun && subscribers.length > 0), places, fetching }
}

/** How well a place fits a text that fits it by something else than its name, such as a description. */
const ELSE = 3

function fitOf({ name, sku }: Place, text: string): number {
  const typed = plainText(text)
  const names = [name, sku ?? ''].map(plainText)
  if (names.includes(typed)) return 0
  if (names.some((one) => one.startsWith(typed))) return 1
  const words = plainText(name).split(/[^\p{L}\p{N}]+/u)
  return typed.split(/\s+/).every((word) => words.some((one) => one.startsWith(word))) ? 2 : ELSE
}

/** In small letters without accents. */
const plainText = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
