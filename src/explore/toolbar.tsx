/** Toolbar: the views, and the settings of the shopper: role, currency, language, channel, quantity and instant. */
import type { JSX, TargetedEvent } from 'preact'
import { type Change, firstPage, Link, noDifference, noRecord, useAddress } from './address.tsx'
import { GraphiqlMenu } from './graphiql-menu.tsx'
import { Palette } from './palette.tsx'
import { readersZone, saying, useValue } from './parts.tsx'
import { useSession } from './session.tsx'
import { viewsOf } from './views.ts'

/** The bar with the views and the shopper's settings. */
export function Toolbar(): JSX.Element {
  const { address } = useAddress()
  const { role } = useSession()
  return (
    <header>
      <SkipLink />
      <a class="home" href="/">
        commerce-graph
      </a>
      <nav aria-label="Views">
        {Object.entries(viewsOf(role)).map(([view, label]) => (
          <Link
            key={view}
            to={{ ...firstPage, ...noDifference, ...noRecord, view, catalog: null, account: null, who: null }}
            current={(address.view ?? '') === view}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Palette />
      <GraphiqlMenu />
      <div class="settings">
        <RoleChoice />
        {!address.view && <ShopperSettings />}
      </div>
    </header>
  )
}

/** Leads a keyboard past the header, the categories and the filters: to the products of a list, else to the view. */
function SkipLink(): JSX.Element {
  const skip = (): void =>
    (document.querySelector<HTMLElement>('.products') ?? document.querySelector<HTMLElement>('main h1'))?.focus()
  return (
    <button type="button" class="skip" onClick={skip}>
      Skip to the content
    </button>
  )
}

/** The address without any of these settings. */
const defaults: Change = {
  currency: null,
  language: null,
  channel: null,
  tag: null,
  quantity: null,
  at: null,
  page: null,
}

/** The settings on which the prices and texts of the catalog depend. */
function ShopperSettings(): JSX.Element {
  const { role } = useSession()
  const { address } = useAddress()
  const isDefault = Object.keys(defaults).every((name) => !address[name as keyof typeof address])
  return (
    <>
      <Setting
        name="currency"
        label="Currency"
        list={['EUR', 'USD', 'GBP', 'CHF', 'JPY']}
        pattern="[A-Z]{3}"
        message="A currency is its code of three capital letters, such as EUR."
      />
      <Setting
        name="language"
        label="Language"
        list={['en', 'de', 'fr', 'es']}
        pattern="[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*"
        message="A language is its code, such as de or de-CH."
      />
      <Setting name="channel" label="Channel" list={['web', 'mobile', 'pos']} />
      <Setting name="tag" label="Tag" />
      <Setting name="quantity" label="Quantity" type="number" message="A quantity is a whole number from 1 on." />
      {role === 'admin' && <Instant />}
      {!isDefault && <Link to={defaults}>All as by default</Link>}
    </>
  )
}

interface SettingProps {
  readonly name: 'currency' | 'language' | 'channel' | 'tag' | 'quantity'
  readonly label: string
  readonly type?: 'number'
  readonly pattern?: string
  /** What is wrong with a text that is not taken. */
  readonly message?: string
  readonly list?: readonly string[]
}

/** One setting. A text that does not match its pattern is not sent. */
function Setting({ name, label, type, list, pattern, message }: SettingProps): JSX.Element {
  const { address, go } = useAddress()
  const change = ({ currentTarget }: TargetedEvent<HTMLInputElement>): void => {
    currentTarget.setCustomValidity('')
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
        {...(message && saying(message))}
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
  const local = (iso: string): string =>
    new Date(Date.parse(iso) - new Date(iso).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  const change = ({ currentTarget: { value } }: TargetedEvent<HTMLInputElement>): void =>
    go({ at: value && new Date(value).toISOString(), page: null })
  return (
    <span class={address.at ? 'instant set' : 'instant'}>
      <label class="field">
        Instant ({readersZone})
        <input
          type="datetime-local"
          max="9999-12-30T23:59"
          ref={useValue(address.at && local(address.at))}
          onChange={change}
        />
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
      <select
        onChange={({ currentTarget }) => go({ role: currentTarget.value === 'admin' ? null : 'shopper', at: null })}
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
