/** The quantity tiers of a price in one currency, as rows of a form. */
import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useKeptCount, useKeptRows } from './kept-form.tsx'
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
  /** With what the names of the inputs begin, such as `EUR`. */
  readonly field: string
  /** The sale that has them, such as `sale 2`; absent for those of the list price. */
  readonly sale?: string
  /** Called with the number of rows when it changes. */
  readonly onCount?: (count: number) => void
}

/** The rows; `typedTiers` reads them. Each has all three inputs, so that those of one name are in the rows' order. */
export function EditTiers({ currency, fractionDigits, tiers, field, sale, onCount }: EditTiersProps): JSX.Element {
  const count = useKeptCount(`${field} name`) ?? tiers.length
  const [rows, setRows] = useState(() => Array.from({ length: count }, (_, key) => ({ key, tier: tiers[key] ?? null })))
  const place = useRef<HTMLButtonElement>(null)
  const keep = useKeptRows(place)
  const change = (changed: typeof rows): void => {
    setRows(changed)
    keep()
    onCount?.(changed.length)
  }
  const add = (): void => change([...rows, { key: (rows.at(-1)?.key ?? -1) + 1, tier: null }])
  const of = sale ? `${sale}, ${currency} tier` : `${currency} tier`
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
                    name={`${field} name`}
                    required
                    aria-label={`Name of ${of} ${index + 1}`}
                    defaultValue={tier?.name ?? ''}
                  />
                </td>
                <td>
                  <input
                    name={`${field} quantity`}
                    type="number"
                    min={1}
                    step={1}
                    required
                    aria-label={`Quantity of ${of} ${index + 1}`}
                    defaultValue={tier?.minimumQuantity ?? ''}
                  />
                </td>
                <td>
                  <input
                    name={`${field} amount`}
                    aria-label={`Amount of ${of} ${index + 1}`}
                    defaultValue={tier?.amount == null ? '' : decimal(tier.amount, fractionDigits)}
                    {...typedAmount(currency, fractionDigits)}
                  />
                </td>
                <td>
                  <button
                    type="button"
                    aria-label={`Take ${of} ${index + 1} away`}
                    onClick={() => change(rows.filter((row) => row.key !== key))}
                  >
                    ×
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <button ref={place} type="button" onClick={add}>
        Add a {currency} tier{sale && ` to ${sale}`}
      </button>
    </>
  )
}

/** The tiers of a currency as they are typed; `field` is that of their rows. */
export function typedTiers(form: FormData, field: string, fractionDigits: number): Tier[] {
  const all = (name: string): string[] => form.getAll(`${field} ${name}`).map(String)
  const [quantities, amounts] = [all('quantity'), all('amount')]
  return all('name').map((name, index) => ({
    name: name.trim(),
    minimumQuantity: Number(quantities[index]),
    amount: amounts[index] ? minorUnits(amounts[index], fractionDigits) : null,
  }))
}
