/** Arguments of the import command. */
import { parseArgs } from 'node:util'
import type { DecimalMark } from './sheet/cells.ts'
import { isRecordSheetType, type RecordSheetType, recordSheets } from './sheet/record-sheets.ts'
import { isSheet, isXlsx } from './source.ts'
import { readSystemArguments, type SystemArguments, systems } from './systems/system-arguments.ts'

/** What happens at a refused object: the import ends, goes on, or goes on and undoes everything at the end. */
export const errorPolicies = ['stop', 'skip', 'rollback'] as const

/** The parsed command line. */
export interface ImportArguments {
  readonly onError: (typeof errorPolicies)[number]
  readonly dryRun: boolean
  readonly resume: boolean
  /** The file for refused objects; null for none. */
  readonly refused: string | null
  readonly ignoreUnknown: boolean
  readonly publishAnyway: boolean
  /** How the sheets among the files are read; null when there are none. */
  readonly sheet: SheetArguments | null
  /** The other system whose data the files are; null for files of ours. */
  readonly from: SystemArguments | null
  readonly help: boolean
  readonly files: readonly string[]
}

/** The arguments for sheets; without a type their columns tell it. */
export type SheetArguments = TypedSheetArguments | ({ readonly type: null } & DecimalArgument)

/** The arguments for sheets of a type that is given. */
export type TypedSheetArguments = DecimalArgument &
  (
    | { readonly type: RecordSheetType }
    /** `book` is the name or the id of the price book. */
    | { readonly type: 'product-price'; readonly book: string }
  )

interface DecimalArgument {
  /** Undefined when it is to be told by the separator. */
  readonly decimal: DecimalMark | undefined
}

/** The types that sheets may have. */
export const sheetTypes: readonly string[] = ['product-price', ...Object.keys(recordSheets)]

/** The help text. */
export const usage = `Usage: npm run import -- [options] FILE...
       npm run import -- [options] --type product-price --book NAME FILE.xlsx...
       npm run import -- [options] --type TYPE FILE.csv...
       npm run import -- [options] --from elasticpath-pcm FOLDER
       npm run import -- [options] --from shopify-csv --book NAME --currency EUR --includes-tax true FILE.csv...

Takes files of JSON objects, one per line or pretty-printed one after another, gzipped or not, into the store; or sheets, files
whose names end in .csv or .xlsx, gzipped or not, with one price, product, node, subscription product or plan a row.
  --on-error stop       ends at the first object that is refused (the default); what was taken before it stays
  --on-error skip       reports what is wrong with a refused object and goes on with the next
  --on-error rollback   all or nothing: reports every refused object, and stores nothing if there is one
  --dry-run             checks and counts as an import would, and stores nothing
  --ignore-unknown      leaves out members that an object can not have, and lists and counts them; otherwise it is refused
  --publish-anyway      publishes catalogs although objects before their release were refused
  --refused FILE        writes refused objects to a file, one per line or row, to be corrected and imported again
  --resume              goes on with an import of the same files that was killed, or that stopped at an object corrected since
  --type TYPE           says what the rows of sheets are, where their columns fit several types:
                        ${sheetTypes.join(', ')}
  --book NAME           the price book of prices in sheets, by name or id; it must be stored already, unless with --from
  --decimal MARK        the decimal mark of sheets, "." or ","; by default a comma where ; separates the cells
  --from SYSTEM         takes data of another system: ${systems.join(', ')}; - for standard input
  --currency CODE       the currency of Shopify's prices
  --includes-tax FLAG   whether Shopify's prices include tax, true or false
  --help                prints this

Exits with 0 when all was taken, 1 when an object was refused, 2 when it could not run.`

const options = {
  'on-error': { type: 'string', default: 'stop' },
  'dry-run': { type: 'boolean', default: false },
  refused: { type: 'string' },
  resume: { type: 'boolean', default: false },
  'ignore-unknown': { type: 'boolean', default: false },
  'publish-anyway': { type: 'boolean', default: false },
  type: { type: 'string' },
  book: { type: 'string' },
  decimal: { type: 'string' },
  from: { type: 'string' },
  currency: { type: 'string' },
  'includes-tax': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const

/** Reads the options for sheets; a sentence for the user when they are wrong. */
export function readSheetArguments(
  { type, book, decimal }: Readonly<Partial<Record<'type' | 'book' | 'decimal', string | boolean>>>,
  isUsed: boolean,
): SheetArguments | null | string {
  if (!isUsed) {
    const given = Object.entries({ type, book, decimal }).find(([, value]) => value !== undefined)
    return given ? `--${given[0]} is for files whose names end in .csv or .xlsx` : null
  }
  if (decimal !== undefined && decimal !== '.' && decimal !== ',') return '--decimal takes . or ,'
  if (isRecordSheetType(type)) return book === undefined ? { type, decimal } : '--book is for --type product-price'
  if (type === undefined && book === undefined) return { type: null, decimal }
  if (type !== undefined && type !== 'product-price') return `--type takes ${sheetTypes.join(', ')}`
  if (typeof book !== 'string' || book === '') return 'A sheet of prices needs --book with the name of a price book'
  return { type: 'product-price', book, decimal }
}

/** Parses the command line; returns a sentence for the user when it is wrong. */
export function readArguments(args: readonly string[]): ImportArguments | string {
  const {
    values,
    positionals: files,
    tokens,
  } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    if (!Object.hasOwn(options, name)) return `There is no option ${rawName}; there are ${optionNames}`
    if (options[name as keyof typeof options].type === 'boolean' && value !== undefined)
      return `${rawName} takes no value`
  }
  const onError = errorPolicies.find((policy) => policy === values['on-error'])
  if (!onError) return `--on-error takes ${errorPolicies.join(', ')}`
  const refused = values.refused ?? null
  if (typeof refused === 'boolean' || refused === '') return '--refused takes the name of a file'
  const [dryRun, resume, help] = [values['dry-run'] === true, values.resume === true, values.help === true]
  if (resume && (dryRun || onError === 'rollback'))
    return '--resume is not for --dry-run and --on-error rollback, which begin anew each time'
  const [ignoreUnknown, publishAnyway] = [values['ignore-unknown'] === true, values['publish-anyway'] === true]
  const from = help ? null : readSystemArguments(values, files)
  if (typeof from === 'string') return from
  const sheets = from === null ? files.filter(isSheet) : []
  const sheet = help || from !== null ? null : readSheetArguments(values, sheets.length > 0)
  if (typeof sheet === 'string') return sheet
  const format = (name: string): string | undefined => (isSheet(name) ? (isXlsx(name) ? '.xlsx' : '.csv') : undefined)
  if (refused !== null && sheets.length > 0) {
    const [ending = ''] = sheets.map(format)
    if (files.length > 1 || format(refused) !== ending || refused.endsWith('.gz'))
      return `--refused takes one sheet at a time, and the name of another file that ends in ${ending}`
  }
  if (refused !== null && sheets.length === 0 && isSheet(refused)) return '--refused writes a sheet only for a sheet'
  return files.length > 0 || help
    ? { onError, dryRun, resume, refused, ignoreUnknown, publishAnyway, sheet, from, help, files }
    : 'No file is given'
}

const optionNames = Object.keys(options)
  .map((name) => `--${name}`)
  .join(', ')
