/**
 * Global setup: installs the clients' packages where they are missing, and starts one server with the demo store for
 * all tests.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { installPackages } from '../../support/install-packages.ts'
import { startProgram } from '../../support/program.ts'
import { startCommand } from '../../support/start-command.ts'
import type { Server } from './server.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))

/**
 * Starts the server as `npm start` does, on a free port and a data folder of its own, and gives its address and tokens
 * to the tests.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  installPackages(folder)
  const data = mkdtempSync(join(tmpdir(), 'commerce-graph-clients-'))
  const program = startProgram(startCommand(), { DATA_DIR: data })
  const printed = async (name: string): Promise<string> =>
    (await program.says(new RegExp(`${name} +(\\S+)\\n`)))[1] ?? ''
  const server: Server = {
    url: await printed('Address'),
    admin: await printed('Admin token'),
    shopper: await printed('Shopper token'),
  }
  project.provide('server', server)
  return async () => {
    program.child.kill('SIGTERM')
    await program.exit
    rmSync(data, { recursive: true, force: true })
  }
}
