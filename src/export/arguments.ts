/** Arguments of the export command. */
import { parseArgs } from 'node:util'
import { readSheetArguments, sheetTypes, type TypedSheetArguments } from '../import/arguments.ts'
import { isSheet } from '../import/source.ts'

/** The parsed command line. */
export interface ExportArguments {
  /** The file to write; null for standard output. */
  readonly file: string | null
  /** What is written as a sheet; null for the whole store. */
  readonly sheet: TypedSheetArguments | null
  /** Whether all subscriptions are written, and nothing else. */
  readonly subscriptions: boolean
  readonly help: boolean
}

/** The help text. */
export const usage = `Usage: npm run export -- FILE
       npm run -s export > FILE
       npm run export -- FILE --subscriptions
       npm run export -- FILE.xlsx --type product-price --book NAME
       npm run export -- FILE.csv --type TYPE

Writes what the store's team wrote as JSON objects, one per line, which npm run import takes: as the store is at one instant, in an order
in which every object comes after those that it names. The file is compressed when its name ends in .gz, and readable by you alone.
Without FILE it writes to standard output; -s keeps npm's own lines out of it. A file whose name ends in .csv or .xlsx is a sheet: it gets
the prices of one price book or the records of one type, one a row, and what has no column is counted.
  --subscriptions  writes all subscriptions instead, with names, emails and ids of cards: keep the file safe
  --type TYPE      says what the rows of a sheet are: ${sheetTypes.join(', ')}
  --book NAME      the price book of prices, by name or id
  --help           prints this`

const options = {
  type: { type: 'string' },
  book: { type: 'string' },
  subscriptions: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const optionNames = Object.keys(options)
  .map((name) => `--${name}`)
  .join(', ')

function isSwitch(name: string): boolean {
  return Object.hasOwn(options, name) && options[name as keyof typeof options].type === 'boolean'
}

/** Parses the command line; returns a sentence for the user when it is wrong. */
export function readArguments(args: readonly string[]): ExportArguments | string {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(options, token.name))
  if (unknown?.kind === 'option') return `There is no option ${unknown.rawName}; there are ${optionNames}`
  const filled = tokens.find((token) => token.kind === 'option' && isSwitch(token.name) && token.value !== undefined)
  if (filled?.kind === 'option') return `${filled.rawName} takes no value`
  if (positionals.length > 1) return 'An export has one file'
  const file = positionals[0] ?? null
  const help = values.help === true
  const ofSheet = file !== null && isSheet(file)
  const subscriptions = values.subscriptions === true
  if (subscriptions && ofSheet)
    return '--subscriptions writes JSON lines: name a file that does not end in .csv or .xlsx'
  const sheet = help ? null : readSheetArguments(values, ofSheet)
  if (typeof sheet === 'string') return sheet
  if (sheet?.type === null) return `A sheet needs --type with what its rows are: ${sheetTypes.join(', ')}`
  return { file, sheet, subscriptions, help }
}
