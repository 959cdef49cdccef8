/** The sales of a price record, to be changed: their names, when they run, and what they cost. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { EditTiers } from './edit-tiers.tsx'
import { FieldErrors, type UserError } from './field-errors.tsx'
import { useKeptCount, useKeptRows } from './kept-form.tsx'
import { dayText, instantText, saying } from './parts.tsx'
import { type Currency, currenciesOf, type SaleRow, tierOf } from './sale-values.ts'
import { useSession } from './session.tsx'
import { storeTime } from './store-time.ts'
import { decimal, typedAmount } from './typed-amount.ts'

interface EditSalesProps {
  readonly rows: readonly SaleRow[]
  /** The currencies of the list prices. */
  readonly listed: readonly Currency[]
  /** Each with the field at which it stands as the first segment of its path. */
  readonly errors: readonly UserError[]
  readonly onRows: (rows: readonly SaleRow[]) => void
}

/** Each sale, folded, and a button for another one. */
export function EditSales({ rows, listed, errors, onRows }: EditSalesProps): JSX.Element {
  const place = useRef<HTMLButtonElement>(null)
  const keep = useKeptRows(place)
  const change = (changed: readonly SaleRow[]): void => {
    onRows(changed)
    keep()
  }
  const add = (): void => {
    const numbers = rows.map(({ field }) => Number(field.slice('sale'.length)))
    change([...rows, { field: `sale${Math.max(-1, ...numbers) + 1}`, stored: null }])
  }
  return (
    <div class="sales">
      <h4>Sales</h4>
      {rows.length === 0 && <p class="soft">None yet. A sale replaces list prices for a time, or for good.</p>}
      {rows.map((row, index) => (
        <EditSale
          key={row.field}
          row={row}
          title={`sale ${index + 1}`}
          listed={listed}
          errors={errors.filter(({ path: [field = ''] }) => field.split(' ')[0] === row.field)}
          onRemove={() => change(rows.filter((one) => one !== row))}
        />
      ))}
      <button ref={place} type="button" onClick={add}>
        Add a sale
      </button>
    </div>
  )
}

interface EditSaleProps extends Pick<EditSalesProps, 'listed' | 'errors'> {
  readonly row: SaleRow
  /** What it is called where its name may be empty, such as `sale 2`. */
  readonly title: string
  readonly onRemove: () => void
}

function EditSale({ row, title, listed, errors, onRemove }: EditSaleProps): JSX.Element {
  const { field, stored } = row
  const { timeZone } = useSession().settings
  const { validFrom = null, validTo = null } = stored?.schedule ?? {}
  return (
    <details
      open={stored === null || errors.length > 0}
      // An input that is not shown can't get the focus, so that the browser could not say what is wrong.
      onInvalidCapture={({ currentTarget }) => {
        currentTarget.open = true
      }}
    >
      <summary>{stored ? <bdi>{stored.name}</bdi> : 'New sale'}</summary>
      <fieldset>
        <legend class="soft">{stored ? period(validFrom, validTo) : 'not saved yet'}</legend>
        <label class="field">
          Name of {title}
          <input
            name={`${field} name`}
            required
            defaultValue={stored?.name ?? ''}
            {...saying('A sale has a name, which shoppers see.')}
          />
        </label>
        <FieldErrors of={errors} at={[`${field} name`]} />
        {(['from', 'until'] as const).map((bound) => (
          <label key={bound} class="field">
            {bound === 'from' ? 'From' : 'Until'} ({timeZone})
            <input
              type="datetime-local"
              name={`${field} ${bound}`}
              step="any"
              max="9999-12-30T23:59"
              defaultValue={storeTime(bound === 'from' ? validFrom : validTo, timeZone)}
              {...saying('Complete the date and the time, or clear them.')}
            />
          </label>
        ))}
        <p class="soft">It no longer runs at the second instant. Empty is no limit; without both it is permanent.</p>
        <FieldErrors of={errors} at={[`${field} schedule`]} />
        {currenciesOf(listed, stored).map((one) => (
          <div key={one.currency} class="sale-price">
            <SalePrice of={one} row={row} title={title} />
            <FieldErrors of={errors} at={[`${field} ${one.currency}`]} />
          </div>
        ))}
        <FieldErrors of={errors} at={[field]} />
        <button type="button" onClick={onRemove}>
          Take {title} away
        </button>
      </fieldset>
    </details>
  )
}

interface SalePriceProps extends Pick<EditSaleProps, 'row' | 'title'> {
  readonly of: Currency
}

/** What a sale costs in a currency. Without an amount the list price stays, so that tiers need one. */
function SalePrice({ of, row: { field, stored }, title }: SalePriceProps): JSX.Element {
  const { currency, fractionDigits, includesTax } = of
  const price = stored?.prices.find((one) => one.currency === currency)
  const tiers = price?.tiers.map(tierOf) ?? []
  const kept = useKeptCount(`${field} ${currency} name`)
  const [count, setCount] = useState(kept ?? tiers.length)
  const place = useRef<HTMLInputElement>(null)
  // What was said of an amount that lacked is over once it is not needed.
  useEffect(() => place.current?.setCustomValidity(''), [count])
  const amount = price?.amount?.amount
  return (
    <>
      <label class="field">
        Sale price in {currency}, {includesTax ? 'with' : 'without'} tax
        <input
          ref={place}
          name={`${field} ${currency}`}
          required={count > 0}
          defaultValue={amount === undefined ? '' : decimal(amount, fractionDigits)}
          placeholder="as listed"
          {...typedAmount(currency, fractionDigits)}
        />
      </label>
      <EditTiers
        {...{ currency, fractionDigits, tiers }}
        field={`${field} ${currency}`}
        sale={title}
        onCount={setCount}
      />
    </>
  )
}

/** When a sale runs, in words: by days where it begins or ends at midnight, the last one being that before. */
export function period(from: string | null, to: string | null): string {
  if (from === null && to === null) return 'permanent'
  const since = from && `from ${isMidnight(from) ? dayText(Date.parse(from)) : instantText(from)}`
  const until = to && (isMidnight(to) ? `through ${dayText(Date.parse(to) - 1)}` : `to ${instantText(to)}`)
  return [since, until].filter(Boolean).join(' ')
}

/** Whether a day of the reader's own time zone begins. */
const isMidnight = (at: string): boolean => new Date(at).setHours(0, 0, 0, 0) === Date.parse(at)
