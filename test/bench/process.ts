/** Server processes: started, found by the address that they print, and ended. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '../../src/config/project-root.ts'

export interface Running {
  readonly url: string
  readonly pid: number
  /** Seconds from the start to the address. */
  readonly startedIn: number
  /** Resident memory in megabytes. */
  memory(): number
  stop(): Promise<void>
}

const START_LIMIT_MS = 60_000
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-bench-'))
let started = 0

/** Runs a server whose output, in a file as in production, has its port: `"port":1234` or `http://host:1234`. */
export async function startProcess(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  cwd = projectRoot,
): Promise<Running> {
  const output = join(folder, `${++started}.log`)
  const file = openSync(output, 'w')
  const begun = performance.now()
  const child = spawn(command[0], command.slice(1), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', file, file],
  })
  closeSync(file)
  const port = await portIn(output, child)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    startedIn: (performance.now() - begun) / 1000,
    memory: () => residentMegabytes(child.pid ?? 0),
    stop: async () => {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await Promise.race([once(child, 'exit'), sleep(5_000, undefined, { ref: false })])
      child.kill('SIGKILL')
    },
  }
}

/** A TypeScript file of this folder as a process. */
export function script(file: string): readonly [string, ...string[]] {
  return [process.execPath, '--import', 'tsx', join(projectRoot, 'test/bench', file)]
}

async function portIn(output: string, child: ChildProcess): Promise<string> {
  for (let waited = 0; waited < START_LIMIT_MS; waited += 20) {
    const text = readFileSync(output, 'utf8')
    const port = /"port":(\d+)|http:\/\/(?:127\.0\.0\.1|localhost):(\d+)/.exec(text)
    if (port) return (port[1] ?? port[2]) as string
    if (child.exitCode !== null) throw new Error(`a server ended at its start:\n${text}`)
    await sleep(20)
  }
  throw new Error(`a server did not print its address:\n${readFileSync(output, 'utf8')}`)
}

function residentMegabytes(pid: number): number {
  return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024)
}
