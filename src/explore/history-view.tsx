/** History: who wrote what and when, newest first, with each member before and after. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Link, useAddress } from './address.tsx'
import { Answer } from './ask.tsx'
import { graphql } from './graph.ts'
import { useList } from './list.ts'
import { Head, longer, More, Time, Title, useValue } from './parts.tsx'

const Entry = graphql(`
  fragment Entry on HistoryEntry { key at kind recordType recordId operation subject role fields before after }
`)

const History = graphql(
  `
  query History($record: ID, $topic: HistoryTopic, $subject: String, $first: Int!, $after: String) {
    history(filter: { recordId: $record, topic: $topic, subject: $subject }, first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { ...Entry }
    }
  }
`,
  [Entry],
)

/** The kinds of records, by the words that people use for them. */
const topics = {
  PRODUCT: 'Products',
  PRODUCT_PRICE: 'Prices',
  PRICE_BOOK: 'Price books',
  PRICE_MODIFIER: 'Price modifiers',
  CATALOG: 'Catalogs',
  CATALOG_NODE: 'Categories',
  CATALOG_RULE: 'Rules',
  LABEL: 'Labels',
  RELEASE: 'Releases',
  SUBSCRIPTION: 'Subscriptions',
  SUBSCRIPTION_PRODUCT: 'Subscription products',
  PLAN: 'Plans',
  OFFERING: 'Offerings',
  WEBHOOK: 'Webhooks',
} as const

type Topic = keyof typeof topics

/** The view of the store's history, or of one record's. */
export function HistoryView(): JSX.Element {
  const { address, go } = useAddress()
  const [count, setCount] = useState(25)
  const { record = null, subject = null } = address
  const topic = address.topic !== undefined && address.topic in topics ? (address.topic as Topic) : null
  const variables = { record, topic, subject }
  const list = useList({ query: History, variables, connectionOf: (data) => data.history, count })
  return (
    <main>
      <Title>History</Title>
      <div class="fields">
        <label class="field">
          What
          <select onChange={({ currentTarget }) => go({ topic: currentTarget.value || null })}>
            <option value="">everything</option>
            {Object.entries(topics).map(([value, label]) => (
              <option key={value} value={value} selected={value === topic}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          By
          <input
            ref={useValue(subject ?? '')}
            placeholder="anybody"
            onChange={({ currentTarget }) => go({ subject: currentTarget.value.trim() || null })}
          />
        </label>
        <label class="field">
          Record
          <input
            size={38}
            ref={useValue(record ?? '')}
            placeholder="any id"
            onChange={({ currentTarget }) => go({ record: currentTarget.value.trim() || null })}
          />
        </label>
      </div>
      <Answer
        query={History}
        variables={{ ...variables, first: Math.min(count, 100), after: null }}
        result={list}
        link="history"
      >
        {({ history }) =>
          history.totalCount > 0 ? (
            <>
              {list.nodes.map((entry) => (
                <Written key={entry.key} of={entry} />
              ))}
              <More total={history.totalCount} shown={list.nodes.length} more={() => setCount(longer(count))} />
            </>
          ) : (
            <p class="empty">Nothing was written that fits. Choose "everything", or leave out the record.</p>
          )
        }
      </Answer>
    </main>
  )
}

const verbs = { CREATED: 'created', UPDATED: 'changed', DELETED: 'deleted' } as const

/** One write; its members are shown when it is opened. */
function Written({ of }: { readonly of: FragmentOf<typeof Entry> }): JSX.Element {
  const { at, kind, recordType, recordId, operation, subject, role, fields } = of
  const before = (of.before ?? {}) as Record<string, unknown>
  const after = (of.after ?? {}) as Record<string, unknown>
  const sides = kind === 'UPDATED' ? [before, after] : [kind === 'CREATED' ? after : before]
  return (
    <details class="written">
      <summary>
        <Time at={at} /> <b>{subject}</b> {verbs[kind]} {noun(recordType)} <bdi>{nameOf({ ...before, ...after })}</bdi>{' '}
        <span class="soft">{kind === 'UPDATED' ? fields.join(', ') : ''}</span>
      </summary>
      <p class="soft">
        {operation}, as {role.toLowerCase()}. <Link to={{ record: recordId, topic: null }}>All writes of it</Link>
      </p>
      <div class="wide">
        <table>
          <Head titles={['Member', ...(kind === 'UPDATED' ? ['Before', 'After'] : ['Value'])]} />
          <tbody>
            {fields.map((field) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                {sides.map((side) => (
                  <td key={side === after ? 'after' : 'before'}>
                    <Value of={memberOf(side, field)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

/** What people call a record: its name, its SKU, or the number of a release. */
function nameOf({ name, sku, sequence, url }: Record<string, unknown>): string {
  const number = typeof sequence === 'number' ? `no. ${sequence}` : null
  return String(name ?? sku ?? number ?? url ?? '')
}

/** `ProductPrice` as "product price". */
const noun = (type: string): string =>
  type.replace(/[A-Z]/g, (letter, at) => `${at > 0 ? ' ' : ''}${letter.toLowerCase()}`)

/** A member by its name in the graph; records have them in either form. */
function memberOf(record: Record<string, unknown>, field: string): unknown {
  return record[field] ?? record[field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function Value({ of }: { readonly of: unknown }): JSX.Element {
  if (of === null || of === undefined) return <span class="soft">none</span>
  if (typeof of === 'object') return <code class="json">{JSON.stringify(of, null, 1)}</code>
  const text = String(of)
  return INSTANT.test(text) ? <Time at={text} /> : <bdi>{text}</bdi>
}
