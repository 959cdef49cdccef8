/** Actions on a release: publish or schedule the draft after a dry run, withdraw a scheduled release, and make another one the latest. */
import { useMutation } from '@urql/preact'
import type { ComponentChildren, JSX, TargetedEvent } from 'preact'
import { graphql } from './graph.ts'

const PublishRelease = graphql(`
  mutation PublishRelease($input: PublishReleaseInput!) {
    publishRelease(input: $input) {
      release { id sequence status productCount nodeCount warningCount scheduledFor }
      userErrors { message }
    }
  }
`)

const RestoreRelease = graphql(`
  mutation RestoreRelease($input: RestoreReleaseInput!) {
    restoreRelease(input: $input) {
      release { id sequence status }
      userErrors { message }
    }
  }
`)

const WithdrawRelease = graphql(`
  mutation WithdrawRelease($input: WithdrawReleaseInput!) {
    withdrawRelease(input: $input) {
      release { id sequence status }
      userErrors { message }
    }
  }
`)

interface Outcome {
  readonly error?: { readonly message: string } | undefined
  readonly userErrors: readonly { readonly message: string }[] | undefined
  readonly children?: ComponentChildren
}

/** The result of a mutation: its errors, or else the children. */
export function Outcome({ error, userErrors = [], children }: Outcome): JSX.Element {
  const failures = [...(error ? [error] : []), ...userErrors]
  return (
    <div role="status">
      {failures.length > 0
        ? failures.map(({ message }) => (
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
}

/** Publishes exactly the draft that is shown, after a dry run has reported the result. */
export function Publish({ catalogId, fromDraft }: PublishProps): JSX.Element {
  const [trial, tryOut] = useMutation(PublishRelease)
  const [publication, publish] = useMutation(PublishRelease)
  const tried = trial.data?.publishRelease
  const done = publication.data?.publishRelease
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const at = String(new FormData(event.currentTarget).get('at') ?? '')
    void publish({ input: { catalogId, fromDraft, ...(at && { at: new Date(at).toISOString() }) } })
  }
  return (
    <div class="actions">
      <button type="button" disabled={trial.fetching} onClick={() => void tryOut({ input: { catalogId, fromDraft, dryRun: true } })}>
        Dry run
      </button>
      <Outcome error={trial.error} userErrors={tried?.userErrors}>
        {tried?.release && (
          <form onSubmit={submit}>
            <p>
              It would show {tried.release.productCount} products in {tried.release.nodeCount} nodes, with {tried.release.warningCount}{' '}
              warnings.
            </p>
            <label class="field">
              At
              <input type="datetime-local" name="at" />
            </label>
            <button type="submit" disabled={publication.fetching}>
              Publish
            </button>{' '}
            <span class="soft">Without an instant it is the latest at once.</span>
          </form>
        )}
      </Outcome>
      <Outcome error={publication.error} userErrors={done?.userErrors}>
        {done?.release && (
          <p>
            Release {done.release.sequence} is {done.release.status.toLowerCase()}.
          </p>
        )}
      </Outcome>
    </div>
  )
}

/** Makes the release the latest; the changes are shown above. */
export function Restore({ releaseId }: { readonly releaseId: string }): JSX.Element {
  const [{ data, error, fetching }, restore] = useMutation(RestoreRelease)
  const done = data?.restoreRelease
  return (
    <div class="actions">
      <button type="button" disabled={fetching} onClick={() => void restore({ input: { releaseId } })}>
        Make it the latest now
      </button>
      <Outcome error={error} userErrors={done?.userErrors}>
        {done?.release && <p>Release {done.release.sequence} is the latest.</p>}
      </Outcome>
    </div>
  )
}

/** Withdraws the schedule of a release. */
export function Withdraw({ releaseId }: { readonly releaseId: string }): JSX.Element {
  const [{ data, error, fetching }, withdraw] = useMutation(WithdrawRelease)
  const done = data?.withdrawRelease
  return (
    <div class="actions">
      <button type="button" disabled={fetching} onClick={() => void withdraw({ input: { releaseId } })}>
        Withdraw
      </button>
      <Outcome error={error} userErrors={done?.userErrors}>
        {done?.release && <p>Release {done.release.sequence} is withdrawn.</p>}
      </Outcome>
    </div>
  )
}
