/** Palette: one field, by Ctrl-K, that leads to products, categories, subscriptions and views. */
import type { JSX, TargetedEvent, TargetedKeyboardEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type Change, Link, noList, noRecord, useAddress } from './address.tsx'
import { graphql, useGraph, useShopper } from './graph.ts'
import { useRole } from './session.tsx'
import { viewsOf } from './views.ts'

const Suggest = graphql(`
  query Suggest(
    $text: String!
    $currency: CurrencyCode
    $locale: String
    $channel: String
    $tags: [String!]
    $at: DateTime
  ) @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
    storefront {
      latestRelease {
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
  readonly to: Change
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const noView: Change = {
  ...noList,
  ...noRecord,
  view: null,
  catalog: null,
  from: null,
  to: null,
  account: null,
  who: null,
}

/** The button that opens the palette, and its dialog. */
export function Palette(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = (): void => {
    setOpen(true)
    dialog.current?.showModal()
  }
  useEffect(() => {
    const follow = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', follow)
    return () => removeEventListener('keydown', follow)
  }, [])
  return (
    <>
      <button type="button" class="find" aria-haspopup="dialog" onClick={open}>
        Find <kbd>Ctrl K</kbd>
      </button>
      <dialog ref={dialog} class="palette" aria-label="Find" onKeyDown={step} onClose={() => setOpen(false)}>
        {isOpen && <Search close={() => dialog.current?.close()} />}
      </dialog>
    </>
  )
}

function Search({ close }: { readonly close: () => void }): JSX.Element {
  const { address, go } = useAddress()
  const [text, setText] = useState('')
  const { places, fetching } = usePlaces(text.trim())
  // Enter waits for the places of what is typed.
  const [isEntered, setEntered] = useState(false)
  const opened = useRef(address)
  const field = useRef<HTMLInputElement>(null)
  // Before the next key is pressed.
  useLayoutEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (address !== opened.current) close()
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
        Product, SKU, category, account, email or view
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
      {text.trim() && places.length === 0 && <p class="soft">Nothing has this name.</p>}
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

/** Where the text leads. */
function usePlaces(text: string): { readonly places: readonly Place[]; readonly fetching: boolean } {
  const role = useRole()
  const shopper = useShopper()
  const { data, fetching } = useGraph(Suggest, { text, ...shopper }, text === '')
  const { products = [], nodes = [] } = (text && data?.storefront?.latestRelease?.suggest) || {}
  const views = Object.entries(viewsOf(role))
    .filter(([, name]) => name.toLowerCase().includes(text.toLowerCase()))
    .map(([view, name]): Place => ({ kind: 'view', name, to: { ...noView, view } }))
  const subscriptions: Place[] = uuid.test(text)
    ? [{ kind: 'subscriptions of the account', name: text, to: { ...noView, view: 'subscriptions', account: text } }]
    : role === 'admin' && text.includes('@')
      ? [{ kind: 'subscriptions of the email', name: text, to: { ...noView, view: 'subscriptions', who: text } }]
      : []
  const places = [
    ...subscriptions,
    ...products.map(
      ({ slug, name, sku }): Place => ({ kind: sku ?? 'product', name, to: { ...noView, product: slug } }),
    ),
    ...nodes.map(
      ({ name, canonicalPath }): Place => ({
        kind: `category ${canonicalPath.join('/')}`,
        name,
        to: { ...noView, path: canonicalPath.join('/') },
      }),
    ),
    ...views,
  ]
  return { places, fetching }
}
