/** A shell as an operator has it: one for all commands, which knows only what they have set. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

export interface Shell {
  /** Runs lines, and resolves to what they print; rejects when one fails, after which the shell has ended. */
  run(lines: string): Promise<string>
  close(): Promise<unknown>
}

/** Output goes to a file: programs of Node may leave a pipe in a state in which the shell can't write. */
const LOOP = `set -euo pipefail; while IFS= read -r -d '' lines <&3; do eval "$lines" > "$0"; printf done; done`

/** Opens one that finds the programs of a folder before all others. */
export function openShell(programs: string): Shell {
  const { PATH = '', HOME = '' } = process.env
  const file = join(programs, 'printed')
  const child = spawn('bash', ['-c', LOOP, file], {
    cwd: '/',
    env: { PATH: `${programs}:${PATH}`, HOME },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [, output, errors, input] = child.stdio as unknown as [null, Readable, Readable, Writable]
  let complaints = ''
  errors.on('data', (data: Buffer) => {
    complaints += data.toString()
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return {
    run: (lines) =>
      new Promise((resolve, reject) => {
        complaints = ''
        output.once('data', () => resolve(readFileSync(file, 'utf8')))
        void ended.then(() => reject(new Error(`failed:\n${lines}\n${complaints}`)))
        input.write(`${lines}\0`)
      }),
    close() {
      input.end()
      return ended
    },
  }
}
