/** This server as in production: bundled, as `npm start` runs it, authentication on, its log written. */
import { startCommand } from '../../support/start-command.ts'
import { catalogId } from '../data.ts'
import { type Running, startProcess } from '../process.ts'

/** What production asks for. */
export const production = {
  NODE_ENV: 'production',
  PORT: '0',
  AUTH_SECRET: 'a secret of the benchmark, long enough',
  CLIENT_ID: 'bench',
  CLIENT_SECRET: 'bench-secret',
}

let token = ''

/** `program`: the folder of another version of the program. */
export async function startOurs(databaseUrl: string, program?: string): Promise<Running> {
  const env = { ...production, DATABASE_URL: databaseUrl }
  const running = await startProcess(startCommand(), env, program)
  token = await tokenOf(running, { grant_type: 'implicit', client_id: 'bench' })
  return running
}

async function tokenOf({ url }: Running, grant: Readonly<Record<string, string>>): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/oauth/access_token`, { method: 'POST', headers, body: JSON.stringify(grant) })
  return ((await response.json()) as { access_token: string }).access_token
}

export async function adminHeaders(running: Running): Promise<Record<string, string>> {
  const grant = { grant_type: 'client_credentials', client_id: 'bench', client_secret: 'bench-secret' }
  return { authorization: `Bearer ${await tokenOf(running, grant)}` }
}

/** A shopper's headers; the token is that of the server started last. */
export function shopperHeaders(currency: string, language: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-moltin-currency': currency, 'accept-language': language }
}

export const releasePath = `/pcm/catalogs/${catalogId}/releases/latest`
