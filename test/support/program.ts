/** Program: the server as a process of its own, configured by its environment and observed by its output. */
import { type ChildProcess, spawn } from 'node:child_process'
import { projectRoot } from '../../src/config/project-root.ts'
import { shortLived } from './start-command.ts'

/** A running program. */
export interface Program {
  readonly child: ChildProcess
  /** Its output so far, of both streams. */
  printed(): string
  /** Resolves when the output matches; rejects when the program ends first. */
  says(pattern: RegExp): Promise<RegExpMatchArray>
  readonly exit: Promise<number | null>
}

/** Starts it on a free port with the embedded database in development mode; `environment` overrides. */
export function startProgram(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
): Program {
  const { DATABASE_URL: _, ...inherited } = process.env
  const env = { ...inherited, NODE_ENV: 'development', PORT: '0', ...environment }
  const [file, ...args] = command
  const child = spawn(file, file === process.execPath ? [...shortLived, ...args] : args, { cwd: projectRoot, env })
  let text = ''
  const heard = new Set<() => void>()
  const hear = (data: Buffer): void => {
    text += data.toString()
    for (const listener of heard) listener()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const says = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = (): void => {
        const match = pattern.exec(text)
        if (match) resolve(match)
      }
      heard.add(look)
      look()
      void exit.then(() => reject(new Error(`ended without ${pattern}:\n${text}`)))
    })
  return { child, printed: () => text, says, exit }
}
