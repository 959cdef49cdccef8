/** Import jobs for tests: sending a file, starting it, and what becomes of it. */
import { setTimeout as pause } from 'node:timers/promises'
import { ImportRunner } from '../../src/server/imports/runner.ts'
import type { RestReply, TestServer } from './server.ts'

/** A file with one object a line. */
export function lines(objects: readonly object[]): string {
  return objects.map((data) => `${JSON.stringify({ data })}\n`).join('')
}

/** The lines of price books with these names. */
export function books(...names: string[]): string {
  return lines(names.map((name) => ({ type: 'pricebook', attributes: { name } })))
}

/** Sends a file; JSON lines unless another media type is given. */
export function send(
  server: TestServer,
  raw: string | Uint8Array | ReadableStream,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<RestReply> {
  return server.rest('POST', `/imports${query}`, {
    raw,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  })
}

/** Sends a file and starts its job; returns the job's id. */
export async function begin(server: TestServer, raw: string | Uint8Array, query = '', headers = {}): Promise<string> {
  const reply = await send(server, raw, query, headers)
  if (reply.status !== 201) throw new Error(`the upload responded ${reply.status}: ${reply.text}`)
  const { id } = reply.body.data
  const { data } = await server.gql(START, { id })
  if (data.startImport.userErrors.length > 0) throw new Error(JSON.stringify(data))
  return id
}

const START =
  'mutation ($id: ID!) { startImport(input: { id: $id }) { importJob { state } userErrors { code message } } }'

/** What the graph says of a job. */
export async function jobOf(server: TestServer, id: string) {
  return (await askFor(server, id)).data.importJob
}

function askFor(server: TestServer, id: string) {
  return server.gql(
    `query ($id: ID!) { importJob(id: $id) {
      state failure handledCount refusedCount counts { type createdCount updatedCount unchangedCount refusedCount } refusedPath } }`,
    { id },
  )
}

/** Waits until a job is in a state. On a busy machine a question may wait too long, and is asked again. */
export async function untilState(server: TestServer, id: string, ...states: string[]) {
  for (const end = Date.now() + 300_000; ; ) {
    const { data, errors } = await askFor(server, id)
    if (data && states.includes(data.importJob.state)) return data.importJob
    if (Date.now() > end) throw new Error(`the job is ${JSON.stringify(data?.importJob ?? errors)}`)
    await pause(20)
  }
}

/** Runs jobs until one is in a state: all at once when several runners are given. */
export async function runUntil(server: TestServer, id: string, states: readonly string[], runners = 1) {
  const all = Array.from({ length: runners }, () => new ImportRunner(server.services, () => server.now))
  for (const runner of all) runner.start()
  try {
    return await untilState(server, id, ...states)
  } finally {
    await Promise.all(all.map((runner) => runner.stop()))
  }
}
