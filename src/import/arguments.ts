/** Arguments of the import command. */
import { parseArgs } from 'node:util'

/** The parsed command line. */
export interface ImportArguments {
  /** Whether to end at a refused object or to continue with the next. */
  readonly onError: 'stop' | 'skip'
  readonly files: readonly string[]
}

/** The help text. */
export const usage = `Usage: npm run import -- [--on-error stop|skip] FILE...

Takes files of JSON objects, one per line or pretty-printed one after another, gzipped or not, into the store.
  --on-error stop   ends at the first object that is refused (the default); what was taken before it stays
  --on-error skip   reports what is wrong with a refused object and goes on with the next`

/** Parses the command line; returns a sentence for the user when it is wrong. */
export function readArguments(args: readonly string[]): ImportArguments | string {
  const options = { 'on-error': { type: 'string', default: 'stop' } } as const
  const {
    values,
    positionals: files,
    tokens,
  } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true })
  const unknown = tokens.find((token) => token.kind === 'option' && token.name !== 'on-error')
  if (unknown?.kind === 'option') return `There is no option ${unknown.rawName}`
  const { 'on-error': onError } = values
  if (onError !== 'stop' && onError !== 'skip') return '--on-error takes stop or skip'
  return files.length > 0 ? { onError, files } : 'No file is given'
}
