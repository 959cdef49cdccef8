/** Entries of the history, by day; what one operation wrote stands together. */
import type { FragmentOf } from 'gql.tada'
import { createContext, type JSX } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { Link, noRecord } from './address.tsx'
import { graphql, useGraph } from './graph.ts'
import { Differences } from './history-differences.tsx'
import { fieldWords } from './history-words.ts'
import { counted, readersZone } from './parts.tsx'
import { numberText } from './release-name.tsx'

/** What is shown of a write. */
export const Entry = graphql(`
  fragment Entry on HistoryEntry { key at kind recordType recordId operation subject role fields before after }
`)

type EntryOf = FragmentOf<typeof Entry>

const OwnersOf = graphql(`
  query OwnersOf($records: [ID!]!) {
    nodes(ids: $records) {
      ... on Release { id catalog { name } }
      ... on AccountSubscription { id subscriber { name } }
    }
  }
`)

/** The names of the catalogs of releases and of who subscribes, by the ids of the records. */
export const OwnerNames = createContext<ReadonlyMap<string, string>>(new Map())

/** Of the releases and subscriptions that are left, the latest hundred. */
export function useOwnerNames(entries: readonly EntryOf[]): ReadonlyMap<string, string> {
  const all = entries.filter(({ recordType }) => /^(Release|AccountSubscription)$/.test(recordType))
  const records = [...new Set(all.map(({ recordId }) => recordId))].slice(0, 100)
  const found = useGraph(OwnersOf, { records }, records.length === 0).data?.nodes ?? []
  return new Map(
    found.flatMap((node) => {
      if (node && 'catalog' in node) return [[node.id, node.catalog.name]]
      return node && 'subscriber' in node ? [[node.id, node.subscriber.name]] : []
    }),
  )
}

/** The entries by their days, and those together that one operation wrote within a second to records of one kind. */
export function daysOf(entries: readonly EntryOf[]): (readonly [string, EntryOf[][]])[] {
  const days = new Map<string, EntryOf[][]>()
  let last: EntryOf | undefined
  for (const entry of entries) {
    const day = new Date(entry.at).toLocaleDateString(undefined, { dateStyle: 'full' })
    const groups = days.get(day) ?? []
    days.set(day, groups)
    const group = last && isTogether(last, entry) ? groups.at(-1) : undefined
    if (group) group.push(entry)
    else groups.push([entry])
    last = entry
  }
  return [...days]
}

/** Milliseconds between two writes of one operation. */
const TOGETHER = 1_000

const isTogether = (one: EntryOf, other: EntryOf): boolean =>
  Math.abs(Date.parse(one.at) - Date.parse(other.at)) < TOGETHER &&
  (['subject', 'operation', 'kind', 'recordType'] as const).every((member) => one[member] === other[member])

interface EntriesProps {
  readonly of: readonly EntryOf[]
  /** Whether the operation may have written more, which is not listed yet. */
  readonly isCut: boolean
}

/** One write, or several that one operation did. */
export function Entries({ of: [first, ...rest], isCut }: EntriesProps): JSX.Element | null {
  if (!first) return null
  return rest.length > 0 ? <Together of={[first, ...rest]} isCut={isCut} /> : <Written of={first} />
}

const verbs = { CREATED: 'created', UPDATED: 'changed', DELETED: 'deleted' } as const

interface TogetherProps extends EntriesProps {
  readonly of: readonly [EntryOf, ...EntryOf[]]
}

/** What one operation wrote: how many records, and the names of the first. */
function Together({ of, isCut }: TogetherProps): JSX.Element {
  const { at, kind, recordType, subject } = of[0]
  const owners = useContext(OwnerNames)
  const names = of.slice(0, 3).map((entry) => nameOf(entry, owners))
  const fields = new Set(of.flatMap(changedOf))
  return (
    <details class="written together">
      <summary>
        <Clock at={at} /> <b>{subject}</b> {verbs[kind]} {isCut && 'at least '}
        {counted(of.length, noun(recordType))}: <bdi>{names.filter(Boolean).join(', ')}</bdi>
        {isCut ? ' and more' : of.length > 3 && ` and ${of.length - 3} more`}{' '}
        <span class="soft">{kind === 'UPDATED' ? [...fields].map(fieldWords).join(', ') : ''}</span>
      </summary>
      {of.map((entry) => (
        <Written key={entry.key} of={entry} />
      ))}
    </details>
  )
}

/** What an entry does not show: the record's own id, and the instant of the write, which stands before it. */
const HIDDEN = ['id', 'renamedAt', 'updatedAt']

const changedOf = ({ fields }: EntryOf): string[] => fields.filter((field) => !HIDDEN.includes(field))

/** One write; its members are shown when it is opened. */
function Written({ of }: { readonly of: EntryOf }): JSX.Element {
  const { at, kind, recordType, recordId, operation, subject, role } = of
  const owners = useContext(OwnerNames)
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="written" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Clock at={at} /> <b>{subject}</b> {verbs[kind]} {noun(recordType)} <bdi>{nameOf(of, owners)}</bdi>{' '}
        <span class="soft">{kind === 'UPDATED' ? changedOf(of).map(fieldWords).join(', ') : ''}</span>
      </summary>
      <p class="soft">
        {operation}, as {role.toLowerCase()}. <Link to={{ ...noRecord, record: recordId }}>All writes of it</Link>
      </p>
      {isOpen && <Differences of={of} fields={changedOf(of)} />}
    </details>
  )
}

/** The time of a day that is the heading. */
function Clock({ at }: { readonly at: string }): JSX.Element {
  return (
    <time dateTime={at} title={readersZone}>
      {new Date(at).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })}
    </time>
  )
}

/** What people call a record: its name, its SKU, number and name of a release, or who subscribes. */
function nameOf({ recordId, before, after }: EntryOf, owners: ReadonlyMap<string, string>): string {
  const { name, sku, sequence, url }: Record<string, unknown> = { ...(before as object), ...(after as object) }
  const owner = owners.get(recordId)
  const isRelease = typeof sequence === 'number'
  const number = isRelease ? `no. ${numberText({ sequence, name: name as string | null })}` : null
  const owned = [number, owner && `of ${owner}`].filter(Boolean).join(' ')
  return String((isRelease ? null : name) ?? sku ?? (owned || url) ?? '')
}

/** `ProductPrice` as "product price"; the subscription of an account is what people call one. */
const noun = (type: string): string =>
  type
    .replace(/^Account(?=Subscription)/, '')
    .replace(/[A-Z]/g, (letter, at) => `${at > 0 ? ' ' : ''}${letter.toLowerCase()}`)
