/** Publishing: at once or at an instant, after a dry run. */
import type { CombinedError } from '@urql/core'
import { useMutation } from '@urql/preact'
import type { ComponentChildren, JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { messageOf } from './ask.tsx'
import { Carries, Carry } from './carries.tsx'
import { graphql } from './graph.ts'
import { counted, plain, saying } from './parts.tsx'
import { Warnings } from './release-warnings.tsx'

const PublishRelease = graphql(
  `
  mutation PublishRelease($input: PublishReleaseInput!) {
    publishRelease(input: $input) {
      release {
        id
        sequence
        status
        productCount
        nodeCount
        warningCount
        warnings { code count sku currency tier sale skus skuCount slug hierarchyId priceBookId nodeCount scheduledFor }
        carries { ...Carry }
      }
      userErrors { message }
    }
  }
`,
  [Carry],
)

interface Outcome {
  readonly error?: CombinedError | undefined
  readonly userErrors: readonly { readonly message: string }[] | undefined
  readonly children?: ComponentChildren
}

/** The result of a mutation: its errors, or else the children. */
export function Outcome({ error, userErrors = [], children }: Outcome): JSX.Element {
  const failures = [...(error ? [messageOf(error)] : []), ...userErrors.map(({ message }) => message)]
  return (
    <div role="status">
      {failures.length > 0
        ? failures.map((message) => (
            <p key={message} class="failed">
              {message}
            </p>
          ))
        : children}
    </div>
  )
}

interface PublishProps {
  readonly catalogId: string
  readonly fromDraft: string
  /** Whether the draft is being read again, after which it may be another one. */
  readonly isReading?: boolean
}

/** Publishes exactly the draft that is shown, after a dry run has reported the result. */
export function Publish({ catalogId, fromDraft, isReading = false }: PublishProps): JSX.Element {
  const [trial, tryOut] = useMutation(PublishRelease)
  const [publication, publish] = useMutation(PublishRelease)
  // A dry run holds for its draft, until that is published.
  const [draftTried, setDraftTried] = useState<string | null>(null)
  const tried = draftTried === fromDraft ? trial.data?.publishRelease : undefined
  const done = publication.data?.publishRelease
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const at = String(new FormData(event.currentTarget).get('at') ?? '')
    void publish({ input: { catalogId, fromDraft, ...instantOf(at) } }).then(() => setDraftTried(null))
  }
  const tryDraft = (): void => {
    setDraftTried(fromDraft)
    void tryOut({ input: { catalogId, fromDraft, dryRun: true } })
  }
  return (
    <div class="actions">
      <button type="button" disabled={trial.fetching || isReading} onClick={tryDraft}>
        Dry run
      </button>
      <Outcome error={trial.error} userErrors={tried?.userErrors}>
        {tried?.release && (
          <form onSubmit={submit}>
            <p>
              It would show {counted(tried.release.productCount, 'product')} in{' '}
              {counted(tried.release.nodeCount, 'category', 'categories')}, with{' '}
              {counted(tried.release.warningCount, 'warning')}.
            </p>
            <Warnings count={tried.release.warningCount} warnings={tried.release.warnings} />
            <Carries carries={tried.release.carries} isDone={false} />
            <At />
            <button type="submit" disabled={publication.fetching}>
              Publish
            </button>{' '}
            <span class="soft">Leave the time empty to publish now.</span>
          </form>
        )}
      </Outcome>
      <Outcome error={publication.error} userErrors={done?.userErrors}>
        {done?.release && (
          <>
            <p>
              Release {done.release.sequence} is {plain(done.release.status)}.
            </p>
            <Carries carries={done.release.carries} isDone />
          </>
        )}
      </Outcome>
    </div>
  )
}

/** The instant of an action. */
export function At(): JSX.Element {
  return (
    <label class="field">
      At
      <input type="datetime-local" name="at" {...saying('Complete the date and the time, or clear both.')} />
    </label>
  )
}

/** The member `at` of a mutation's input from the typed text; absent for an empty one. */
export const instantOf = (local: string): { at?: string } => (local ? { at: new Date(local).toISOString() } : {})
