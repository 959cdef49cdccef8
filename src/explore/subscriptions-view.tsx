/** Subscriptions: all of them, those of an account, or those of a subscriber by name or email. */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { AccountNames } from './account-names.tsx'
import { Link, useAddress } from './address.tsx'
import { Answer } from './ask.tsx'
import { graphql } from './graph.ts'
import type { Phase } from './life-parts.ts'
import { useList } from './list.ts'
import { useAccountEvents } from './live.tsx'
import { longer, More, Title, useValue } from './parts.tsx'
import { useSession } from './session.tsx'
import { Subscribed, Subscription } from './subscription.tsx'
import { AllSubscriptions, PhaseField } from './subscription-list.tsx'
import { asName } from './text-values.ts'

const Subscriptions = graphql(
  `
  query Subscriptions($account: ID!, $first: Int!, $after: String) {
    account(id: $account) {
      id
      subscriptions(first: $first, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes { ...Subscribed }
      }
    }
  }
`,
  [Subscribed],
)

const Found = graphql(
  `
  query FoundSubscriptions($filter: AccountSubscriptionFilter!, $first: Int!, $after: String) {
    subscriptions(filter: $filter, first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { ...Subscribed }
    }
  }
`,
  [Subscribed],
)

/** Subscriptions that are shown at first. */
const STEP = 25

/** Subscriptions of which all is shown at first; of a longer list the parts of invoices are read one by one. */
const FEW = 5

/** The view of subscriptions: an administrator begins with the list of all, a shopper with those of the own account. */
export function SubscriptionsView(): JSX.Element {
  const { address, go } = useAddress()
  const { account: own, role } = useSession()
  const who = role === 'admin' ? address.who : undefined
  const account = address.account ?? (role === 'admin' ? '' : (own ?? ''))
  const isAll = role === 'admin' && !account && !who
  const [phase, setPhase] = useState<Phase | null>(null)
  useAccountEvents(account)
  return (
    <main>
      <Title>Subscriptions</Title>
      <div class="fields">
        <label class="field">
          Account
          <input
            size={40}
            placeholder={role === 'admin' ? 'any id' : undefined}
            ref={useValue(account)}
            onChange={({ currentTarget }) => go({ account: currentTarget.value.trim(), who: null })}
          />
        </label>
        <AccountNames of={account} />
        {role === 'admin' && (
          <label class="field">
            Name or email
            <input
              size={30}
              placeholder="any part of it"
              ref={useValue(who)}
              onChange={({ currentTarget }) => go({ who: currentTarget.value.trim(), account: null })}
            />
          </label>
        )}
        {isAll && <PhaseField phase={phase} choose={setPhase} />}
      </div>
      {account ? (
        <OfAccount key={account} account={account} />
      ) : who ? (
        <OfSubscriber key={who} who={who} />
      ) : role === 'admin' ? (
        <AllSubscriptions phase={phase} />
      ) : (
        <p class="empty">Type the id of an account.</p>
      )}
    </main>
  )
}

function OfAccount({ account }: { readonly account: string }): JSX.Element {
  const [count, setCount] = useState(STEP)
  const variables = { account }
  const list = useList({ query: Subscriptions, variables, connectionOf: (data) => data.account?.subscriptions, count })
  return (
    <Answer
      query={Subscriptions}
      variables={{ ...variables, first: Math.min(count, 100), after: null }}
      result={list}
      link="subscriptions"
    >
      {({ account: found }) =>
        found && found.subscriptions.totalCount > 0 ? (
          <SubscriptionList nodes={list.nodes} total={found.subscriptions.totalCount} setCount={setCount} />
        ) : (
          <p class="empty">This account has no subscription that this token may see.</p>
        )
      }
    </Answer>
  )
}

function OfSubscriber({ who }: { readonly who: string }): JSX.Element {
  const [count, setCount] = useState(STEP)
  const variables = { filter: who.includes('@') ? { email: { contains: who } } : { name: { contains: who } } }
  const list = useList({ query: Found, variables, connectionOf: (data) => data.subscriptions, count })
  return (
    <Answer
      query={Found}
      variables={{ ...variables, first: Math.min(count, 100), after: null }}
      result={list}
      link="subscriptions"
    >
      {({ subscriptions: { totalCount } }) =>
        totalCount > 0 ? (
          <SubscriptionList nodes={list.nodes} total={totalCount} setCount={setCount} />
        ) : (
          <p class="empty">
            No subscriber has this {who.includes('@') ? 'email' : 'name'}; a text with @ is looked for in emails.
            {asName(who) !== who && !who.includes('@') && (
              <>
                {' '}
                Small and capital letters differ: <Link to={{ who: asName(who) }}>look for “{asName(who)}”</Link>.
              </>
            )}
          </p>
        )
      }
    </Answer>
  )
}

interface ListProps {
  readonly nodes: readonly FragmentOf<typeof Subscribed>[]
  readonly total: number
  readonly setCount: (count: number) => void
}

function SubscriptionList({ nodes, total, setCount }: ListProps): JSX.Element {
  return (
    <>
      {nodes.map((subscription) => (
        <Subscription key={subscription.id} of={subscription} isOfFew={total <= FEW} />
      ))}
      <More total={total} shown={nodes.length} more={() => setCount(longer(nodes.length))} />
    </>
  )
}
