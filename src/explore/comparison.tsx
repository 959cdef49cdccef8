/** Chooses any two releases of a catalog to compare. */
import type { JSX, TargetedEvent } from 'preact'
import { firstPage, useAddress } from './address.tsx'
import { graphql, useGraph } from './graph.ts'
import { useValue } from './parts.tsx'
import { releaseName } from './release-row.tsx'

const Ends = graphql(`
  query Ends($catalog: ID!, $from: ID!, $to: ID!, $isDraft: Boolean!) {
    catalog(id: $catalog) {
      id
      from: release(id: $from) { id pinned { sequence name status publishedAt scheduledFor } }
      to: release(id: $to) @skip(if: $isDraft) { id pinned { sequence name status publishedAt scheduledFor } }
    }
  }
`)

interface Listed {
  readonly id: string
  readonly name: string
}

interface ComparisonProps {
  readonly catalog: string
  /** The releases that are listed, the draft among them. */
  readonly rows: readonly (Parameters<typeof releaseName>[0] & { readonly id: string })[]
  /** The id of the latest release, if there is one. */
  readonly latest: string | undefined
}

/**
 * A form with the two releases that are compared, also where they are not listed. Before a comparison it has the first
 * of the list and the latest.
 */
export function Comparison({ catalog, rows, latest = 'latest' }: ComparisonProps): JSX.Element {
  const { address, go } = useAddress()
  const { from = 'latest', to = '' } = address
  const variables = { catalog, from, to, isDraft: to === 'draft' }
  const ends = useGraph(Ends, variables, to === '').data?.catalog
  const listed = rows.map((row) => ({ id: row.status === 'DRAFT' ? 'draft' : row.id, name: releaseName(row) }))
  const releases = listed.filter(({ id }) => id !== 'draft')
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [chosenFrom, chosenTo] = [String(form.get('from')), String(form.get('to'))]
    // What a publish changes is the difference from the latest, whichever that is by then.
    const isPublish = chosenTo === 'draft' && chosenFrom === latest
    go({ ...firstPage, from: isPublish ? 'latest' : chosenFrom, to: chosenTo })
  }
  return (
    <form class="filters" onSubmit={submit}>
      <Choice
        label="Compare release"
        name="to"
        of={listed}
        chosen={
          to === '' ? listed[0] : { id: to === 'latest' ? latest : to, name: ends?.to && releaseName(ends.to.pinned) }
        }
      />
      <Choice
        label="with release"
        name="from"
        of={releases}
        chosen={
          to === ''
            ? (releases.find(({ id }) => id === latest) ?? releases.at(-1))
            : { id: from === 'latest' ? latest : from, name: ends?.from && releaseName(ends.from.pinned) }
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
  /** The release that is compared; without a name while that is not known. */
  readonly chosen: { readonly id: string; readonly name: string | null | undefined } | undefined
}

function Choice({ label, name, of, chosen }: ChoiceProps): JSX.Element {
  const place = useValue<HTMLSelectElement>(chosen?.id)
  const isListed = of.some(({ id }) => id === chosen?.id)
  return (
    <label class="field">
      {label}
      <select name={name} ref={place}>
        {[...of, ...(chosen && !isListed ? [chosen] : [])].map(({ id, name: of }) => (
          <option key={id} value={id} selected={id === chosen?.id}>
            {id === 'draft' ? 'Draft' : (of ?? '…')}
          </option>
        ))}
      </select>
    </label>
  )
}
