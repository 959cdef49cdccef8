/** The list prices of a product in one price book, with their quantity tiers, to be changed. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { EditTiers, type Tier, typedTiers } from './edit-tiers.tsx'
import { graphql } from './graph.ts'
import { plain } from './parts.tsx'
import { Outcome } from './release-actions.tsx'
import { NOTHING_NEW, Saved } from './saved.tsx'
import { decimal, minorUnits, typedAmount } from './typed-amount.ts'

/** What the form changes. */
export const Prices = graphql(`
  fragment Prices on ProductPrice {
    id
    updatedAt
    priceBook { id name }
    prices {
      currency
      includesTax
      amount { amount fractionDigits }
      tiers { name minimumQuantity amount { amount } }
    }
  }
`)

const UpdatePrice = graphql(
  `
  mutation UpdatePrice($input: UpdateProductPriceInput!) {
    updateProductPrice(input: $input) {
      productPrice { ...Prices }
      userErrors { code message path }
    }
  }
`,
  [Prices],
)

type Price = FragmentOf<typeof Prices>
type Stored = Price['prices'][number]['tiers'][number]
/** What is stored of a currency. Amounts are in minor units. */
interface Priced {
  readonly currency: string
  readonly amount: number
  readonly tiers: readonly Tier[]
}

interface EditPricesProps {
  readonly price: Price
  readonly onSaved: () => void
}

/** The form. Sales and whether tax is included stay as they are. */
export function EditPrices({ price, onSaved }: EditPricesProps): JSX.Element {
  const [base, setBase] = useState(price)
  const [former, setFormer] = useState<Priced[] | null>(null)
  const [isSame, setSame] = useState(false)
  const [{ data, error, fetching }, update] = useMutation(UpdatePrice)
  const failures = data?.updateProductPrice.userErrors ?? []
  const priced = base.prices.flatMap(({ amount, tiers, ...rest }) =>
    amount ? [{ ...rest, ...amount, tiers: tiers.map(tierOf) }] : [],
  )
  const save = async (changed: Priced[], isUndo = false): Promise<void> => {
    const prices = changed.map(({ currency, amount, tiers }) => ({ currency, price: { amount, tiers: [...tiers] } }))
    const { data: saved } = await update({ input: { id: base.id, ifUpdatedAt: base.updatedAt, prices } })
    const now = saved?.updateProductPrice.productPrice
    if (!now) return
    // After a conflict the form shows what is stored by now.
    setBase(now)
    const before = priced.filter(({ currency }) => changed.some((one) => one.currency === currency))
    const isRefused = saved.updateProductPrice.userErrors.length > 0
    setFormer(isUndo || isRefused ? null : before)
    if (!isRefused) onSaved()
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const typed = priced.map(({ currency, fractionDigits }) => ({
      currency,
      amount: minorUnits(String(form.get(currency)), fractionDigits),
      tiers: typedTiers(form, currency, fractionDigits),
    }))
    const changed = typed.filter((one, index) => !isSamePrice(one, priced[index] as Priced))
    setSame(changed.length === 0)
    if (changed.length > 0) void save(changed)
  }
  return (
    <div class="edit">
      <h3>Prices in {base.priceBook.name}</h3>
      {/* Another key fills the inputs in with what is stored now. */}
      <form key={base.updatedAt} onSubmit={submit}>
        <fieldset disabled={fetching}>
          {priced.map(({ currency, amount, fractionDigits, includesTax, tiers }) => (
            <div key={currency}>
              <label class="field">
                {currency} {includesTax ? 'with tax' : 'without tax'}
                <input
                  name={currency}
                  required
                  defaultValue={decimal(amount, fractionDigits)}
                  {...typedAmount(currency, fractionDigits)}
                />
              </label>
              <EditTiers currency={currency} fractionDigits={fractionDigits} tiers={tiers} />
            </div>
          ))}
          <button type="submit" class="primary">
            Save the prices
          </button>
        </fieldset>
      </form>
      <Outcome
        error={error}
        userErrors={failures.map(({ code, message, path }) => ({
          message:
            code === 'STALE'
              ? 'Somebody else has changed this price meanwhile. Nothing was saved; the fields show what is stored now.'
              : `${plain(path.at(-1) ?? '')}: ${message}`,
        }))}
      />
      {isSame && <p role="status">{NOTHING_NEW}</p>}
      {former && !isSame && <Saved busy={fetching} onUndo={() => void save(former, true)} />}
    </div>
  )
}

/** A stored tier with the members of its input alone. */
const tierOf = ({ name, minimumQuantity, amount }: Stored): Tier => ({
  name,
  minimumQuantity,
  amount: amount?.amount ?? null,
})

function isSamePrice(one: Priced, other: Priced): boolean {
  const isSameTier = (tier: Tier, index: number): boolean => {
    const { name, minimumQuantity, amount } = other.tiers[index] as Tier
    return tier.name === name && tier.minimumQuantity === minimumQuantity && tier.amount === amount
  }
  return one.amount === other.amount && one.tiers.length === other.tiers.length && one.tiers.every(isSameTier)
}
