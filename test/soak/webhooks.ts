/**
 * Webhook test: kills servers with SIGKILL while they write and send. Every change that was acknowledged to its writer
 * arrives at a receiver that fails at times, those of each record in order; on PostgreSQL two servers send.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { CLAIM_MS } from '../../src/persistence/changes/webhook-queue.ts'
import { shortLived } from '../support/start-command.ts'
import { type Received, startReceiver } from '../support/webhooks.ts'
import { type Running, startServer, type Workspace } from './program.ts'

export interface WebhookReport {
  readonly kills: number
  readonly written: number
  readonly arrived: number
  /** Events that arrived more than once, for a kill or after a failure. */
  readonly repeated: number
}

/** Records that are created first, and changed until the kill. */
export const BOOKS = 40
/** Of so many requests the receiver refuses one. */
const REFUSED = 40

const must = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`broken after a kill: ${what}`)
}

const start = (workspace: Workspace) => startServer(workspace, { NODE_ENV: 'development' }, 'main', shortLived)

export async function webhooks(
  workspace: Workspace,
  kills: number,
  progress: (line: string) => void = () => {},
): Promise<WebhookReport> {
  const receiver = await startReceiver()
  const refused = new Set<string>()
  receiver.respond = async ({ event }) => {
    await pause(Math.random() * 20)
    if (Math.random() * REFUSED > 1) return 204
    refused.add(event.id)
    return 500
  }
  const servers = [await start(workspace)]
  if (workspace.databaseUrl !== null) servers.push(await start(workspace))
  const journal = await begin(servers[0] as Running, receiver.url)
  for (let kill = 1; kill <= kills; kill++) {
    const at = Math.floor(Math.random() * servers.length)
    const writing = Promise.all(servers.map((server, of) => write(server, journal, of, servers.length)))
    // Checked below, when the server has ended.
    writing.catch(() => undefined)
    await more(journal, 10)
    await pause(Math.random() * 1_000)
    await servers[at]?.kill()
    journal.isPaused = true
    await writing
    journal.isPaused = false
    servers[at] = await start(workspace)
    progress(`kill ${kill}: ${journal.written} changes acknowledged, ${receiver.received.length} requests arrived`)
  }
  const missing = () => [...journal.acknowledged].filter(([id, count]) => countOf(receiver.received, id) < count)
  const until = Date.now() + CLAIM_MS + 60_000
  while (missing().length > 0 && Date.now() < until) await pause(200)
  must(missing().length === 0, `the last changes of ${missing().length} records did not arrive`)
  const arrived = verify(receiver.received, journal)
  for (const server of servers) await server.kill()
  await receiver.close()
  const repeated = receiver.received.length - arrived
  progress(`${arrived} events, ${repeated} requests more than that, ${refused.size} events refused once or more`)
  return { kills, written: journal.written, arrived, repeated }
}

/** Waits for a number of further changes, also on a slow machine. */
async function more(journal: Journal, count: number): Promise<void> {
  const wanted = journal.written + count
  const until = performance.now() + 60_000
  while (journal.written < wanted && performance.now() < until) await pause(10)
}

interface Journal {
  /**
   * The number that each record's description was set to last, by its UUID: what was tried, and what was acknowledged.
   */
  readonly tried: Map<string, number>
  readonly acknowledged: Map<string, number>
  written: number
  isPaused: boolean
}

async function begin({ gql }: Running, url: string): Promise<Journal> {
  const hook = await gql(
    `mutation ($url: String!) { createWebhook(input: { url: $url, topics: [PRICE_BOOK] }) { userErrors { message } webhookSecret { secret } } }`,
    { url },
  )
  must(hook.data?.createWebhook.webhookSecret !== null, JSON.stringify(hook))
  const journal: Journal = { tried: new Map(), acknowledged: new Map(), written: 0, isPaused: false }
  for (let n = 1; n <= BOOKS; n++) {
    const made = await gql(
      `mutation { createPriceBook(input: { name: "Hook ${n}", description: "0" }) { priceBook { id } } }`,
    )
    const id = Buffer.from(made.data.createPriceBook.priceBook.id, 'base64url').toString().split(':')[1] ?? ''
    journal.tried.set(id, 0)
    journal.acknowledged.set(id, 0)
    journal.written++
  }
  return journal
}

/** Counts each of a server's records up, until the server has ended or the journal is paused. */
async function write({ gql }: Running, journal: Journal, of: number, servers: number): Promise<void> {
  const own = [...journal.tried.keys()].filter((_, index) => index % servers === of)
  const countUp = async (id: string): Promise<void> => {
    while (!journal.isPaused) {
      const next = (journal.tried.get(id) ?? 0) + 1
      journal.tried.set(id, next)
      const text =
        'mutation ($id: ID!, $to: String!) { updatePriceBook(input: { id: $id, description: $to }) { userErrors { message } } }'
      const reply = await gql(text, { id, to: String(next) }).catch(() => null)
      if (reply === null) return
      must(reply.data?.updatePriceBook.userErrors.length === 0, JSON.stringify(reply))
      journal.acknowledged.set(id, next)
      journal.written++
    }
  }
  await Promise.all(own.map(countUp))
}

const numberOf = ({ event }: Received): number => Number(event.data.after?.description)

function countOf(received: readonly Received[], id: string): number {
  return Math.max(-1, ...received.filter(({ event }) => event.subject === id).map(numberOf))
}

/**
 * Checks each record's events: none is missing, the numbers and sequences never fall. Returns the number of distinct
 * ones.
 */
function verify(received: readonly Received[], { tried, acknowledged }: Journal): number {
  let distinct = 0
  for (const [id, last] of acknowledged) {
    const events = received.filter(({ event }) => event.subject === id)
    const numbers = events.map(numberOf)
    must(
      numbers.every((number, index) => index === 0 || number >= (numbers[index - 1] ?? 0)),
      `events of one record arrived out of order: ${numbers}`,
    )
    // A write that was not acknowledged may be stored, and its number is then skipped or taken; no stored change is
    // missing.
    const befores = new Map(events.map((one) => [numberOf(one), one.event.data.before?.description]))
    const inOrder = [...befores.keys()]
    for (const [index, number] of inOrder.entries()) {
      const before = index === 0 ? undefined : String(inOrder[index - 1])
      must(befores.get(number) === before, `between ${before} and ${number} a change did not arrive`)
    }
    must(
      (numbers.at(-1) ?? -1) >= last && (numbers.at(-1) ?? 0) <= (tried.get(id) ?? 0),
      `the last change is ${last}, arrived ${numbers.at(-1)}`,
    )
    distinct += new Set(events.map(({ event }) => event.id)).size
  }
  return distinct
}
