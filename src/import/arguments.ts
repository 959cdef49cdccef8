/** Arguments of the import command. */
import { parseArgs } from 'node:util'

/** What happens at a refused object: the import ends there, goes on, or goes on and undoes all in the end. */
export const errorPolicies = ['stop', 'skip', 'rollback'] as const

/** The parsed command line. */
export interface ImportArguments {
  readonly onError: (typeof errorPolicies)[number]
  readonly dryRun: boolean
  readonly resume: boolean
  /** The file for refused objects; null for none. */
  readonly refused: string | null
  readonly ignoreUnknown: boolean
  readonly help: boolean
  readonly files: readonly string[]
}

/** The help text. */
export const usage = `Usage: npm run import -- [options] FILE...

Takes files of JSON objects, one per line or pretty-printed one after another, gzipped or not, into the store.
  --on-error stop       ends at the first object that is refused (the default); what was taken before it stays
  --on-error skip       reports what is wrong with a refused object and goes on with the next
  --on-error rollback   all or nothing: reports every refused object, and stores nothing if there is one
  --dry-run             checks and counts as an import would, and stores nothing
  --ignore-unknown      leaves out members that an object can not have, and lists and counts them; otherwise it is refused
  --refused FILE        writes refused objects to a file, one per line, to be corrected and imported again
  --resume              goes on with an import of the same files that was killed, or that stopped at an object corrected since
  --help                prints this

Exits with 0 when all was taken, 1 when an object was refused, 2 when it could not run.`

const options = {
  'on-error': { type: 'string', default: 'stop' },
  'dry-run': { type: 'boolean', default: false },
  refused: { type: 'string' },
  resume: { type: 'boolean', default: false },
  'ignore-unknown': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

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
    if (options[name as keyof typeof options].type === 'boolean' && value !== undefined) return `${rawName} takes no value`
  }
  const onError = errorPolicies.find((policy) => policy === values['on-error'])
  if (!onError) return `--on-error takes ${errorPolicies.join(', ')}`
  const refused = values.refused ?? null
  if (typeof refused === 'boolean' || refused === '') return '--refused takes the name of a file'
  const [dryRun, resume, help] = [values['dry-run'] === true, values.resume === true, values.help === true]
  if (resume && (dryRun || onError === 'rollback'))
    return '--resume is not for --dry-run and --on-error rollback, which begin anew each time'
  return files.length > 0 || help
    ? { onError, dryRun, resume, refused, ignoreUnknown: values['ignore-unknown'] === true, help, files }
    : 'No file is given'
}

const optionNames = Object.keys(options)
  .map((name) => `--${name}`)
  .join(', ')
