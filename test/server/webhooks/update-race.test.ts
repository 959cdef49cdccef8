/** Webhook races: a webhook is updated or paused, or what it missed is pruned, while a server polls or sends. */
import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/domain/input/instant.ts'
import { rotateWebhookSecret, updateWebhook, webhookSecret } from '../../../src/operations/changes/webhook.ts'
import { updatePriceBook } from '../../../src/operations/pricing/price-book.ts'
import { pruneChangeLog } from '../../../src/persistence/changes/change.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { useDatabase } from '../../support/database.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { servicesOf } from '../../support/services.ts'
import {
  makeWebhook,
  type Receiver,
  startDeliverer,
  startReceiver,
  type TestDeliverer,
  until,
} from '../../support/webhooks.ts'

const database = useDatabase()
const services = servicesOf(database)
const admin = () => contextOf(services, Date.now())
let receiver: Receiver
let started: TestDeliverer | undefined

/** Starts a deliverer whose first poll has read the webhooks just before `work`, and goes on after it. */
function deliverAfterReading(work: () => Promise<unknown>): TestDeliverer {
  let isFirst = true
  const query: Database['query'] = async (name, text, values) => {
    const rows = await database.query(name, text, values)
    if (name === 'webhooks-active' && isFirst) {
      isFirst = false
      await work()
    }
    return rows as never
  }
  started = startDeliverer(services, { ...database, query })
  return started
}

const events = () =>
  database.query<{ attempts: number; failure: string | null }>(
    'test-events',
    'SELECT attempts, failure FROM webhook_event',
  )

const update = (id: string, attributes: object) => updateWebhook(admin(), { id, data: { type: 'webhook', attributes } })

beforeEach(async () => {
  await database.query('test-no-webhooks', 'DELETE FROM webhook')
  receiver = await startReceiver()
})
afterEach(async () => {
  await started?.stop()
  await receiver.close()
})

test('webhook.both-secrets-sign: an event that follows a rotation is not signed by a secret that the rotation ended', async () => {
  const { id, secret: ended } = await makeWebhook(services, receiver.url, ['price_book'])
  deliverAfterReading(async () => {
    await rotateWebhookSecret(admin(), { id, data: { previous_valid_seconds: 0 } })
    await makeBook(admin(), 'After a leak')
  })
  await until(() => receiver.received.length === 1)
  const [{ body, headers }] = receiver.received as [Receiver['received'][number]]
  const verify = (secret: string) => new Verifier(secret).verify(body, headers as Record<string, string>)
  expect(() => verify(ended)).toThrow('No matching signature found')
  expect(verify((await webhookSecret(admin(), { id })) ?? '')).toMatchObject({
    data: { after: { name: 'After a leak' } },
  })
})

test("webhook.named-kinds-only: an event that follows an update of a webhook's kinds is sent if it is of a new kind, and not if it is of a removed one", async () => {
  const { id } = await makeWebhook(services, receiver.url, ['product_price'])
  deliverAfterReading(async () => {
    await update(id, { topics: ['price_book'] })
    await makeBook(admin(), 'Of a new kind')
  })
  await until(() => receiver.received.length === 1)
  await started?.stop()
  deliverAfterReading(async () => {
    await update(id, { topics: ['product'] })
    await makeBook(admin(), 'Of a kind that went')
  })
  const isReadOn = 'SELECT FROM webhook_position WHERE entry = (SELECT max(id) FROM change)'
  await until(async () => (await database.query('test-read-on', isReadOn)).length === 1)
  expect(receiver.received.map(({ event }) => event.data.after?.name)).toEqual(['Of a new kind'])
})

test('an event that follows a pause of its webhook waits until the pause ends', async () => {
  const { id } = await makeWebhook(services, receiver.url, ['price_book'])
  const { deliverer } = deliverAfterReading(async () => {
    await update(id, { enabled: false })
    await makeBook(admin(), 'Paused')
  })
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(receiver.received).toEqual([])
  await update(id, { enabled: true })
  deliverer.poll()
  await until(() => receiver.received.length === 1)
})

test('an event that follows a correction of the URL goes to the new one', async () => {
  const other = await startReceiver()
  try {
    const { id } = await makeWebhook(services, other.url, ['price_book'])
    deliverAfterReading(async () => {
      await update(id, { url: receiver.url })
      await makeBook(admin(), 'Corrected')
    })
    await until(() => receiver.received.length + other.received.length === 1)
    expect(other.received).toEqual([])
  } finally {
    await other.close()
  }
})

test('webhook.order-per-record: an event whose entry is pruned while it is queued holds no later one of its record back', async () => {
  await makeWebhook(services, receiver.url, ['price_book'])
  const { id } = await makeBook(admin(), 'Pruned')
  await updatePriceBook(admin(), { id, data: { type: 'pricebook', attributes: { name: 'Kept' } } })
  const query: Database['query'] = async (name, text, values) => {
    // The poll has read the entries, and is about to queue them.
    if (name === 'webhook-move') {
      await database.query('test-old', 'UPDATE change SET created_at = $1 WHERE record_id = $2 AND before IS NULL', [
        new Date(0),
        id,
      ])
      await pruneChangeLog(database, DAY_MS)
    }
    return database.query(name, text, values)
  }
  started = startDeliverer(services, { ...database, query })
  await until(() => receiver.received.length === 1)
  expect(receiver.received.map(({ event }) => event.data.after?.name)).toEqual(['Kept'])
  await until(async () => (await events()).length === 0)
})

test('a stop waits for what is on its way to a webhook that was paused meanwhile', async () => {
  let respond = (_: number): void => undefined
  receiver.respond = () => new Promise((resolve) => (respond = resolve))
  const { id } = await makeWebhook(services, receiver.url, ['price_book'])
  await makeBook(admin(), 'On its way')
  let polledAfterPause = 0
  let isPaused = false
  const query: Database['query'] = async (name, text, values) => {
    if (name === 'webhooks-active' && isPaused) polledAfterPause++
    return database.query(name, text, values)
  }
  started = startDeliverer(services, { ...database, query })
  const { deliverer } = started
  await until(() => receiver.received.length === 1)
  await updateWebhook(admin(), { id, data: { type: 'webhook', attributes: { enabled: false } } })
  isPaused = true
  deliverer.poll()
  // A second poll begins when the first one that followed the pause has ended.
  await until(() => {
    deliverer.poll()
    return polledAfterPause > 1
  })
  const stopped = deliverer.stop()
  setTimeout(() => respond(204), 100)
  await stopped
  expect(await events()).toEqual([])
})
