/** Parts of what is done with releases: the result of a mutation, and the instant of an action. */
import type { CombinedError } from '@urql/core'
import type { ComponentChildren, JSX } from 'preact'
import { Expired, isExpired, messageOf } from './ask.tsx'
import { readersZone, saying } from './parts.tsx'

interface Outcome {
  readonly error?: CombinedError | undefined
  readonly userErrors: readonly { readonly message: string }[] | undefined
  readonly children?: ComponentChildren
}

/** The result of a mutation: its errors, with the next step where the token has ended, or else the children. */
export function Outcome({ error, userErrors = [], children }: Outcome): JSX.Element {
  const failures = [...(error ? [messageOf(error)] : []), ...userErrors.map(({ message }) => message)]
  return (
    <div role="status">
      {isExpired(error) ? (
        <Expired />
      ) : failures.length > 0 ? (
        failures.map((message) => (
          <p key={message} class="failed">
            {message}
          </p>
        ))
      ) : (
        children
      )}
    </div>
  )
}

/** The instant of an action, typed in the reader's own time zone. */
export function At(): JSX.Element {
  return (
    <label class="field at">
      At ({readersZone})
      <input type="datetime-local" name="at" {...saying('Complete the date and the time, or clear both.')} />
    </label>
  )
}

/** The member `at` of a mutation's input from the typed text; absent for an empty one. */
export const instantOf = (local: string): { at?: string } => (local ? { at: new Date(local).toISOString() } : {})
