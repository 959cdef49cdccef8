/** Takes a sale away from the prices that have it, after it was said how many these are. */
import { useMutation } from '@urql/preact'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { graphql } from './graph.ts'
import { useRepeat } from './live.tsx'
import { counted } from './parts.tsx'
import { Outcome } from './release-actions.tsx'

export const RemoveSales = graphql(`
  mutation RemoveSales($input: RemoveSalesInput!) {
    removeSales(input: $input) {
      campaign { changedCount }
      userErrors { message }
    }
  }
`)

interface TakeBackProps {
  readonly priceBookId: string
  readonly name: string
  /** The SKUs whose prices lose it; null for all of the book that have a sale of the name. */
  readonly skus: string[] | null
}

export function TakeBack({ priceBookId, name, skus }: TakeBackProps): JSX.Element {
  const [trial, tryOut] = useMutation(RemoveSales)
  const [removal, remove] = useMutation(RemoveSales)
  const [isAsked, setAsked] = useState(false)
  const repeat = useRepeat()
  const input = { priceBookId, name, skus }
  const found = trial.data?.removeSales
  const act = (): void => {
    void remove({ input }).then(({ data }) => {
      if (data?.removeSales.userErrors.length === 0) repeat()
    })
  }
  if (!isAsked || !found?.campaign)
    return (
      <>
        <button
          type="button"
          aria-label={`Take it back… (${name})`}
          disabled={trial.fetching}
          onClick={() => {
            setAsked(true)
            void tryOut({ input: { ...input, dryRun: true } })
          }}
        >
          Take it back…
        </button>
        <Outcome error={trial.error} userErrors={found?.userErrors} />
      </>
    )
  return (
    <fieldset class="question">
      <p>
        {counted(found.campaign.changedCount, 'price')} would lose the sale <bdi>{name}</bdi>. Shoppers see that once it
        is published.
      </p>
      <button type="button" disabled={removal.fetching} onClick={act}>
        Yes, take it back
      </button>{' '}
      <button type="button" disabled={removal.fetching} onClick={() => setAsked(false)}>
        No
      </button>
      <Outcome error={removal.error} userErrors={removal.data?.removeSales.userErrors} />
    </fieldset>
  )
}
