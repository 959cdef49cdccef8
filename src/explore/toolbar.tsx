/** Toolbar: the views, and the settings of the shopper: role, currency, language, channel, quantity and instant. */
import type { JSX, TargetedEvent } from 'preact'
import { type Change, firstPage, Link, noDifference, useAddress } from './address.tsx'
import { useValue } from './parts.tsx'
import { useSession } from './session.tsx'

/** The views by their names in the address. */
export const views: Readonly<Record<string, string>> = { '': 'Catalog', releases: 'Releases', subscriptions: 'Subscriptions' }

/** The bar with the views and the shopper's settings. */
export function Toolbar(): JSX.Element {
  const { address } = useAddress()
  return (
    <header>
      <a class="home" href="/">
        commerce-graph
      </a>
      <nav aria-label="Views">
        {Object.entries(views).map(([view, label]) => (
          <Link
            key={view}
            to={{ ...firstPage, ...noDifference, view, catalog: null, account: null }}
            current={(address.view ?? '') === view}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div class="settings">
        <RoleChoice />
        {!address.view && <ShopperSettings />}
      </div>
    </header>
  )
}

/** The settings on which the prices and texts of the catalog depend. */
function ShopperSettings(): JSX.Element {
  const { role } = useSession()
  return (
    <>
      <Setting name="currency" label="Currency" list={['EUR', 'USD', 'GBP', 'CHF', 'JPY']} pattern="[A-Z]{3}" />
      <Setting name="language" label="Language" list={['en', 'de', 'fr', 'es']} pattern="[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*" />
      <Setting name="channel" label="Channel" list={['web', 'mobile', 'pos']} />
      <Setting name="tag" label="Tag" />
      <Setting name="quantity" label="Quantity" type="number" />
      {role === 'admin' && <Instant />}
    </>
  )
}

interface SettingProps {
  readonly name: 'currency' | 'language' | 'channel' | 'tag' | 'quantity'
  readonly label: string
  readonly type?: 'number'
  readonly pattern?: string
  readonly list?: readonly string[]
}

/** One setting; a text that does not match its pattern is not sent. */
function Setting({ name, label, type, list, pattern }: SettingProps): JSX.Element {
  const { address, go } = useAddress()
  const change = ({ currentTarget }: TargetedEvent<HTMLInputElement>): void => {
    if (currentTarget.reportValidity()) go({ [name]: currentTarget.value, page: null } as Change)
  }
  return (
    <label class={`field ${name}`}>
      {label}
      <input
        type={type ?? 'text'}
        ref={useValue(address[name])}
        placeholder={name === 'quantity' ? '1' : name === 'tag' ? 'none' : 'default'}
        onChange={change}
        {...(type === 'number' && { min: 1, step: 1 })}
        {...(pattern && { pattern })}
        {...(list && { list: `${name}-list` })}
      />
      {list && (
        <datalist id={`${name}-list`}>
          {list.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </label>
  )
}

/** The instant of all prices and releases, typed in the reader's own time zone. */
function Instant(): JSX.Element {
  const { address, go } = useAddress()
  const local = (iso: string): string => new Date(Date.parse(iso) - new Date(iso).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  const change = ({ currentTarget: { value } }: TargetedEvent<HTMLInputElement>): void =>
    go({ at: value && new Date(value).toISOString(), page: null })
  return (
    <span class="instant">
      <label class="field">
        Instant
        <input type="datetime-local" max="9999-12-30T23:59" ref={useValue(address.at && local(address.at))} onChange={change} />
      </label>
      {address.at && (
        <button type="button" onClick={() => go({ at: null, page: null })}>
          Now
        </button>
      )}
    </span>
  )
}

function RoleChoice(): JSX.Element {
  const { go } = useAddress()
  const { role, settings, leave } = useSession()
  if (!settings.tokens)
    return (
      <span class="field">
        {role}
        <button type="button" onClick={leave}>
          Other token
        </button>
      </span>
    )
  return (
    <label class="field">
      Role
      <select onChange={({ currentTarget }) => go({ role: currentTarget.value === 'admin' ? null : 'shopper', at: null })}>
        {(['admin', 'shopper'] as const).map((value) => (
          <option key={value} value={value} selected={value === role}>
            {value}
          </option>
        ))}
      </select>
    </label>
  )
}
