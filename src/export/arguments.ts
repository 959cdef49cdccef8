/** Arguments of the export command. */
import { parseArgs } from 'node:util'

/** The parsed command line. */
export interface ExportArguments {
  /** The file to write; null for standard output. */
  readonly file: string | null
  readonly help: boolean
}

/** The help text. */
export const usage = `Usage: npm run export -- FILE
       npm run -s export > FILE

Writes what the store's team wrote as JSON objects, one per line, which npm run import takes: as the store is at one instant, in an order
in which every object comes after those that it names. The file is compressed when its name ends in .gz, and readable by you alone.
Without FILE it writes to standard output; -s keeps npm's own lines out of it.
  --help   prints this`

const options = { help: { type: 'boolean', default: false } } as const

/** Parses the command line; returns a sentence for the user when it is wrong. */
export function readArguments(args: readonly string[]): ExportArguments | string {
  const { values, positionals, tokens } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true })
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(options, token.name))
  if (unknown?.kind === 'option') return `There is no option ${unknown.rawName}; there is --help`
  if (positionals.length > 1) return 'An export has one file'
  return { file: positionals[0] ?? null, help: values.help === true }
}
