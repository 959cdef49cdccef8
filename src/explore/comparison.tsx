/** Chooses any two releases of a catalog to compare. */
import type { JSX, TargetedEvent } from 'preact'
import { firstPage, useAddress } from './address.tsx'
import { graphql, useGraph } from './graph.ts'
import { useValue } from './parts.tsx'

const Ends = graphql(`
  query Ends($catalog: ID!, $from: ID!, $to: ID!, $isDraft: Boolean!) {
    catalog(id: $catalog) {
      id
      from: release(id: $from) { id pinned { sequence } }
      to: release(id: $to) @skip(if: $isDraft) { id pinned { sequence } }
    }
  }
`)

interface Listed {
  readonly id: string
  readonly sequence: number
}

interface ComparisonProps {
  readonly catalog: string
  /** The releases that are listed, the draft among them. */
  readonly rows: readonly (Listed & { readonly status: string })[]
  /** The id of the latest release, if there is one. */
  readonly latest: string | undefined
}

/**
 * A form with the two releases that are compared, also where they are not listed. Before a comparison it has the first
 * and the last of the list.
 */
export function Comparison({ catalog, rows, latest = 'latest' }: ComparisonProps): JSX.Element {
  const { address, go } = useAddress()
  const { from = 'latest', to = '' } = address
  const variables = { catalog, from, to, isDraft: to === 'draft' }
  const ends = useGraph(Ends, variables, to === '').data?.catalog
  const listed = rows.map(({ id, sequence, status }) =>
    status === 'DRAFT' ? { id: 'draft', sequence } : { id, sequence },
  )
  const releases = listed.filter(({ id }) => id !== 'draft')
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    go({ ...firstPage, from: String(form.get('from')), to: String(form.get('to')) })
  }
  return (
    <form class="filters" onSubmit={submit}>
      <Choice
        label="Compare release"
        name="to"
        of={listed}
        chosen={to === '' ? listed[0] : { id: to === 'latest' ? latest : to, sequence: ends?.to?.pinned.sequence }}
      />
      <Choice
        label="with release"
        name="from"
        of={releases}
        chosen={
          to === '' ? releases.at(-1) : { id: from === 'latest' ? latest : from, sequence: ends?.from?.pinned.sequence }
        }
      />
      <button type="submit">Compare</button>
    </form>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly of: readonly Listed[]
  /** The release that is compared; without a number while that is not known. */
  readonly chosen: { readonly id: string; readonly sequence: number | undefined } | undefined
}

function Choice({ label, name, of, chosen }: ChoiceProps): JSX.Element {
  const place = useValue<HTMLSelectElement>(chosen?.id)
  const isListed = of.some(({ id }) => id === chosen?.id)
  return (
    <label class="field">
      {label}
      <select name={name} ref={place}>
        {[...of, ...(chosen && !isListed ? [chosen] : [])].map(({ id, sequence = '…' }) => (
          <option key={id} value={id} selected={id === chosen?.id}>
            {id === 'draft' ? 'Draft' : sequence}
          </option>
        ))}
      </select>
    </label>
  )
}
