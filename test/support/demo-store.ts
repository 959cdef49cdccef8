/** Demo store: filled once for all files that look at it in a browser, each of which has a copy of its own. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { startProgram } from './program.ts'
import { startCommand } from './start-command.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    demoStore: string
  }
}

/** The global setup: starts a server on an empty folder, which fills it. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-demo-'))
  const dataDir = join(folder, 'data')
  const program = startProgram(startCommand(), { DATA_DIR: dataDir })
  await program.says(/Address +(\S+)/)
  program.child.kill('SIGTERM')
  await program.exit
  project.provide('demoStore', dataDir)
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Makes `dataDir` a copy of it. */
export function copyDemoStore(dataDir: string): void {
  cpSync(inject('demoStore'), dataDir, { recursive: true })
}
