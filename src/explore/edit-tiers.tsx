/** The quantity tiers of a price in one currency, as rows of a form. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { decimal, minorUnits, typedAmount } from './typed-amount.ts'

/** A tier. Its amount is in minor units; null: it never applies. */
export interface Tier {
  readonly name: string
  readonly minimumQuantity: number | null
  readonly amount: number | null
}

interface EditTiersProps {
  readonly currency: string
  readonly fractionDigits: number
  readonly tiers: readonly Tier[]
}

/** The rows; `typedTiers` reads them. Each has all three inputs, so that those of one name are in the rows' order. */
export function EditTiers({ currency, fractionDigits, tiers }: EditTiersProps): JSX.Element {
  const [rows, setRows] = useState(() => tiers.map((tier, key) => ({ key, tier: tier as Tier | null })))
  const add = (): void => setRows([...rows, { key: (rows.at(-1)?.key ?? -1) + 1, tier: null }])
  return (
    <>
      {rows.length > 0 && (
        <table class="tiers">
          <thead>
            <tr>
              <th scope="col">Tier</th>
              <th scope="col">From</th>
              <th scope="col">{currency} each</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, tier }, index) => (
              <tr key={key}>
                <td>
                  <input
                    name={`${currency} name`}
                    required
                    aria-label={`Name of ${currency} tier ${index + 1}`}
                    defaultValue={tier?.name ?? ''}
                  />
                </td>
                <td>
                  <input
                    name={`${currency} quantity`}
                    type="number"
                    min={1}
                    step={1}
                    required
                    aria-label={`Quantity of ${currency} tier ${index + 1}`}
                    defaultValue={tier?.minimumQuantity ?? ''}
                  />
                </td>
                <td>
                  <input
                    name={`${currency} amount`}
                    aria-label={`Amount of ${currency} tier ${index + 1}`}
                    defaultValue={tier?.amount == null ? '' : decimal(tier.amount, fractionDigits)}
                    {...typedAmount(currency, fractionDigits)}
                  />
                </td>
                <td>
                  <button
                    type="button"
                    aria-label={`Take ${currency} tier ${index + 1} away`}
                    onClick={() => setRows(rows.filter((row) => row.key !== key))}
                  >
                    ×
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <button type="button" onClick={add}>
        Add a {currency} tier
      </button>
    </>
  )
}

/** The tiers of a currency as they are typed. */
export function typedTiers(form: FormData, currency: string, fractionDigits: number): Tier[] {
  const all = (name: string): string[] => form.getAll(`${currency} ${name}`).map(String)
  const [quantities, amounts] = [all('quantity'), all('amount')]
  return all('name').map((name, index) => ({
    name: name.trim(),
    minimumQuantity: Number(quantities[index]),
    amount: amounts[index] ? minorUnits(amounts[index], fractionDigits) : null,
  }))
}
