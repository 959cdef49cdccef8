/** The form of a campaign: which products, what they cost, and when. */
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { Ask } from './ask.tsx'
import { FieldErrors, type UserError } from './field-errors.tsx'
import { graphql } from './graph.ts'
import { KeptForm } from './kept-form.tsx'
import { saying } from './parts.tsx'
import { useSession } from './session.tsx'
import { SkuField } from './sku-field.tsx'
import { minorUnits, typedAmount } from './typed-amount.ts'

const Books = graphql(`
  query Books {
    priceBooks(first: 100) {
      nodes {
        id
        name
        prices(first: 20) { nodes { prices { currency amount { fractionDigits } } } }
      }
    }
    hierarchies(first: 20) {
      nodes {
        id
        name
        slug
        children(first: 100) { nodes { id name slug } }
      }
    }
  }
`)

/** A campaign as the form gives it: the members of `AddSalesInput` but those of a dry run. */
export interface Campaign {
  priceBookId: string
  name: string
  filter: { nodeIds: string[] } | { tags: string[] } | null
  skus: string[] | null
  change: { percentOff: number } | { amountOff: { currency: string; amount: number }[] }
  currencies: string[] | null
  schedule: { validOn: { from: string | null; to: string | null } } | null
}

interface FormProps {
  readonly errors: readonly UserError[]
  readonly busy: boolean
  readonly onSubmit: (campaign: Campaign) => void
  /** Called when something is typed: what was previewed holds no longer. */
  readonly onInput: () => void
  readonly onClear: () => void
}

/** What the form is kept by. */
export const CAMPAIGN = 'campaign'

/** The three steps, and a button that previews what they would do. */
export function CampaignForm({ errors, busy, onSubmit, onInput, onClear }: FormProps): JSX.Element {
  const { timeZone } = useSession().settings
  const [bookId, setBookId] = useState<string>()
  const [chosenBy, setChosenBy] = useState('category')
  const [reduction, setReduction] = useState('percent')
  const [chosenCurrency, setCurrency] = useState<string>()
  return (
    <Ask query={Books} variables={{}}>
      {({ priceBooks, hierarchies }) => {
        const book = priceBooks.nodes.find(({ id }) => id === bookId) ?? priceBooks.nodes[0]
        if (!book) return <p class="empty">There is no price book yet. Create one, with prices, first.</p>
        const digits = new Map(
          book.prices.nodes.flatMap(({ prices }) =>
            prices.flatMap(({ currency, amount }) => (amount ? [[currency, amount.fractionDigits] as const] : [])),
          ),
        )
        const currency = chosenCurrency && digits.has(chosenCurrency) ? chosenCurrency : ([...digits.keys()][0] ?? '')
        const decimals = digits.get(currency) ?? 2
        const submit = (event: TargetedEvent<HTMLFormElement>): void => {
          event.preventDefault()
          onSubmit(campaignOf(new FormData(event.currentTarget), book.id, digits))
        }
        return (
          <KeptForm name={CAMPAIGN} class="campaign" onSubmit={submit} onInput={onInput}>
            <fieldset>
              <legend>1. Which products</legend>
              <label class="field">
                Price book
                <select name="book" onChange={({ currentTarget }) => setBookId(currentTarget.value)}>
                  {priceBooks.nodes.map(({ id, name }) => (
                    <option key={id} value={id} selected={id === book.id}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
              <label class="field">
                Choose by
                <select name="chosenBy" onChange={({ currentTarget }) => setChosenBy(currentTarget.value)}>
                  <option value="category">category</option>
                  <option value="tags">tags</option>
                  <option value="skus">single products</option>
                </select>
              </label>
              {chosenBy === 'category' && (
                <label class="field">
                  Category
                  <select name="node">
                    {hierarchies.nodes.map(({ id, name, children }) => (
                      <optgroup key={id} label={name}>
                        <option value={id}>All of {name}</option>
                        {children.nodes.map((node) => (
                          <option key={node.id} value={node.id}>
                            {node.name}
                          </option>
                        ))}
                      </optgroup>
                    ))}
                  </select>
                </label>
              )}
              {chosenBy === 'tags' && (
                <label class="field">
                  Tags
                  <input
                    name="tags"
                    required
                    placeholder="espresso, gift"
                    {...saying('Type a tag, or several with commas.')}
                  />
                </label>
              )}
              {chosenBy === 'skus' && <SkuField categories={hierarchies.nodes} />}
              <FieldErrors of={errors} at={['filter', 'skus', 'rows', 'priceBookId']} />
            </fieldset>
            <fieldset>
              <legend>2. What</legend>
              <label class="field">
                Name of the sale
                <input name="name" required {...saying('A sale has a name, which shoppers see.')} />
              </label>
              <FieldErrors of={errors} at={['name']} />
              <label class="field">
                Reduction
                <select name="reduction" onChange={({ currentTarget }) => setReduction(currentTarget.value)}>
                  <option value="percent">in percent</option>
                  <option value="amount">an amount off</option>
                </select>
              </label>
              {reduction === 'percent' ? (
                <label class="field">
                  Percent
                  <input
                    name="percent"
                    type="number"
                    min={0.01}
                    max={100}
                    step="any"
                    required
                    {...saying('A reduction is a number of percent above 0, to 100.')}
                  />
                </label>
              ) : (
                <>
                  <label class="field">
                    Amount
                    <input
                      name="amount"
                      required
                      placeholder={(2.5).toFixed(decimals)}
                      {...typedAmount(currency, decimals)}
                    />
                  </label>
                  <label class="field">
                    Currency
                    <select name="currency" onChange={({ currentTarget }) => setCurrency(currentTarget.value)}>
                      {[...digits.keys()].map((code) => (
                        <option key={code} value={code} selected={code === currency}>
                          {code}
                        </option>
                      ))}
                    </select>
                  </label>
                </>
              )}
              <FieldErrors of={errors} at={['change', 'currencies', 'rounding']} />
            </fieldset>
            <fieldset>
              <legend>3. When</legend>
              <label class="field">
                First day
                <input type="date" name="from" {...saying('Complete the date, or clear it.')} />
              </label>
              <label class="field">
                Last day
                <input type="date" name="to" {...saying('Complete the date, or clear it.')} />
              </label>
              <FieldErrors of={errors} at={['schedule']} />
              <p class="soft">
                Whole days in the time zone of the store, {timeZone}, both included. An empty day is no limit.
              </p>
            </fieldset>
            <p>
              <button type="submit" class="primary" disabled={busy}>
                Preview
              </button>{' '}
              <button type="button" onClick={onClear}>
                Clear
              </button>
            </p>
          </KeptForm>
        )
      }}
    </Ask>
  )
}

const list = (text: unknown, between: RegExp): string[] =>
  String(text ?? '')
    .split(between)
    .map((part) => part.trim())
    .filter(Boolean)

/** The campaign of a form; `digits` are the decimals of each currency. */
function campaignOf(form: FormData, priceBookId: string, digits: ReadonlyMap<string, number>): Campaign {
  const text = (name: string): string => String(form.get(name) ?? '').trim()
  const [from, to] = [text('from'), text('to')]
  const currency = text('currency')
  const ofPercent = { change: { percentOff: Number(text('percent')) }, currencies: null }
  const amountOff = [{ currency, amount: minorUnits(text('amount'), digits.get(currency) ?? 2) }]
  return {
    priceBookId,
    name: text('name'),
    filter: form.has('node')
      ? { nodeIds: [text('node')] }
      : form.has('tags')
        ? { tags: list(form.get('tags'), /,/) }
        : null,
    skus: form.has('skus') ? list(form.get('skus'), /\n/) : null,
    ...(form.has('percent') ? ofPercent : { change: { amountOff }, currencies: [currency] }),
    schedule: from || to ? { validOn: { from: from || null, to: to || null } } : null,
  }
}
