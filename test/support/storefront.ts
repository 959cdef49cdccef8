/** Storefront: the guide to one, followed in an empty folder beside a server with the demo store. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../../src/config/project-root.ts'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { installPackages } from './install-packages.ts'
import { startProgram } from './program.ts'
import { commands, example, shownFiles } from './storefront-guide.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
type Answer = any

/** A running storefront. */
export interface Storefront {
  readonly url: string
  /** The address of the server that it asks. */
  readonly graph: string
  /** What the guide made. */
  readonly folder: string
  /** What the latest release answers a shopper in euros. */
  latest(fields: string, variables?: Readonly<Record<string, unknown>>, declared?: string): Promise<Answer>
  /** What the graph answers the customer of the demo store. */
  ask(query: string): Promise<Answer>
  stop(): Promise<void>
}

/** The environment of a shell that isn't a test's: there codegen would say nothing. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_ENV: _, ...env } = process.env
  return { ...env, npm_config_audit: 'false', npm_config_fund: 'false' }
}

/** Runs a line of the shell; rejects with what it printed when it fails. */
export async function run(line: string, cwd: string): Promise<void> {
  await promisify(execFile)('bash', ['-ec', line], { cwd, env: environment() }).catch(({ stdout, stderr }) => {
    throw new Error(`${line}\n${stdout}${stderr}`)
  })
}

/** Follows the guide, with addresses of its own in place of the guide's. */
export async function startStorefront(): Promise<Storefront> {
  const place = mkdtempSync(join(tmpdir(), 'commerce-graph-storefront-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const [start, setup, show] = commands()
  const program = startProgram(['bash', '-ec', start.replace(/(?<=^CORS_ORIGINS=)\S+/, url)], {
    DATA_DIR: join(place, 'data'),
  })
  const [, graph = ''] = await program.says(/Address +(\S+)/)

  const [repository, folder] = [join(place, 'repository'), join(place, 'storefront')]
  for (const path of [repository, folder]) mkdirSync(path)
  for (const name of ['schema.graphql', 'test']) symlinkSync(join(projectRoot, name), join(repository, name))
  // With the lockfile npm installs what was tried, not what has come since; with the packages it has nothing to load.
  installPackages(example)
  for (const name of ['package.json', 'package-lock.json', 'node_modules'])
    cpSync(join(example, name), join(folder, name), { recursive: true, verbatimSymlinks: true })
  await run(setup, repository)
  for (const { file, text } of shownFiles()) writeFileSync(join(folder, file), text)
  const lines = show.trim().split('\n')
  for (const line of lines.slice(0, -1)) await run(line, folder)
  const vite = await serve(`${lines.at(-1)} --host 127.0.0.1 --port ${port}`, folder, graph)

  const answerOf = async (token: Promise<string>, query: string, variables: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${await token}` }
    const body = JSON.stringify({ query, variables })
    const response = await fetch(`${graph}/graphql`, { method: 'POST', headers, body })
    const { data, errors } = (await response.json()) as { data: Answer; errors?: unknown }
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  const shopper = shopperToken(graph)
  const customer = shopperToken(graph, { account_id: demoIds.account })
  return {
    url,
    graph,
    folder,
    async latest(fields, variables = {}, declared = '') {
      const query = `query Expected${declared} @inContext(currency: "EUR", locale: "en") { storefront { latestRelease { ${fields} } } }`
      return (await answerOf(shopper, query, variables)).storefront.latestRelease
    },
    ask: (query) => answerOf(customer, query, {}),
    async stop() {
      vite()
      program.child.kill('SIGTERM')
      await program.exit
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** Runs a line that serves pages until the function that it returns is called. */
async function serve(line: string, cwd: string, graph: string): Promise<() => void> {
  const child = spawn('bash', ['-ec', line], { cwd, detached: true, env: { ...environment(), VITE_SERVER: graph } })
  await new Promise<void>((resolve, reject) => {
    let printed = ''
    const hear = (data: Buffer): void => {
      printed += data
      if (printed.includes('Local')) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('close', () => reject(new Error(`${line}\n${printed}`)))
  })
  // The group is the shell, npx and what that runs.
  return () => void (child.pid && process.kill(-child.pid))
}

async function shopperToken(server: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'implicit', client_id: 'demo', ...more })
  const response = await fetch(`${server}/oauth/access_token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}

/** A free port, which the server must know before pages are served there. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}
