/** The program as people start it: a process of its own, told by its environment, heard by what it prints. */
import { type ChildProcess, spawn } from 'node:child_process'
import { projectRoot } from '../../src/config/project-root.ts'

export interface Program {
  readonly child: ChildProcess
  /** All that was printed so far, on both streams. */
  printed(): string
  /** Resolves once something like it was printed; rejects when the program ends before. */
  says(pattern: RegExp): Promise<RegExpMatchArray>
  readonly exit: Promise<number | null>
}

/** On any free port, with the embedded database, as a development server; `environment` says where else. */
export function startProgram(command: readonly [string, ...string[]], environment: Readonly<Record<string, string>>): Program {
  const { DATABASE_URL: _, ...inherited } = process.env
  const env = { ...inherited, NODE_ENV: 'development', PORT: '0', ...environment }
  const [file, ...args] = command
  const child = spawn(file, args, { cwd: projectRoot, env })
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
