/** The list prices of a product in one price book, to be changed. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
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
      tiers { name minimumQuantity amount { formatted } }
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
/** An amount of a currency, in minor units. */
type Amount = { currency: string; price: { amount: number } }

interface EditPricesProps {
  readonly price: Price
  readonly onSaved: () => void
}

/** The form. It changes the amounts; tiers, sales and whether tax is included stay as they are. */
export function EditPrices({ price, onSaved }: EditPricesProps): JSX.Element {
  const [base, setBase] = useState(price)
  const [former, setFormer] = useState<Amount[] | null>(null)
  const [isSame, setSame] = useState(false)
  const [{ data, error, fetching }, update] = useMutation(UpdatePrice)
  const failures = data?.updateProductPrice.userErrors ?? []
  const priced = base.prices.flatMap(({ amount, ...rest }) => (amount ? [{ ...rest, ...amount }] : []))
  const save = async (prices: Amount[], isUndo = false): Promise<void> => {
    const { data: saved } = await update({ input: { id: base.id, ifUpdatedAt: base.updatedAt, prices } })
    const now = saved?.updateProductPrice.productPrice
    if (!now) return
    // After a conflict the form shows what is stored by now.
    setBase(now)
    const changed = priced.filter(({ currency }) => prices.some((one) => one.currency === currency))
    const before = changed.map(({ currency, amount }) => ({ currency, price: { amount } }))
    const isRefused = saved.updateProductPrice.userErrors.length > 0
    setFormer(isUndo || isRefused ? null : before)
    if (!isRefused) onSaved()
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const amounts = priced.map(({ currency, amount, fractionDigits }) => ({
      currency,
      former: amount,
      price: { amount: minorUnits(String(form.get(currency)), fractionDigits) },
    }))
    const changed = amounts.filter((one) => one.price.amount !== one.former)
    setSame(changed.length === 0)
    if (changed.length > 0) void save(changed.map(({ currency, price: typed }) => ({ currency, price: typed })))
  }
  return (
    <div class="edit">
      <h3>Prices in {base.priceBook.name}</h3>
      {/* Another key fills the inputs in with what is stored now. */}
      <form key={base.updatedAt} onSubmit={submit}>
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
            {tiers.length > 0 && (
              <p class="soft">
                {tiers
                  .map(
                    ({ minimumQuantity, amount: ofTier }) => `from ${minimumQuantity}: ${ofTier?.formatted ?? 'none'}`,
                  )
                  .join(', ')}
              </p>
            )}
          </div>
        ))}
        <button type="submit" class="primary" disabled={fetching}>
          Save the prices
        </button>
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
