/** Rules: which catalog a shopper sees, and why. */
import type { JSX } from 'preact'
import { AccountNames } from './account-names.tsx'
import { Link, noView, useAddress } from './address.tsx'
import { Ask } from './ask.tsx'
import { graphql } from './graph.ts'
import { Title, useValue } from './parts.tsx'
import { Table } from './table.tsx'

/** Rules that the page shows. */
const RULES_SHOWN = 100

const Explanation = graphql(`
  query WhichCatalog(
    $account: ID
    $accountId: ID!
    $isAccount: Boolean!
    $channel: String
    $tags: [String!]
    $proved: Boolean!
    $first: Int!
  ) {
    account(id: $accountId) @include(if: $isAccount) { id }
    storefrontExplanation(account: $account, channel: $channel, tags: $tags, proved: $proved) {
      ruleCount
      catalog { id name }
      rules(first: $first) {
        outcome
        matched
        unmatched
        rule { id name accountIds channels tags schedules { validFrom validTo } catalog { id name settings { confidential } } }
      }
    }
  }
`)

const reasons = {
  CHOSEN: 'Chosen',
  FEWER_MATCHES: 'The chosen rule matches more',
  MORE_UNMATCHED: 'The chosen rule asks for less that does not match',
  NEWER: 'The chosen rule matches alike, and is older',
  NOT_IN_FORCE: 'Its schedule does not run now',
  NOT_PROVED: 'Its catalog is confidential, and the token does not prove this',
  NO_MATCH: 'Nothing of it matches',
} as const

/** Whether a text is a name or an email: ids have digits, and neither spaces nor full stops. */
const isName = (account: string): boolean => /[@.\s]/.test(account) || !/\d/.test(account)

/** The view that explains which catalog a shopper gets. */
export function RulesView(): JSX.Element {
  const { address, go } = useAddress()
  const { account, channel, tag, proved } = address
  return (
    <main class="centred">
      <Title>Who sees what</Title>
      <p class="soft">
        Which catalog a shopper sees, and why. Rules choose it by the account, and by channel and tags; a confidential
        catalog only by those in the shopper's token.
      </p>
      <div class="fields">
        <label class="field">
          Account
          <input
            size={38}
            placeholder="none"
            ref={useValue(account ?? '')}
            onChange={({ currentTarget }) => go({ account: currentTarget.value.trim() || null })}
          />
        </label>
        <AccountNames of={account && isName(account) ? undefined : account} />
        <label class="field">
          Channel
          <input
            placeholder="none"
            ref={useValue(channel ?? '')}
            onChange={({ currentTarget }) => go({ channel: currentTarget.value.trim() || null })}
          />
        </label>
        <label class="field">
          Tags
          <input
            placeholder="none"
            ref={useValue(tag ?? '')}
            onChange={({ currentTarget }) => go({ tag: currentTarget.value.trim() || null })}
          />
        </label>
        <label class="field">
          <input
            type="checkbox"
            checked={proved === 'true'}
            onChange={({ currentTarget }) => go({ proved: currentTarget.checked ? 'true' : null })}
          />
          channel and tags are in the token
        </label>
      </div>
      {account && isName(account) ? (
        <p class="failed" role="alert">
          An account is asked for by its id, which this is not.{' '}
          <Link to={{ ...noView, view: 'subscriptions', who: account }}>Find “{account}” among the subscribers</Link>
          {'; from each a link leads here.'}
        </p>
      ) : (
        <Ask
          query={Explanation}
          variables={{
            account: account ?? null,
            accountId: account ?? '',
            isAccount: account !== undefined,
            channel: channel ?? null,
            tags: tag ? tag.split(',') : null,
            proved: proved === 'true',
            first: RULES_SHOWN,
          }}
          link="rules"
        >
          {({ account: known, storefrontExplanation: { catalog, rules, ruleCount } }) => (
            <>
              {account && !known && !rules.some(({ matched }) => matched.includes('ACCOUNT')) && (
                <p class="failed" role="alert">
                  No subscription or rule names this account. Is its id right? What follows is of any unknown account.
                </p>
              )}
              <p class="verdict">
                {catalog ? (
                  <>
                    This shopper sees{' '}
                    <Link to={{ ...noView, view: 'releases', catalog: catalog.id }}>{catalog.name}</Link>
                    {rules.some(({ outcome }) => outcome === 'CHOSEN') ? '.' : ', since no rule matches.'}
                  </>
                ) : (
                  'This shopper sees no catalog: none that is not confidential is published.'
                )}
              </p>
              {catalog && (
                <p>
                  <Link to={{ ...noView, account: account ?? null, seen: catalog.id, channel: null, tag: null }}>
                    See its products and prices as this shopper does
                  </Link>
                </p>
              )}
              {(rules.some(({ outcome }) => outcome === 'NOT_PROVED') || (proved === 'true' && (channel || tag))) && (
                <p class="soft">
                  A shopper gets a confidential catalog by the own token alone. To an administrator the Catalog view
                  shows it by the channel and tags that are chosen above, too.
                </p>
              )}
              {ruleCount === 0 ? (
                <p class="empty">There is no rule. Everybody sees the catalog that was published first.</p>
              ) : (
                <>
                  <Table titles={['Rule', 'Catalog', 'Matches', 'Does not match', 'Why']}>
                    {rules.map(({ rule, outcome, matched, unmatched }) => (
                      <tr key={rule.id} class={outcome === 'CHOSEN' ? 'chosen' : undefined}>
                        <th scope="row">{rule.name}</th>
                        <td>
                          <Link to={{ ...noView, view: 'releases', catalog: rule.catalog.id }}>
                            {rule.catalog.name}
                          </Link>
                          {rule.catalog.settings?.confidential && <span class="soft"> (confidential)</span>}
                        </td>
                        <td>{matched.map((one) => criterion(one, rule)).join('; ')}</td>
                        <td>{unmatched.map((one) => criterion(one, rule)).join('; ')}</td>
                        <td>{reasons[outcome]}</td>
                      </tr>
                    ))}
                  </Table>
                  {ruleCount > rules.length && (
                    <p class="soft">
                      The first {rules.length} of {ruleCount} rules.
                    </p>
                  )}
                </>
              )}
            </>
          )}
        </Ask>
      )}
    </main>
  )
}

/** A criterion with its values, the first three of many. */
function criterion(
  name: 'ACCOUNT' | 'CHANNEL' | 'TAGS',
  rule: {
    readonly accountIds: readonly unknown[]
    readonly channels: readonly string[]
    readonly tags: readonly string[]
  },
): string {
  if (name === 'ACCOUNT') return rule.accountIds.length === 1 ? 'its account' : `its ${rule.accountIds.length} accounts`
  const [label, values] = name === 'CHANNEL' ? ['channel', rule.channels] : ['tag', rule.tags]
  return `${label} ${values.slice(0, 3).join(', ')}${values.length > 3 ? ' …' : ''}`
}
