/** The form that makes a webhook, and its secret, which is shown once. */
import { useMutation } from '@urql/preact'
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { FieldErrors } from './field-errors.tsx'
import { graphql } from './graph.ts'
import { dropKept, hasKept, KeptForm } from './kept-form.tsx'
import { useRepeat } from './live.tsx'
import { plain, saying } from './parts.tsx'
import { Outcome } from './release-actions.tsx'

const Create = graphql(`
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      webhookSecret { secret webhook { id url } }
      userErrors { message path }
    }
  }
`)

const topics = [
  'PRODUCT',
  'PRODUCT_PRICE',
  'PRICE_BOOK',
  'PRICE_MODIFIER',
  'CATALOG',
  'CATALOG_NODE',
  'CATALOG_RULE',
  'LABEL',
  'RELEASE',
  'SUBSCRIPTION',
  'SUBSCRIPTION_PRODUCT',
  'PLAN',
  'OFFERING',
] as const

/** What the form is kept by. */
const NAME = 'webhook'

/** The members whose errors stand beside their fields. */
const shownMembers = ['url', 'description', 'topics']

export function WebhookForm(): JSX.Element {
  const [isOpen, setOpen] = useState(() => hasKept(NAME))
  const [{ data, error, fetching }, create] = useMutation(Create)
  const repeat = useRepeat()
  const errors = data?.createWebhook.userErrors ?? []
  const made = data?.createWebhook.webhookSecret
  const close = (): void => {
    dropKept(NAME)
    setOpen(false)
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const input = {
      url: String(form.get('url')).trim(),
      description: String(form.get('description')).trim() || null,
      topics: topics.filter((topic) => form.has(topic)),
    }
    void create({ input }).then((result) => {
      if (result.data?.createWebhook.userErrors.length !== 0) return
      close()
      repeat()
    })
  }
  return (
    <>
      {made && !isOpen && (
        <div class="question" role="status">
          <p>
            Events go to <b>{made.webhook.url}</b> from now on. They are signed with this secret, which is shown only
            now:
          </p>
          <p>
            <code class="secret">{made.secret}</code>
          </p>
        </div>
      )}
      {isOpen ? (
        <KeptForm name={NAME} class="question webhook-form" onSubmit={submit}>
          <label class="field">
            Address
            <input
              name="url"
              type="url"
              size={40}
              required
              placeholder="https://example.com/events"
              {...saying('Type a whole address, such as https://example.com/events.')}
            />
          </label>
          <FieldErrors of={errors} at={['url']} />
          <label class="field">
            What it is for
            <input name="description" size={40} />
          </label>
          <FieldErrors of={errors} at={['description']} />
          <fieldset>
            <legend>It is told of changes of</legend>
            {topics.map((topic) => (
              <label key={topic} class="field">
                <input type="checkbox" name={topic} />
                {plain(topic)}
              </label>
            ))}
          </fieldset>
          <FieldErrors of={errors} at={['topics']} />
          <button type="submit" class="primary" disabled={fetching}>
            Add it
          </button>{' '}
          <button type="button" onClick={close}>
            Close
          </button>
          <Outcome error={error} userErrors={errors.filter(({ path: [at = ''] }) => !shownMembers.includes(at))} />
        </KeptForm>
      ) : (
        <p>
          <button type="button" class="primary" onClick={() => setOpen(true)}>
            Add endpoint
          </button>
        </p>
      )}
    </>
  )
}
