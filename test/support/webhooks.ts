/** Webhooks for tests: a receiver, and deliverers with a clock that tests move. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import type { CloudEvent } from '../../src/domain/changes/webhook-event.ts'
import { createWebhook, webhookSecret } from '../../src/operations/changes/webhook.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import type { Services } from '../../src/request/context.ts'
import { WebhookDeliverer } from '../../src/server/webhooks/deliverer.ts'
import { contextOf } from './price-books.ts'

/** A request that a receiver got. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: CloudEvent
}

/** A receiver of events. */
export interface Receiver {
  readonly url: string
  /** In the order of their arrival. */
  readonly received: Received[]
  /** The status of the response, 204 at first. */
  respond: (received: Received) => number | Promise<number>
  /** Requests that it is responding to. */
  open: number
  close(): Promise<void>
}

/** Starts a receiver on a port of this machine; with `port` on that one. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('error', () => undefined)
    req.on('end', async () => {
      const body = Buffer.concat(chunks).toString()
      const received = { path: req.url ?? '', headers: req.headers, body, event: JSON.parse(body) }
      receiver.received.push(received)
      receiver.open++
      const status = await receiver.respond(received)
      receiver.open--
      res
        .writeHead(status, status >= 300 && status < 400 ? { location: `${receiver.url}/elsewhere` } : {})
        .end('x'.repeat(100))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    respond: () => 204,
    open: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

/** A deliverer whose clock only tests move, so that nothing becomes due while a test waits. */
export interface TestDeliverer {
  readonly deliverer: WebhookDeliverer
  readonly logs: Record<string, unknown>[]
  /** Epoch milliseconds; at first the instant at which it started. */
  now: number
  stop(): Promise<void>
}

/** Starts a deliverer as a server has one. */
export function startDeliverer(services: Services, database: Database = services.database): TestDeliverer {
  const logs: Record<string, unknown>[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line: string) => void logs.push(JSON.parse(line)) })
  const deliverer = new WebhookDeliverer({ config: services.config, database, log, clock: () => started.now })
  const started: TestDeliverer = { deliverer, logs, now: Date.now(), stop: () => deliverer.stop() }
  deliverer.start()
  return started
}

/** Creates a webhook; returns its id and secret. */
export async function makeWebhook(
  services: Services,
  url: string,
  topics: readonly string[],
): Promise<{ id: string; secret: string }> {
  const ctx = contextOf(services, Date.now())
  const { id } = await createWebhook(ctx, { data: { type: 'webhook', attributes: { url, topics } } })
  return { id, secret: (await webhookSecret(ctx, { id })) ?? '' }
}

/** Resolves when the condition holds; rejects after a minute, which is only against what never comes. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = 'the condition',
  limitMs = 60_000,
): Promise<void> {
  const end = Date.now() + limitMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what} does not hold after ${limitMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
