/** The prices of a product in one price book, with their quantity tiers and sales, to be changed. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { EditSales } from './edit-sales.tsx'
import { EditTiers, type Tier, typedTiers } from './edit-tiers.tsx'
import { FieldErrors } from './field-errors.tsx'
import { graphql } from './graph.ts'
import { dropKept, KeptForm, readKept } from './kept-form.tsx'
import { Outcome } from './release-actions.tsx'
import { type SaleRow, Sales, type SaleValue, saleValue, tierOf, typedSale } from './sale-values.ts'
import { NothingNew, Saved } from './saved.tsx'
import { useSession } from './session.tsx'
import { decimal, minorUnits, typedAmount } from './typed-amount.ts'

/** What the form changes. */
export const Prices = graphql(
  `
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
    ...Sales
  }
`,
  [Sales],
)

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
/** What is stored of a currency. Amounts are in minor units. */
interface Priced {
  readonly currency: string
  readonly amount: number
  readonly tiers: readonly Tier[]
}

/** What is saved at once: the currencies that change, and all sales when one of them does. */
interface Written {
  readonly prices: readonly Priced[]
  readonly sales: readonly SaleValue[] | null
}

interface EditPricesProps {
  /** What typed prices are kept by. */
  readonly name: string
  readonly price: Price
  readonly onSaved: () => void
}

const rowsOf = ({ sales }: Price): SaleRow[] => sales.map((stored, index) => ({ field: `sale${index}`, stored }))

/** What the form was filled in with. */
interface Filled {
  readonly price: Price
  readonly rows: readonly SaleRow[]
}

/** The form. Whether tax is included, and in which bundles a sale counts, stay as they are. */
export function EditPrices({ name, price, onSaved }: EditPricesProps): JSX.Element {
  const { timeZone } = useSession().settings
  const [kept] = useState(() => readKept<Filled>(name)?.base)
  const [base, setBase] = useState(kept?.price ?? price)
  const [rows, setRows] = useState<readonly SaleRow[]>(() => kept?.rows ?? rowsOf(price))
  const [sent, setSent] = useState<{ readonly written: Written; readonly rows: readonly SaleRow[] } | null>(null)
  const [former, setFormer] = useState<Written | null>(null)
  const [isSame, setSame] = useState(false)
  const [{ data, error, fetching }, update] = useMutation(UpdatePrice)
  const failures = data?.updateProductPrice.userErrors ?? []
  const isStale = failures.some(({ code }) => code === 'STALE')
  const errors = isStale || !sent ? [] : failures.map((failure) => placed(failure, sent.written, sent.rows))
  const priced = base.prices.flatMap(({ amount, tiers, ...rest }) =>
    amount ? [{ ...rest, ...amount, tiers: tiers.map(tierOf) }] : [],
  )
  const save = async (written: Written, isUndo = false): Promise<void> => {
    const prices = written.prices.map(({ currency, amount, tiers }) => ({
      currency,
      price: { amount, tiers: [...tiers] },
    }))
    const sales = written.sales && { sales: [...written.sales] }
    setSent({ written, rows })
    setFormer(null)
    const { data: saved } = await update({ input: { id: base.id, ifUpdatedAt: base.updatedAt, prices, ...sales } })
    const now = saved?.updateProductPrice.productPrice
    if (!now) return isUndo ? setFormer(written) : undefined
    // After a conflict the form shows what is stored by now.
    dropKept(name)
    setBase(now)
    setRows(rowsOf(now))
    const before = priced.filter(({ currency }) => written.prices.some((one) => one.currency === currency))
    const isRefused = saved.updateProductPrice.userErrors.length > 0
    setFormer(isUndo || isRefused ? null : { prices: before, sales: written.sales && base.sales.map(saleValue) })
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
    const prices = typed.filter((one, index) => !isSamePrice(one, priced[index] as Priced))
    const sales = rows.map((row) => typedSale(form, row, priced, timeZone))
    const areSame = JSON.stringify(sales) === JSON.stringify(base.sales.map(saleValue))
    setSame(prices.length === 0 && areSame)
    if (prices.length === 0 && areSame) dropKept(name)
    if (prices.length > 0 || !areSame) void save({ prices, sales: areSame ? null : sales })
  }
  return (
    <div class="edit">
      <h3>Prices in {base.priceBook.name}</h3>
      {/* Another key fills the inputs in with what is stored now. */}
      <KeptForm key={base.updatedAt} name={name} base={{ price: base, rows }} onSubmit={submit}>
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
              <EditTiers currency={currency} fractionDigits={fractionDigits} tiers={tiers} field={currency} />
              <FieldErrors of={errors} at={[currency]} />
            </div>
          ))}
          <EditSales rows={rows} listed={priced} errors={errors} onRows={setRows} />
          <button type="submit" class="primary">
            Save the prices
          </button>
        </fieldset>
      </KeptForm>
      <FieldErrors of={errors} at={['']} />
      <Outcome
        error={error}
        userErrors={
          isStale
            ? [
                {
                  message:
                    'Somebody else has changed this price meanwhile. Nothing was saved; the fields show what is stored now.',
                },
              ]
            : []
        }
      />
      <div role="status">
        {isSame ? <NothingNew /> : former && <Saved busy={fetching} onUndo={() => void save(former, true)} />}
      </div>
    </div>
  )
}

interface Failure {
  readonly message: string
  readonly path: readonly string[]
}

/**
 * An error with the field at which it stands as the first segment of its path; an empty one for what has none. A path
 * counts the prices and sales that were sent.
 */
function placed({ message, path }: Failure, { prices, sales }: Written, rows: readonly SaleRow[]): Failure {
  const at = (field: string): Failure => ({ message, path: [field, ...path] })
  const [list, index, member, place] = path
  if (list === 'prices') return at(prices[Number(index)]?.currency ?? '')
  const field = rows[Number(index)]?.field
  if (list !== 'sales' || index === undefined || field === undefined) return at('')
  if (member === 'name' || member === 'schedule') return at(`${field} ${member}`)
  const currency = member === 'prices' && sales?.[Number(index)]?.prices[Number(place)]?.currency
  return at(currency ? `${field} ${currency}` : field)
}

function isSamePrice(one: Priced, other: Priced): boolean {
  const isSameTier = (tier: Tier, index: number): boolean => {
    const { name, minimumQuantity, amount } = other.tiers[index] as Tier
    return tier.name === name && tier.minimumQuantity === minimumQuantity && tier.amount === amount
  }
  return one.amount === other.amount && one.tiers.length === other.tiers.length && one.tiers.every(isSameTier)
}
