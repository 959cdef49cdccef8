/** Address: the query string holds everything that a view shows, so that it can be shared and reloaded. */
import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'

const shopperNames = ['currency', 'language', 'channel', 'tag', 'quantity', 'at', 'role'] as const
const pageNames = ['page', 'after', 'before'] as const
const viewNames = [
  'path',
  'product',
  'choice',
  'q',
  'tags',
  'types',
  'sale',
  'min',
  'max',
  'order',
  'period',
  ...pageNames,
] as const
const recordNames = ['topic', 'subject', 'record', 'proved'] as const
const names = [
  'view',
  ...shopperNames,
  ...viewNames,
  'catalog',
  'seen',
  'from',
  'to',
  'by',
  'account',
  'who',
  ...recordNames,
] as const

type Name = (typeof names)[number]
/** The members of the address that are set. */
export type Address = Readonly<Partial<Record<Name, string>>>
/** Members to change; null and an empty text remove one. */
export type Change = Readonly<Partial<Record<Name, string | null>>>

/** The members of a list, such as the chosen category or filters. Another view or category begins without them. */
export const noList: Change = Object.fromEntries(viewNames.map((name) => [name, null]))
/** The filters of a list. */
export const noFilters: Change = { q: null, tags: null, types: null, sale: null, min: null, max: null }
/** Members of a difference of two releases. */
export const noDifference: Change = { from: null, to: null, by: null }
/** What history and rules are asked for. */
export const noRecord: Change = Object.fromEntries(recordNames.map((name) => [name, null]))
/** All that a view has of its own: a link to another view, or to another thing, begins without it. */
export const noView: Change = {
  ...noList,
  ...noDifference,
  ...noRecord,
  view: null,
  catalog: null,
  account: null,
  who: null,
}
/** The first page of a list. */
export const firstPage: Change = Object.fromEntries(pageNames.map((name) => [name, null]))

const by = /^(name|[A-Z]{3})$/
const whole = /^[1-9]\d{0,8}$/
const decimal = /^\d{1,12}(\.\d+)?$/
const language = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/
/** With a year of four digits, as the graph takes it. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const types = /^(BUNDLE|CHILD|PARENT|STANDARD)(,(BUNDLE|CHILD|PARENT|STANDARD))*$/
/** The forms of members that are not free text. */
const forms: Partial<Record<Name, RegExp>> = {
  ...{
    currency: /^[A-Z]{3}$/,
    by,
    language,
    types,
    quantity: whole,
    page: whole,
    at: instant,
    min: decimal,
    max: decimal,
  },
}

/** Members of another form, as in an address that was cut off, count as absent. */
function isReadable(name: Name, value: string): boolean {
  return (forms[name]?.test(value) ?? true) && (name !== 'at' || !Number.isNaN(Date.parse(value)))
}

function read(): Address {
  const given = new URLSearchParams(location.search)
  const members = names.map((name) => [name, given.get(name)] as const)
  return Object.fromEntries(members.filter(([name, value]) => value && isReadable(name, value)))
}

function write(address: Address, change: Change): string {
  const query = new URLSearchParams()
  for (const name of names) {
    const value = name in change ? change[name] : address[name]
    if (value) query.set(name, value)
  }
  const text = query.toString()
  return text ? `/explore?${text}` : '/explore'
}

interface Navigation {
  readonly address: Address
  readonly href: (change: Change) => string
  readonly go: (change: Change) => void
}

const Context = createContext<Navigation>({ address: {}, href: () => '', go: () => {} })
/** The current address, and the functions that change it. */
export const useAddress = (): Navigation => useContext(Context)

/** Whether another view was opened since the page was loaded. */
let hasNavigated = false
export const isFirstView = (): boolean => !hasNavigated

/** Follows the address and the browser's back and forward. */
export function Addressed({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const [address, setAddress] = useState(read)
  useEffect(() => {
    const follow = (): void => {
      hasNavigated = true
      setAddress(read())
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const href = (change: Change): string => write(address, change)
  const go = (change: Change): void => {
    hasNavigated = true
    if (href(change) !== `${location.pathname}${location.search}`) history.pushState(null, '', href(change))
    setAddress(read())
  }
  return <Context.Provider value={{ address, href, go }}>{children}</Context.Provider>
}

/** A link to an address of this page. The browser handles clicks with Ctrl or another button, as for any link. */
export function Link({ to, current, children, ...rest }: LinkProps): JSX.Element {
  const { href, go } = useAddress()
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    go(to)
  }
  return (
    <a {...rest} href={href(to)} onClick={follow} aria-current={current === true ? 'page' : current || undefined}>
      {children}
    </a>
  )
}

interface LinkProps {
  readonly to: Change
  /** Whether it is what is shown, or the place of what is shown. */
  readonly current?: boolean | 'page' | 'location'
  readonly class?: string
  readonly children: ComponentChildren
}
