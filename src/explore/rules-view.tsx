/** Rules: which catalog a shopper sees, and why. */
import type { JSX } from 'preact'
import { Link, useAddress } from './address.tsx'
import { Ask } from './ask.tsx'
import { graphql } from './graph.ts'
import { Head, Title, useValue } from './parts.tsx'

/** Rules that the page shows. */
const RULES_SHOWN = 100

const Explanation = graphql(`
  query WhichCatalog($account: ID, $channel: String, $tags: [String!], $proved: Boolean!, $first: Int!) {
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

/** The view that explains which catalog a shopper gets. */
export function RulesView(): JSX.Element {
  const { address, go } = useAddress()
  const { account, channel, tag, proved } = address
  return (
    <main>
      <Title>Which catalog does this shopper see?</Title>
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
      <Ask
        query={Explanation}
        variables={{
          account: account ?? null,
          channel: channel ?? null,
          tags: tag ? tag.split(',') : null,
          proved: proved === 'true',
          first: RULES_SHOWN,
        }}
        link="rules"
      >
        {({ storefrontExplanation: { catalog, rules, ruleCount } }) => (
          <>
            <p class="verdict">
              {catalog ? (
                <>
                  This shopper sees <Link to={{ view: 'releases', catalog: catalog.id }}>{catalog.name}</Link>
                  {rules.some(({ outcome }) => outcome === 'CHOSEN') ? '.' : ', since no rule is chosen.'}
                </>
              ) : (
                'This shopper sees no catalog: none that is not confidential is published.'
              )}
            </p>
            {ruleCount === 0 ? (
              <p class="empty">There is no rule. Everybody sees the catalog that was published first.</p>
            ) : (
              <div class="wide">
                <table>
                  <Head titles={['Rule', 'Catalog', 'Matches', 'Does not match', 'Why']} />
                  <tbody>
                    {rules.map(({ rule, outcome, matched, unmatched }) => (
                      <tr key={rule.id} class={outcome === 'CHOSEN' ? 'chosen' : undefined}>
                        <th scope="row">{rule.name}</th>
                        <td>
                          <Link to={{ view: 'releases', catalog: rule.catalog.id }}>{rule.catalog.name}</Link>
                          {rule.catalog.settings?.confidential && <span class="soft"> (confidential)</span>}
                        </td>
                        <td>{matched.map((one) => criterion(one, rule)).join('; ')}</td>
                        <td>{unmatched.map((one) => criterion(one, rule)).join('; ')}</td>
                        <td>{reasons[outcome]}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                {ruleCount > rules.length && (
                  <p class="soft">
                    The first {rules.length} of {ruleCount} rules.
                  </p>
                )}
              </div>
            )}
          </>
        )}
      </Ask>
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
