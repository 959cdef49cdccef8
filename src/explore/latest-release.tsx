/**
 * Which release shoppers see. A release is made the latest, or its schedule withdrawn, after the page has shown what
 * shoppers will see differently.
 */
import { useMutation } from '@urql/preact'
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { Ask } from './ask.tsx'
import { Carries, Carry } from './carries.tsx'
import { graphql } from './graph.ts'
import { Time } from './parts.tsx'
import { At, instantOf, Outcome } from './release-actions.tsx'
import { Called, type Numbered, ReleaseNumber } from './release-name.tsx'
import { Counts, Summary } from './release-summary.tsx'

const RestoreRelease = graphql(
  `
  mutation RestoreRelease($input: RestoreReleaseInput!) {
    restoreRelease(input: $input) {
      release { id sequence name status carries { ...Carry } }
      userErrors { message }
    }
  }
`,
  [Carry],
)

const WithdrawRelease = graphql(`
  mutation WithdrawRelease($input: WithdrawReleaseInput!) {
    withdrawRelease(input: $input) {
      release { id sequence status }
      userErrors { message }
    }
  }
`)

const Turns = graphql(`
  query Turns($catalog: ID!) {
    catalog(id: $catalog) {
      id
      latestRelease { pinned { id sequence name } }
      scheduledReleases { id sequence name scheduledFor }
    }
  }
`)

const Seen = graphql(
  `
  query Seen($catalog: ID!, $before: ID!, $after: ID!) {
    catalog(id: $catalog) {
      id
      release(id: $after) {
        id
        summarySince(releaseId: $before) { ...Counts }
      }
    }
  }
`,
  [Counts],
)

/** A release that is acted on. */
interface OfRelease {
  readonly catalog: string
  readonly release: Numbered & { readonly id: string }
}

interface QuestionProps extends OfRelease {
  /** The instant from which on shoppers see something else; null for now. */
  readonly at: string | null
  /** True when shoppers would no longer see the release from then on; false when they would see it from then on. */
  readonly isWithdrawn?: boolean
  readonly yes: string
  readonly onYes: () => void
  readonly onNo: () => void
}

/** Shows what shoppers will see differently, and asks whether that is meant. */
function Question({ catalog, release, at, isWithdrawn = false, yes, onYes, onNo }: QuestionProps): JSX.Element {
  const answers = (
    <>
      <button type="button" onClick={onYes}>
        {yes}
      </button>{' '}
      <button type="button" onClick={onNo}>
        No
      </button>
    </>
  )
  return (
    <fieldset class="question">
      <Ask query={Turns} variables={{ catalog }}>
        {({ catalog: found }) => {
          const instant = at === null ? Date.now() : Date.parse(at)
          const isBefore = (turn: string | null): boolean => turn !== null && Date.parse(turn) <= instant
          const turns = found?.scheduledReleases.filter(
            ({ id, scheduledFor }) => id !== release.id && isBefore(scheduledFor),
          )
          const other = turns?.at(-1) ?? found?.latestRelease?.pinned
          const [before, after] = isWithdrawn ? [release, other] : [other, release]
          return (
            <>
              <p>
                {at === null ? (
                  'From now on'
                ) : (
                  <>
                    From <Time at={at} /> on
                  </>
                )}{' '}
                shoppers {isWithdrawn && 'go on to '}see {after ? <Called release={after} /> : 'no release'} instead of{' '}
                {before ? <Called release={before} /> : 'none'}:
              </p>
              {before && after ? (
                <Ask query={Seen} variables={{ catalog, before: before.id, after: after.id }}>
                  {(seen) =>
                    seen.catalog?.release && (
                      <>
                        <p class="seen">
                          <Summary of={seen.catalog.release.summarySince} />
                        </p>
                        {answers}
                      </>
                    )
                  }
                </Ask>
              ) : (
                answers
              )}
            </>
          )
        }}
      </Ask>
    </fieldset>
  )
}

/** Makes the release the latest, at once or at an instant. */
export function Restore({ catalog, release }: OfRelease): JSX.Element {
  const [{ data, error, fetching }, restore] = useMutation(RestoreRelease)
  const [trial, tryOut] = useMutation(RestoreRelease)
  const [asked, setAsked] = useState<{ readonly at?: string } | null>(null)
  const [isScheduled, setScheduled] = useState(false)
  const done = data?.restoreRelease
  const ask = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const instant = instantOf(String(new FormData(event.currentTarget).get('at') ?? ''))
    setAsked(instant)
    // At a later instant it carries nothing.
    if (!instant.at) void tryOut({ input: { releaseId: release.id, dryRun: true } })
  }
  const act = (): void => {
    setAsked(null)
    void restore({ input: { releaseId: release.id, ...asked } }).then(() => setScheduled(asked?.at !== undefined))
  }
  return (
    <div class="actions">
      {asked ? (
        <>
          {!asked.at && (
            <Carries catalog={catalog} carries={trial.data?.restoreRelease.release?.carries ?? []} isDone={false} />
          )}
          <Question
            {...{ catalog, release }}
            at={asked.at ?? null}
            yes="Yes, make it the latest"
            onYes={act}
            onNo={() => setAsked(null)}
          />
        </>
      ) : (
        <form onSubmit={ask}>
          <At />
          <button type="submit" disabled={fetching}>
            Make it the latest…
          </button>{' '}
          <span class="soft">Leave the time empty to do it now.</span>
        </form>
      )}
      <Outcome error={error} userErrors={done?.userErrors}>
        {done?.release && (
          <>
            <p>
              Release <ReleaseNumber of={done.release} /> is {isScheduled ? 'scheduled' : 'the latest'}.
            </p>
            {!isScheduled && <Carries catalog={catalog} carries={done.release.carries} isDone />}
          </>
        )}
      </Outcome>
    </div>
  )
}

interface WithdrawProps extends OfRelease {
  readonly scheduledFor: string
  /** Called once it is withdrawn, since there may be nothing left to show. */
  readonly onWithdrawn: () => void
}

/** Withdraws the schedule of a release. */
export function Withdraw({ catalog, release, scheduledFor, onWithdrawn }: WithdrawProps): JSX.Element {
  const [{ data, error, fetching }, withdraw] = useMutation(WithdrawRelease)
  const [isAsked, setAsked] = useState(false)
  const act = (): void => {
    setAsked(false)
    void withdraw({ input: { releaseId: release.id } }).then((result) => {
      if (result.data?.withdrawRelease.release && result.data.withdrawRelease.userErrors.length === 0) onWithdrawn()
    })
  }
  return (
    <div class="actions">
      {isAsked ? (
        <Question
          {...{ catalog, release }}
          at={scheduledFor}
          isWithdrawn
          yes="Yes, withdraw"
          onYes={act}
          onNo={() => setAsked(false)}
        />
      ) : (
        <button type="button" disabled={fetching} onClick={() => setAsked(true)}>
          Withdraw…
        </button>
      )}
      <Outcome error={error} userErrors={data?.withdrawRelease.userErrors} />
    </div>
  )
}
