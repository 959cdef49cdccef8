/** Arguments of the import command for the data of another system. */
import { isCurrencyCode } from '../../domain/input/currency.ts'

/** The systems whose data an import takes. */
export const systems = ['elasticpath-pcm', 'shopify-csv'] as const

/** From which system the files are, and what its data does not say. */
export type SystemArguments = { readonly system: 'elasticpath-pcm' } | ShopifyArguments

/** What a file of Shopify does not say. */
export interface ShopifyArguments {
  readonly system: 'shopify-csv'
  /** The name of the price book that gets the prices, or its id. */
  readonly book: string
  /** The currency of the prices. */
  readonly currency: string
  /** Whether the prices include tax. */
  readonly includesTax: boolean
}

type Values = Readonly<
  Partial<Record<'from' | 'book' | 'currency' | 'includes-tax' | 'type' | 'decimal', string | boolean>>
>

/** Reads the options; null without `--from`, a sentence for the user when they are wrong. */
export function readSystemArguments(values: Values, files: readonly string[]): SystemArguments | null | string {
  const { from, book, currency, 'includes-tax': tax } = values
  const given = (names: readonly (keyof Values)[]) => names.find((name) => values[name] !== undefined)
  if (from === undefined) {
    const alone = given(['currency', 'includes-tax'])
    return alone === undefined ? null : `--${alone} is for --from shopify-csv`
  }
  const system = systems.find((one) => one === from)
  if (!system) return `--from takes ${systems.join(', ')}`
  const ofSheets = given([
    'type',
    'decimal',
    ...(system === 'shopify-csv' ? [] : (['book', 'currency', 'includes-tax'] as const)),
  ])
  if (ofSheets !== undefined) return `--${ofSheets} is not for --from ${system}`
  if (system === 'elasticpath-pcm')
    return files.length === 1 ? { system } : `--from ${system} takes one folder, one file, or - for standard input`
  if (typeof book !== 'string' || book === '') return `--from ${system} needs --book with the name of a price book`
  if (typeof currency !== 'string' || !isCurrencyCode(currency))
    return `--from ${system} needs --currency with the currency of the prices, such as EUR: its file does not say it`
  if (tax !== 'true' && tax !== 'false')
    return `--from ${system} needs --includes-tax true or false: its file does not say it`
  return { system, book, currency, includesTax: tax === 'true' }
}

/** The options as they are typed. */
export function describeSystem(from: SystemArguments): string {
  if (from.system === 'elasticpath-pcm') return `--from ${from.system}`
  const { system, book, currency, includesTax } = from
  return `--from ${system} --book ${book} --currency ${currency} --includes-tax ${includesTax}`
}
