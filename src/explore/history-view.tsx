/** History: who wrote what and when, newest first, with each member before and after. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { Answer } from './ask.tsx'
import { graphql } from './graph.ts'
import { daysOf, Entries, Entry, OwnerNames, useOwnerNames } from './history-entries.tsx'
import { useList } from './list.ts'
import { longer, More, Title, useValue } from './parts.tsx'

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
  const owners = useOwnerNames(list.nodes)
  return (
    <main class="centred">
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
            <OwnerNames.Provider value={owners}>
              {daysOf(list.nodes).map(([day, groups]) => (
                <section key={day} class="day">
                  <h2>{day}</h2>
                  {groups.map((entries) => (
                    <Entries
                      key={entries[0]?.key}
                      of={entries}
                      isCut={list.nodes.length < history.totalCount && entries.at(-1) === list.nodes.at(-1)}
                    />
                  ))}
                </section>
              ))}
              <More
                lastOf="writes"
                total={history.totalCount}
                shown={list.nodes.length}
                more={() => setCount(longer(count))}
              />
            </OwnerNames.Provider>
          ) : (
            <p class="empty">Nothing was written that fits. Choose "everything", or leave out the record.</p>
          )
        }
      </Answer>
    </main>
  )
}
