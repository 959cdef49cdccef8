/** What a release is called: its number, and the name that administrators gave it; and a form that changes the name. */
import { useMutation } from '@urql/preact'
import type { JSX, TargetedEvent } from 'preact'
import { graphql } from './graph.ts'
import { useValue } from './parts.tsx'
import { Outcome } from './release-actions.tsx'

const UpdateRelease = graphql(`
  mutation UpdateRelease($input: UpdateReleaseInput!) {
    updateRelease(input: $input) {
      release { id name updatedAt }
      userErrors { message }
    }
  }
`)

/** What is called by its number and its name; shoppers read no name. */
export interface Numbered {
  readonly sequence: number
  readonly name?: string | null
}

/** As `12 (Christmas)`. */
export const numberText = ({ sequence, name }: Numbered): string => (name ? `${sequence} (${name})` : `${sequence}`)

/** As `numberText`, where the name does not turn what stands beside it around. */
export function ReleaseNumber({ of: { sequence, name } }: { readonly of: Numbered }): JSX.Element {
  return (
    <>
      {sequence}
      {name && (
        <>
          {' '}
          (<bdi>{name}</bdi>)
        </>
      )}
    </>
  )
}

/** As `release 12 (Christmas)`. */
export function Called({ release }: { readonly release: Numbered }): JSX.Element {
  return (
    <>
      release <ReleaseNumber of={release} />
    </>
  )
}

/** An input of the name of a release, with `value` in it. */
export function NameField({ value }: { readonly value: string | null | undefined }): JSX.Element {
  return (
    <label class="field">
      Name of the release
      <input name="name" placeholder="Christmas" ref={useValue(value ?? '')} />
    </label>
  )
}

/** The name that was typed in a form; null for none. */
export const typedName = (form: HTMLFormElement): string | null =>
  String(new FormData(form).get('name') ?? '').trim() || null

interface RenameProps {
  readonly release: Numbered & { readonly id: string; readonly updatedAt?: string }
}

/** Names a release, or takes its name away. */
export function Rename({ release: { id, name, updatedAt } }: RenameProps): JSX.Element {
  const [{ data, error, fetching }, update] = useMutation(UpdateRelease)
  const done = data?.updateRelease
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    void update({ input: { id, name: typedName(event.currentTarget), ifUpdatedAt: updatedAt ?? null } })
  }
  return (
    <div class="actions">
      <form onSubmit={submit}>
        <NameField value={name} />{' '}
        <button type="submit" disabled={fetching}>
          Save the name
        </button>{' '}
        <span class="soft">Only administrators see it. Leave it empty for none.</span>
      </form>
      <Outcome error={error} userErrors={done?.userErrors}>
        {done?.release && <p>{done.release.name ? 'The name is saved.' : 'It has no name any more.'}</p>}
      </Outcome>
    </div>
  )
}
