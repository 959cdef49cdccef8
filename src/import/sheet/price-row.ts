/**
 * A row of a sheet of prices as the object of a product price that the import knows.
 *
 * An object replaces sales and tiers whole, and a row has cells for some of them. So the rest is taken from the stored
 * price, while it is locked (sheet.absent-columns-stay).
 */
import { key, type Path, type Violation } from '../../domain/input/errors.ts'
import type { CurrencyPriceRecord, CurrencyPriceRecords, TierRecord } from '../../domain/pricing/price-record.ts'
import { type ProductPrice, productPriceRecord } from '../../domain/pricing/product-price.ts'
import { type CellResult, CLEARS, instantOf, type NumberFormat, readAmount, readFlag, readText } from './cells.ts'
import type { PriceColumn } from './price-columns.ts'
import type { CellTaker } from './sheet.ts'

type Tiers = NonNullable<CurrencyPriceRecord['tiers']>

/** What the cells say of a currency: absent keeps, null clears. Tiers are by minimum quantity. */
interface CurrencyCells {
  amount?: number | null | undefined
  includesTax?: boolean | null | undefined
  readonly tiers: Map<number, number | null>
}

/** What the cells say of a sale. */
interface SaleCells {
  exists?: true | null | undefined
  validFrom?: string | null | undefined
  validTo?: string | null | undefined
  bundleIds?: readonly string[] | null | undefined
  readonly currencies: Map<string, CurrencyCells>
}

/** A price as a row gives it. */
export class PriceRow implements CellTaker<PriceColumn> {
  /** Paths begin at the object's data. */
  readonly violations: Violation[] = []
  private sku: string | null | undefined
  private externalRef: string | null | undefined
  private readonly currencies = new Map<string, CurrencyCells>()
  private readonly sales = new Map<string, SaleCells>()

  constructor(private readonly bookId: string) {}

  /** Takes a cell that is not empty. */
  take(column: PriceColumn, cell: string, format: NumberFormat): void {
    if (column.on === 'price') {
      const text = this.value(column, cell, readText)
      if (column.member === 'sku') this.sku = text
      else this.externalRef = text
    } else if (column.on === 'sale') this.takeSale(column, cell)
    else {
      const { sale, currency } = column
      const owner = sale === null ? this.currencies : this.saleOf(sale).currencies
      const of: CurrencyCells = entry(owner, currency, (): CurrencyCells => ({ tiers: new Map() }))
      if (column.member === 'includes_tax') of.includesTax = this.value(column, cell, readFlag)
      else {
        const amount = this.value(column, cell, (text) => readAmount(text, currency, format))
        if (amount === undefined) return
        if (column.member === 'tier') of.tiers.set(column.minimum, amount)
        else of.amount = amount
      }
    }
  }

  private takeSale(column: PriceColumn & { on: 'sale' }, cell: string): void {
    const sale = this.saleOf(column.sale)
    if (column.member === 'bundle_ids')
      sale.bundleIds = this.value(column, cell, (text) => ({ value: text.trim().split(/\s+/) }))
    else if (column.member === 'exists')
      sale.exists = this.value(column, cell, (text) => {
        const flag = readFlag(text)
        return 'value' in flag && flag.value
          ? { value: true as const }
          : { code: 'INVALID_VALUE', message: `must be true, or ${CLEARS} to remove the sale` }
      })
    else
      sale[column.member === 'valid_from' ? 'validFrom' : 'validTo'] = this.value(column, cell, (text) => ({
        value: instantOf(text),
      }))
  }

  private saleOf(name: string): SaleCells {
    return entry(this.sales, name, (): SaleCells => ({ currencies: new Map() }))
  }

  /** The value of a cell, null where it clears, undefined when it can't be read. */
  private value<T>(column: PriceColumn, cell: string, read: (cell: string) => CellResult<T>): T | null | undefined {
    if (cell === CLEARS) return null
    const result = read(cell)
    if ('value' in result) return result.value
    this.violations.push({ ...result, path: pathOf(column) })
    return undefined
  }

  /** The object's `data` for a stored price, or for a new one. */
  dataFor(stored: ProductPrice | undefined): object {
    const { sku, externalRef } = this
    const currencies = changedCurrencies(this.currencies, stored?.currencies ?? {})
    const sales = this.salesFor(stored)
    const attributes = {
      ...(sku !== undefined && { sku }),
      ...(externalRef !== undefined && { external_ref: externalRef }),
      currencies: stored ? currencies : withoutNull(currencies),
      ...(sales && { sales }),
    }
    return { type: productPriceRecord.type, pricebook_id: this.bookId, attributes }
  }

  /** All sales of the price; undefined when the row changes none. */
  private salesFor(stored: ProductPrice | undefined): object | undefined {
    if (this.sales.size === 0) return undefined
    type Given = { bundle_ids: readonly string[]; schedule: object | null; currencies: CurrencyPriceRecords }
    const before = productPriceRecord.members.sales.exported?.(stored?.sales ?? []) as Record<string, Given>
    const sales = new Map(Object.entries(before))
    for (const [name, cells] of this.sales) {
      const old = sales.get(name)
      const { exists, validFrom, validTo, bundleIds } = cells
      if (exists === null) sales.delete(name)
      else if (old || hasValue(cells)) {
        const schedule = { valid_from: null, valid_to: null, ...old?.schedule }
        const [valid_from, valid_to] = [given(validFrom, schedule.valid_from), given(validTo, schedule.valid_to)]
        const all = { ...old?.currencies, ...changedCurrencies(cells.currencies, old?.currencies ?? {}) }
        sales.set(name, {
          bundle_ids: given(bundleIds, old?.bundle_ids ?? []) ?? [],
          schedule: valid_from === null && valid_to === null ? null : { valid_from, valid_to },
          currencies: withoutNull(all),
        })
      }
    }
    return Object.fromEntries(sales)
  }
}

/** The currencies that the cells change; null removes one. */
function changedCurrencies(
  changes: ReadonlyMap<string, CurrencyCells>,
  stored: CurrencyPriceRecords,
): Record<string, CurrencyPriceRecord | null> {
  const entries = [...changes].flatMap(([currency, cells]): [string, CurrencyPriceRecord | null][] => {
    const old = Object.hasOwn(stored, currency) ? stored[currency] : undefined
    if (!old && !hasPrice(cells)) return []
    const tiers = changedTiers(cells.tiers, old?.tiers ?? {})
    if (cells.amount === null && Object.keys(tiers).length === 0) return old ? [[currency, null]] : []
    const amount = given(cells.amount, old?.amount ?? null)
    const includes_tax = given(cells.includesTax, old?.includes_tax) ?? false
    return [[currency, { amount, includes_tax, tiers }]]
  })
  return Object.fromEntries(entries)
}

/** The tiers with those of the cells. A tier is known by its minimum quantity, and keeps its name; null removes it. */
function changedTiers(changes: ReadonlyMap<number, number | null>, stored: Tiers): Tiers {
  const tiers = new Map<string, TierRecord>(Object.entries(stored))
  for (const [minimum, amount] of changes) {
    const [old] = Object.entries(stored).find(([, tier]) => tier.minimum_quantity === minimum) ?? []
    if (amount !== null) tiers.set(old ?? freeTierName(minimum, tiers), { minimum_quantity: minimum, amount })
    else if (old !== undefined) tiers.delete(old)
  }
  return Object.fromEntries(tiers)
}

/** `min_6`, or another name where a tier from another quantity on has it. */
function freeTierName(minimum: number, tiers: ReadonlyMap<string, TierRecord>): string {
  let name = `min_${minimum}`
  for (let count = 2; tiers.has(name); count++) name = `min_${minimum}_${count}`
  return name
}

function hasPrice({ amount, includesTax, tiers }: CurrencyCells): boolean {
  return amount != null || includesTax != null || [...tiers.values()].some((tier) => tier !== null)
}

/** Whether the cells tell of a sale, so that a price without it gets it. */
function hasValue({ exists, validFrom, validTo, bundleIds, currencies }: SaleCells): boolean {
  return [exists, validFrom, validTo, bundleIds].some((cell) => cell != null) || [...currencies.values()].some(hasPrice)
}

function given<T>(cell: T | undefined, stored: T): T {
  return cell === undefined ? stored : cell
}

function withoutNull<T>(entries: Readonly<Record<string, T | null>>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter((one): one is [string, T] => one[1] !== null))
}

function entry<K, V>(map: Map<K, V>, name: K, make: () => V): V {
  const made = map.get(name) ?? make()
  map.set(name, made)
  return made
}

/** The path of a column's value in an object's data. */
export function pathOf(column: PriceColumn): Path {
  if (column.on === 'price') return ['attributes', column.member]
  if (column.on === 'sale') {
    const members = {
      exists: [],
      bundle_ids: ['bundle_ids'],
      valid_from: ['schedule', 'valid_from'],
      valid_to: ['schedule', 'valid_to'],
    }
    return ['attributes', 'sales', key(column.sale), ...members[column.member]]
  }
  const { sale, currency, member } = column
  const owner = sale === null ? ['attributes'] : ['attributes', 'sales', key(sale)]
  return [
    ...owner,
    'currencies',
    key(currency),
    ...(member === 'tier' ? ['tiers', key(String(column.minimum))] : [member]),
  ]
}
