/** Webhooks: where events go, what waits, and what could not be delivered, to be sent again. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { Ask } from './ask.tsx'
import { graphql } from './graph.ts'
import { counted, Time, Title } from './parts.tsx'
import { Outcome } from './release-actions.tsx'
import { Table } from './table.tsx'
import { WebhookForm } from './webhook-form.tsx'

const Target = graphql(`
  fragment Target on Webhook {
    id
    url
    description
    isEnabled
    topics
    waitingCount
    deadLetters(first: 25) { totalCount nodes { key at type recordKey attempts failure failedAt } }
  }
`)

const Webhooks = graphql(
  `
  query Webhooks { webhooks(first: 100) { totalCount nodes { ...Target } } }
`,
  [Target],
)

const Retry = graphql(`
  mutation Retry($input: RetryDeadLettersInput!) { retryDeadLetters(input: $input) { retriedCount userErrors { message } } }
`)

/** The view of all webhooks. */
export function WebhooksView(): JSX.Element {
  return (
    <main class="centred">
      <Title>Webhooks</Title>
      <p class="soft">Addresses that are told when something changes.</p>
      <WebhookForm />
      <Ask query={Webhooks} variables={{}} link="webhooks">
        {({ webhooks }) =>
          webhooks.totalCount > 0 ? (
            <>
              {webhooks.nodes.map((webhook) => (
                <Receiver key={webhook.id} of={webhook} />
              ))}
              {webhooks.totalCount > webhooks.nodes.length && (
                <p class="soft">
                  The first {webhooks.nodes.length} of {webhooks.totalCount} webhooks.
                </p>
              )}
            </>
          ) : (
            <p class="empty">No webhook yet. Add the address of a system that should know of changes.</p>
          )
        }
      </Ask>
    </main>
  )
}

function Receiver({ of }: { readonly of: FragmentOf<typeof Target> }): JSX.Element {
  const { id, url, description, isEnabled, topics, waitingCount, deadLetters } = of
  const [retried, retry] = useMutation(Retry)
  const outcome = retried.data?.retryDeadLetters
  const send = (events: readonly string[] | null): void => {
    // The list is read again, although the payload names no webhook.
    const context = { additionalTypenames: ['Webhook'] }
    void retry({ input: { webhookId: id, ...(events && { events: [...events] }) } }, context)
  }
  return (
    <section class="webhook">
      <h2>{url}</h2>
      {description && <p>{description}</p>}
      <p class="soft">
        {isEnabled ? 'Enabled' : 'Paused'}, {counted(waitingCount, 'event')} waiting. Sends {topicWords(topics)}.
      </p>
      {deadLetters.totalCount > 0 && (
        <>
          <p>
            {counted(deadLetters.totalCount, 'event')} could not be delivered.{' '}
            <button type="button" disabled={retried.fetching} onClick={() => send(null)}>
              Send all again
            </button>
          </p>
          <Table titles={['Event', 'Written', 'Record', 'Attempts', 'Last failure', '']}>
            {deadLetters.nodes.map(({ key, type, at, recordKey, attempts, failure, failedAt }) => (
              <tr key={key}>
                <th scope="row">{type}</th>
                <td>
                  <Time at={at} />
                </td>
                <td>
                  <code>{recordKey}</code>
                </td>
                <td>{attempts}</td>
                <td>
                  {failure} {failedAt && <Time at={failedAt} />}
                </td>
                <td>
                  <button type="button" disabled={retried.fetching} onClick={() => send([key])}>
                    Send again
                  </button>
                </td>
              </tr>
            ))}
          </Table>
        </>
      )}
      <Outcome error={retried.error} userErrors={outcome?.userErrors}>
        {outcome?.retriedCount != null && <p>{counted(outcome.retriedCount, 'event')} will be sent again.</p>}
      </Outcome>
    </section>
  )
}

/** Topics as words, such as "products, prices". */
function topicWords(topics: readonly string[]): string {
  return topics.length === 0 ? 'everything' : topics.map((topic) => topic.toLowerCase().replaceAll('_', ' ')).join(', ')
}
