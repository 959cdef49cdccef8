/** Runs a command of the command line: import, export and token. */
import { describeStartupError } from './startup-error.ts'

/**
 * Runs it with its parsed arguments, which are a sentence for the user when they are wrong, or prints the help text.
 * The exit code is 0, 1 when `run` says false, and 2 when the command could not run.
 */
export async function runCommand<Arguments extends { readonly help: boolean }>(
  args: Arguments | string,
  usage: string,
  run: (args: Arguments) => Promise<boolean>,
): Promise<void> {
  if (typeof args === 'string') {
    console.error(`${args}\n\n${usage}`)
    process.exitCode = 2
    return
  }
  if (args.help) return console.log(usage)
  try {
    process.exitCode = (await run(args)) ? 0 : 1
  } catch (error) {
    console.error(describeStartupError(error))
    process.exitCode = 2
  }
}
