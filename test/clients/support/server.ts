/** Server: the running server that every client talks to. */
import { inject } from 'vitest'

/** Its address without a path, and the two tokens that it printed at its start. */
export interface Server {
  readonly url: string
  readonly admin: string
  readonly shopper: string
}

declare module 'vitest' {
  interface ProvidedContext {
    server: Server
  }
}

/** The server of this run. */
export const server: Server = inject('server')

/** Sends an operation as an administrator without any client; throws its errors. */
export async function send<Data>(query: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Data> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${server.admin}` }
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown }
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}
