export interface ImportArguments {
  readonly onError: 'stop' | 'skip'
  readonly files: readonly string[]
}

export const usage = `Usage: npm run import -- [--on-error stop|skip] FILE...

Takes files of JSON objects, one per line or pretty-printed one after another, gzipped or not, into the store.
  --on-error stop   ends at the first object that is refused (the default); what was taken before it stays
  --on-error skip   tells what is wrong with a refused object and goes on with the next`

/** Reads the command line; a sentence when it makes no sense. */
export function readArguments(args: readonly string[]): ImportArguments | string {
  const files: string[] = []
  let onError: 'stop' | 'skip' = 'stop'
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string
    if (arg === '--') {
      files.push(...args.slice(index + 1))
      break
    }
    if (arg === '--on-error' || arg.startsWith('--on-error=')) {
      const word = arg === '--on-error' ? args[++index] : arg.slice('--on-error='.length)
      if (word !== 'stop' && word !== 'skip') return '--on-error takes stop or skip'
      onError = word
    } else if (arg.startsWith('-')) return `There is no option ${arg}`
    else files.push(arg)
  }
  return files.length > 0 ? { onError, files } : 'No file is given'
}
