/** Bar of chips, the same in every view: whose shop is shown, and how; each chip opens its control in place. */
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { useAccountNames } from './account-names.tsx'
import { type Change, Link, noView, useAddress } from './address.tsx'
import { Chip } from './chip.tsx'
import { graphql, useGraph, useShopper } from './graph.ts'
import { counted, instantText, readersZone, Time, useValue } from './parts.tsx'
import { useSession } from './session.tsx'
import { Setting } from './setting.tsx'
import { useUnpublished } from './unpublished.ts'

/** The address without any of these settings. */
const defaults: Change = {
  currency: null,
  language: null,
  channel: null,
  tag: null,
  quantity: null,
  at: null,
  seen: null,
  page: null,
}

/** On a narrow screen a button, which says what is chosen, opens them. */
export function ContextBar(): JSX.Element {
  const { role } = useSession()
  const { address } = useAddress()
  const [isOpen, setOpen] = useState(false)
  const isDefault = Object.keys(defaults).every((name) => !address[name as keyof typeof address])
  const { currency, language, channel, tag, quantity, at, seen } = address
  const chosen = [
    ...[currency, language, channel, tag, quantity && `quantity ${quantity}`],
    ...[at && 'another time', seen && 'another catalog'],
  ].filter(Boolean)
  return (
    <>
      <button
        type="button"
        class="context-button"
        aria-expanded={isOpen}
        aria-controls="context"
        onClick={() => setOpen(!isOpen)}
      >
        Context: <b>{[role, ...(isDefault ? ['all else as by default'] : chosen)].join(', ')}</b>
      </button>
      <section id="context" class={isOpen ? 'settings open' : 'settings'} aria-label="Context">
        <RoleChoice />
        <ShownCatalog key={role} />
        <Setting name="currency" />
        <Setting name="language" />
        <Setting name="channel" />
        <Setting name="tag" />
        <Setting name="quantity" />
        {role === 'admin' && <Instant />}
        {!isDefault && <Link to={defaults}>All as by default</Link>}
      </section>
    </>
  )
}

/** Says, in every view, that another instant than now is shown, or another catalog than the shopper's. */
export function Pinned(): JSX.Element {
  const { at, seen } = useAddress().address
  return (
    <>
      {at && <PinnedInstant at={at} />}
      {seen && <PinnedCatalog key={seen} />}
    </>
  )
}

function PinnedCatalog(): JSX.Element {
  const { address, go } = useAddress()
  const { data } = useGraph(ShownRelease, useShopper())
  const names = useAccountNames(address.account)
  return (
    <section class="pinned" aria-label="Another catalog">
      <span>
        You see{' '}
        {data && !data.storefront ? (
          'a catalog that is not there'
        ) : (
          <>
            the catalog <bdi>{data?.storefront?.name ?? '…'}</bdi> as{' '}
            {names ? (
              <>
                the account of <bdi>{names}</bdi> does
              </>
            ) : (
              'its shoppers do'
            )}
          </>
        )}
      </span>
      <button type="button" onClick={() => go({ seen: null, page: null })}>
        Back to the usual one
      </button>
    </section>
  )
}

function PinnedInstant({ at }: { readonly at: string }): JSX.Element {
  const { address, go } = useAddress()
  const { role } = useSession()
  return (
    <section class="pinned" aria-label="Another time than now">
      <span>
        You see{' '}
        <b>
          <Time at={at} />
        </b>
        {role === 'admin' && !address.view && <WithoutDraft />}
      </span>
      <button type="button" onClick={() => go({ at: null, page: null })}>
        Back to now
      </button>
    </section>
  )
}

/** That changes are missing which a publish would bring; null without any. */
function WithoutDraft(): JSX.Element | null {
  const { channel, tags } = useShopper()
  const { count, catalog } = useUnpublished({ channel, tags })
  if (!catalog || count === 0) return null
  return (
    <>
      {' '}
      without{' '}
      <Link to={{ ...noView, view: 'releases', catalog, from: 'latest', to: 'draft' }}>
        {counted(count, 'unpublished change')}
      </Link>
    </>
  )
}

const ShownRelease = graphql(`
  query ShownRelease($currency: CurrencyCode, $locale: String, $channel: String, $tags: [String!], $at: DateTime)
  @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
    storefront {
      id
      name
      latestRelease { id sequence }
    }
  }
`)

/** The catalog and the release that this shopper sees, which lead to the catalog's releases. */
function ShownCatalog(): JSX.Element | null {
  const { data } = useGraph(ShownRelease, useShopper())
  if (!data) return null
  const { storefront } = data
  if (!storefront) return <span class="shown">No catalog</span>
  const { id, name, latestRelease } = storefront
  return (
    <Link class="shown" to={{ ...noView, ...defaults, view: 'releases', catalog: id }}>
      <bdi>{name}</bdi>
      {latestRelease ? `, release ${latestRelease.sequence}` : ', no release'}
    </Link>
  )
}

/** An instant as an input has it, in the reader's own time zone. */
const local = (iso: string): string =>
  new Date(Date.parse(iso) - new Date(iso).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const DATE = 'Date and time'

/** The instant of all prices and releases. */
function Instant(): JSX.Element {
  const { at } = useAddress().address
  return (
    <Chip label={DATE} value={at ? instantText(at) : 'now'} isSet={at !== undefined}>
      {(close) => <InstantInput close={close} />}
    </Chip>
  )
}

/** Typed in the reader's own time zone. */
function InstantInput({ close }: { readonly close: () => void }): JSX.Element {
  const { address, go } = useAddress()
  const show = (local: string): void => {
    go({ at: local && new Date(local).toISOString(), page: null })
    close()
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    show(String(new FormData(event.currentTarget).get('at')))
  }
  return (
    <form onSubmit={submit}>
      <label class="field">
        {DATE} ({readersZone})
        <input type="datetime-local" max="9999-12-30T23:59" name="at" ref={useValue(address.at && local(address.at))} />
      </label>
      <div class="choices">
        <button type="submit" class="primary">
          Apply
        </button>
        {address.at && (
          <button type="button" onClick={() => show('')}>
            Now
          </button>
        )}
      </div>
    </form>
  )
}

function RoleChoice(): JSX.Element {
  const { go } = useAddress()
  const { role, leave } = useSession()
  if (leave)
    return (
      <span class="field">
        {role}
        <button type="button" onClick={leave.act}>
          {leave.label}
        </button>
      </span>
    )
  return (
    <label class={role === 'admin' ? 'field' : 'field set'}>
      Role
      <select
        onChange={({ currentTarget }) =>
          go({ role: currentTarget.value === 'admin' ? null : 'shopper', at: null, seen: null })
        }
      >
        {(['admin', 'shopper'] as const).map((value) => (
          <option key={value} value={value} selected={value === role}>
            {value}
          </option>
        ))}
      </select>
    </label>
  )
}
