/** Programs: the server and the import as processes of their own, in production mode. */
import { type ChildProcess, spawn } from 'node:child_process'
import { projectRoot } from '../../src/config/project-root.ts'
import { startCommand } from '../support/start-command.ts'
import { type Client, createClient, jsonHeaders } from './http.ts'

export const credentials = { client_id: 'soak', client_secret: 'a secret of the soak' }

export const signingSecret = 'a secret of the soak, long enough for HS256'

export interface Workspace {
  readonly dataDir: string
  /** Null for the embedded database in `dataDir`. */
  readonly databaseUrl: string | null
}

export interface Program {
  readonly child: ChildProcess
  /** The output so far, of both streams. */
  printed(): string
  readonly exit: Promise<number | null>
}

export interface Running extends Program {
  readonly base: string
  readonly client: Client
  readonly admin: string
  readonly shopper: string
  /** Sends a GraphQL request as an admin and returns the response's body; rejects without a response. */
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape.
  gql(query: string, variables?: Record<string, unknown>): Promise<any>
  /** Kills it with SIGKILL and waits for its end. */
  kill(): Promise<void>
}

/** `entry` is a program of src, with `flags` for Node, or `npm start`. */
export function startProgram(
  entry: string,
  args: readonly string[],
  { dataDir, databaseUrl }: Workspace,
  environment: Record<string, string> = {},
  flags: readonly string[] = [],
): Program {
  const { DATABASE_URL: _, ...inherited } = process.env
  const secrets = {
    AUTH_SECRET: 'a secret of the soak, long enough for HS256',
    CLIENT_ID: credentials.client_id,
    CLIENT_SECRET: credentials.client_secret,
  }
  const env = {
    ...inherited,
    NODE_ENV: 'production',
    ...secrets,
    PORT: '0',
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...environment,
  }
  const [command, ...given] = commandOf(entry)
  const child = spawn(command, [...flags, ...given, ...args], { cwd: projectRoot, env })
  let text = ''
  const hear = (data: Buffer): void => {
    text += data.toString()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const exit = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
  return { child, printed: () => text, exit }
}

function commandOf(entry: string): readonly [string, ...string[]] {
  if (entry === 'npm start') return ['npm', 'start']
  return startCommand(entry === 'main' ? 'start' : 'import')
}

/** Starts a server and waits until it responds; rejects with its output when it ends first. */
export async function startServer(
  workspace: Workspace,
  environment: Record<string, string> = {},
  entry = 'main',
  flags: readonly string[] = [],
): Promise<Running> {
  const program = startProgram(entry, [], workspace, environment, flags)
  const base = await addressOf(program)
  const client = createClient(base)
  const tokenFor = async (grant_type: string): Promise<string> => {
    const body = JSON.stringify({ ...credentials, grant_type })
    const got = await client.send({
      method: 'POST',
      path: '/oauth/access_token',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return JSON.parse(got.text).access_token
  }
  const [admin, shopper] = [await tokenFor('client_credentials'), await tokenFor('implicit')]
  return {
    ...program,
    base,
    client,
    admin,
    shopper,
    async gql(query, variables = {}) {
      const got = await client.send({
        method: 'POST',
        path: '/graphql',
        headers: jsonHeaders(admin),
        body: JSON.stringify({ query, variables }),
      })
      return JSON.parse(got.text)
    },
    async kill() {
      program.child.kill('SIGKILL')
      await program.exit
      client.close()
    },
  }
}

async function addressOf(program: Program): Promise<string> {
  let ended = false
  void program.exit.then(() => {
    ended = true
  })
  for (;;) {
    const address = /"address":"([^"]+)"/.exec(program.printed())?.[1]
    if (address) return address
    if (ended) throw new Error(`the server ended: ${program.printed()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
