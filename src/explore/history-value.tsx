/** Values of the history as people read them: names for ids, amounts with their currency, what is nested as lines. */
import { createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { isObject, type Json, type JsonObject, namesRecord } from './history-names.ts'
import { fieldWords, plainWord } from './history-words.ts'
import { useMoney } from './money.ts'
import { Time } from './parts.tsx'
import { languageName } from './text-values.ts'

/** What is known of the entry that a value stands in. */
interface Known {
  /** Names by the raw ids of records. */
  readonly names: ReadonlyMap<string, string>
  /** The currency of its amounts, where it has one. */
  readonly currency: string | null
}

export const Known = createContext<Known>({ names: new Map(), currency: null })

/** Items of a list that are shown. */
const ITEMS_MAX = 50

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
/** Members that hold instants, which some parts of the log have in epoch milliseconds. */
const INSTANTS = /^(at|scheduled_for)$/

interface ValueProps {
  readonly of: Json | undefined
  /** The name of its member, or of the list that it is in. */
  readonly member: string
  /** What its member is nested in. */
  readonly within?: string
}

/** Whether there is nothing to be read. */
export const isNone = (value: Json | undefined): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

export function Value({ of, member, within = '' }: ValueProps): JSX.Element {
  if (isNone(of) || of === undefined || of === null) return <span class="soft">none</span>
  if (Array.isArray(of)) return <List of={of} member={member} />
  return isObject(of) ? (
    <Nested of={of} member={member} within={within} />
  ) : (
    <Plain of={of as string | number | boolean} member={member} />
  )
}

interface PlainProps {
  readonly of: string | number | boolean
  readonly member: string
}

function Plain({ of, member }: PlainProps): JSX.Element {
  const { names, currency } = useContext(Known)
  const money = useMoney()
  if (typeof of === 'boolean') return <>{of ? 'yes' : 'no'}</>
  if (typeof of === 'number') {
    if (INSTANTS.test(member)) return <Time at={new Date(of).toISOString()} />
    return <>{currency && member === 'unitAmount' ? money(of, currency) : of.toLocaleString()}</>
  }
  return INSTANT.test(of) ? <Time at={of} /> : <bdi>{names.get(of) ?? plainWord(member, of)}</bdi>
}

function List({ of, member }: { readonly of: readonly Json[]; readonly member: string }): JSX.Element {
  const isLines = of.length > 1 || of.some((one) => typeof one === 'object')
  if (!isLines) return <Value of={of[0]} member={member} />
  return (
    <ul class="lines">
      {of.slice(0, ITEMS_MAX).map((one, index) => (
        <li key={index}>
          <Value of={one} member={member} />
        </li>
      ))}
      {of.length > ITEMS_MAX && <li class="soft">and {(of.length - ITEMS_MAX).toLocaleString()} more</li>}
    </ul>
  )
}

interface NestedProps {
  readonly of: JsonObject
  readonly member: string
  readonly within: string
}

/** An object of one of the forms that the log has. */
function Nested({ of, member, within }: NestedProps): JSX.Element {
  if (isItem(of)) return <Item of={of} />
  if (/^[A-Z]{3}$/.test(member) && ('amount' in of || 'tiers' in of)) return <Price of={of} currency={member} />
  return <Members of={of} member={member} within={within} />
}

const isItem = (of: JsonObject): boolean => 'productId' in of && 'quantity' in of

/** An item of an agreement. */
function Item({
  of: { productId, name, sku, quantity, unitAmount, includesTax },
}: {
  readonly of: JsonObject
}): JSX.Element {
  const { names } = useContext(Known)
  return (
    <>
      {Number(quantity).toLocaleString()} ×{' '}
      <bdi>{String(name ?? names.get(String(productId)) ?? 'a product that is gone')}</bdi>
      {sku && ` (${sku})`} at {isNone(unitAmount) ? 'no price' : <Plain of={Number(unitAmount)} member="unitAmount" />}
      {!isNone(unitAmount) && <Tax is={includesTax} />}
    </>
  )
}

const Tax = ({ is }: { readonly is: Json | undefined }): JSX.Element => (
  <span class="soft"> {is ? 'with tax' : 'without tax'}</span>
)

/** The price of a currency with its tiers, the smallest quantity first. */
function Price({ of, currency }: { readonly of: JsonObject; readonly currency: string }): JSX.Element {
  const money = useMoney()
  const amountOf = (amount: Json | undefined): string =>
    typeof amount === 'number' ? money(amount, currency) : 'no price'
  const tiers = Object.entries(isObject(of.tiers) ? of.tiers : {}).flatMap(([name, tier]) =>
    isObject(tier) ? [{ name, from: Number(tier.minimum_quantity), amount: tier.amount }] : [],
  )
  return (
    <>
      {amountOf(of.amount)}
      <Tax is={of.includes_tax} />
      {tiers.length > 0 && (
        <ul class="lines">
          {tiers
            .sort((one, other) => one.from - other.from)
            .map(({ name, from, amount }) => (
              <li key={name}>
                from {from.toLocaleString()}: {amountOf(amount)} <bdi class="soft">{name}</bdi>
              </li>
            ))}
        </ul>
      )}
    </>
  )
}

/** Members that say nothing to a reader. */
const hidden = new Set(['id', 'name', 'productPriceId', 'pauseId', 'createdAt', 'updatedAt'])
/** Members whose value stands for an object without a name. */
const kinds = ['type', 'action'] as const

/** The name of the object, and its members below that. Texts of a language, and what clients choose, have none. */
function Members({ of, member, within }: NestedProps): JSX.Element {
  const { names } = useContext(Known)
  const { id, name } = of
  const isFree = within === 'locales' || within === 'extensions' || /Attributes$/.test(member)
  const isRecord = namesRecord(member) && typeof id === 'string'
  const kind = isRecord || isFree ? undefined : kinds.find((one) => typeof of[one] === 'string')
  const named = name ?? (isRecord ? names.get(id) : kind && plainWord(kind, String(of[kind]))) ?? id
  const title = isFree ? undefined : named
  const shown = Object.entries(of).filter(
    ([key, value]) => (isFree || !hidden.has(key)) && key !== kind && !(isRecord && key === 'type') && !isNone(value),
  )
  const lines = (
    <ul class="lines">
      {shown.map(([key, value]) => (
        <li key={key}>
          {isObject(value) && value.name && member !== 'locales' ? null : (
            <span class="soft">{memberWords(key, member)}: </span>
          )}
          <Value of={value} member={key} within={member} />
        </li>
      ))}
    </ul>
  )
  if (!title) return lines
  // What is short stands in one line.
  const isShort = shown.every(([, value]) => typeof value !== 'object')
  return (
    <>
      <bdi>{String(title)}</bdi>
      {isShort
        ? shown.map(([key, value]) => (
            <span key={key}>
              , <span class="soft">{memberWords(key, member)}</span> <Value of={value} member={key} within={member} />
            </span>
          ))
        : lines}
    </>
  )
}

/** Members whose keys are chosen by clients. */
const chosen =
  /^(adminAttributes|shopperAttributes|extensions|customInputs|components|products|currencies|price|fixedPrice)$/

/** A member in words: that of a language by its name, one that a client chose as it is. */
export function memberWords(key: string, within: string): string {
  if (within === 'locales') return languageName(key) ?? key
  return chosen.test(within) ? key : fieldWords(key)
}
