/**
 * Campaigns: one sale on many prices. Three steps choose products, reduction and days; a preview shows each price
 * before anything is written; after that the campaign is published like every change.
 */
import { useMutation } from '@urql/preact'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Link, noView } from './address.tsx'
import { CAMPAIGN, type Campaign, CampaignForm } from './campaign-form.tsx'
import { CampaignList } from './campaign-list.tsx'
import { CampaignPreview, isDearer, Outcomes } from './campaign-preview.tsx'
import { CampaignsAhead } from './campaigns-ahead.tsx'
import { graphql } from './graph.ts'
import { dropKept } from './kept-form.tsx'
import { useRepeat } from './live.tsx'
import { counted, Title } from './parts.tsx'
import { usePricesNow } from './prices-now.ts'
import { noon, noonText, PublishDraft } from './publish-draft.tsx'
import { Outcome } from './release-actions.tsx'
import { RemoveSales } from './take-back.tsx'

const AddSales = graphql(
  `
  mutation AddSales($input: AddSalesInput!) {
    addSales(input: $input) {
      campaign { ...Outcomes }
      userErrors { message path }
    }
  }
`,
  [Outcomes],
)

/** The members of an input that the form shows errors of; those of others stand below it. */
const shownMembers = ['filter', 'skus', 'rows', 'priceBookId', 'name', 'change', 'currencies', 'rounding', 'schedule']

/** The view of a campaign. */
export function CampaignView(): JSX.Element {
  const [trial, tryOut] = useMutation(AddSales)
  const [writing, write] = useMutation(AddSales)
  const [campaign, setCampaign] = useState<Campaign | null>(null)
  // What was ticked or not; a product that would become dearer is left out otherwise.
  const [ticks, setTicks] = useState<ReadonlyMap<string, boolean>>(new Map())
  // The campaign that was to be written last: what became of it is shown with no other.
  const [asked, setAsked] = useState<Campaign | null>(null)
  const [isWritten, setWritten] = useState(false)
  const [now] = useState(() => new Date().toISOString())
  const [turn, setTurn] = useState(0)
  const repeat = useRepeat()
  const preview = (next: Campaign): void => {
    setCampaign(next)
    setTicks(new Map())
    setWritten(false)
    void tryOut({ input: { ...next, mode: 'PER_ROW', dryRun: true } })
  }
  const forget = (): void => {
    setCampaign(null)
    setWritten(false)
  }
  const clear = (): void => {
    dropKept(CAMPAIGN)
    forget()
    // Another key fills the form in anew.
    setTurn(turn + 1)
  }
  const tried = campaign ? trial.data?.addSales : undefined
  const found = tried?.campaign
  const changed = found?.changed ?? []
  const { now: pricesNow, fetching } = usePricesNow(changed.map(({ sku }) => sku))
  const dearer = new Set(changed.flatMap((row) => (isDearer(row, pricesNow) ? row.sku : [])))
  const isWhole = changed.length === found?.changedCount
  const isTaken = (sku: string): boolean => !isWhole || (ticks.get(sku) ?? !dearer.has(sku))
  const rows = changed.filter(({ sku }) => isTaken(sku))
  const count = isWhole ? rows.length : (found?.changedCount ?? 0)
  const save = (): void => {
    if (!campaign) return
    const { filter, skus, ...rest } = campaign
    setAsked(campaign)
    // Prices that moved on since the preview are refused. Of very many the choice itself is repeated.
    const chosen = isWhole
      ? { rows: rows.map(({ sku, productPrice }) => ({ sku, ifUpdatedAt: productPrice?.updatedAt ?? null })) }
      : { filter, skus, mode: 'PER_ROW' as const }
    void write({ input: { ...rest, ...chosen } }).then(({ data }) => {
      if (data?.addSales.userErrors.length !== 0) return
      dropKept(CAMPAIGN)
      setWritten(true)
      repeat()
    })
  }
  const errors = tried?.userErrors ?? []
  const others = errors.filter(({ path: [member = ''] }) => !shownMembers.includes(member))
  return (
    <main class="centred">
      <Title>Campaigns</Title>
      <p class="soft">One sale on many products. Nothing is written before you have seen the prices.</p>
      <CampaignForm
        key={turn}
        errors={errors}
        busy={trial.fetching}
        onSubmit={preview}
        onInput={forget}
        onClear={clear}
      />
      <Outcome error={campaign ? trial.error : undefined} userErrors={others} />
      {campaign && found && !isWritten && (
        <section>
          <h2>Preview</h2>
          <CampaignPreview
            of={found}
            name={campaign.name}
            now={pricesNow}
            isTaken={isTaken}
            onTake={(sku, isOn) => setTicks(new Map(ticks).set(sku, isOn))}
          />
          <button type="button" class="primary" disabled={writing.fetching || fetching || count === 0} onClick={save}>
            Put the sale on {counted(count, 'price')}
          </button>
          {asked === campaign && <Outcome error={writing.error} userErrors={writing.data?.addSales.userErrors} />}
        </section>
      )}
      {campaign && isWritten && (
        <Written
          of={campaign}
          count={writing.data?.addSales.campaign?.changedCount ?? 0}
          skus={isWhole ? rows.map(({ sku }) => sku) : null}
        />
      )}
      <CampaignsAhead />
      <CampaignList now={now} />
    </main>
  )
}

/** What follows when the sales are written: take them back, or publish them and look at the first day. */
function Written({ of: { priceBookId, name, schedule }, count, skus }: WrittenProps): JSX.Element {
  const [undoing, undo] = useMutation(RemoveSales)
  const undone = undoing.data?.removeSales
  const from = schedule?.validOn.from
  if (undone?.campaign)
    return (
      <div role="status">
        <p>
          The sale {name} is taken away again from {counted(undone.campaign.changedCount, 'price')}.
        </p>
      </div>
    )
  return (
    <section>
      <h2>Publish</h2>
      <div role="status">
        <p>
          The sale {name} is on {counted(count, 'price')}. Shoppers see it once it is published.{' '}
          {skus && (
            <button
              type="button"
              disabled={undoing.fetching}
              onClick={() => void undo({ input: { priceBookId, name, skus } })}
            >
              Undo
            </button>
          )}
        </p>
      </div>
      <Outcome error={undoing.error} userErrors={undone?.userErrors} />
      <PublishDraft day={from ?? null} releaseName={name} />
      <p>
        <Link to={{ ...noView, at: from ? noon(from) : null, sale: 'true' }}>
          Look at the sale in the storefront{from && ` at ${noonText(from)}`}
        </Link>
        , once it is published.
      </p>
    </section>
  )
}

interface WrittenProps {
  readonly of: Campaign
  readonly count: number
  /** The SKUs that got the sale; null when they are too many. */
  readonly skus: string[] | null
}
