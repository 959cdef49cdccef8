/** Webhooks that are paused while events are on their way, and those that were paused for so long that what they missed is pruned. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/domain/input/instant.ts'
import { updateWebhook } from '../../../src/operations/changes/webhook.ts'
import { updatePriceBook } from '../../../src/operations/pricing/price-book.ts'
import { pruneChangeLog } from '../../../src/persistence/changes/change.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { useDatabase } from '../../support/database.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { servicesOf } from '../../support/services.ts'
import { makeWebhook, type Receiver, startDeliverer, startReceiver, type TestDeliverer, until } from '../../support/webhooks.ts'

const database = useDatabase()
const services = servicesOf(database)
const admin = () => contextOf(services, Date.now())
let receiver: Receiver
let started: TestDeliverer | undefined

const events = () =>
  database.query<{ attempts: number; failure: string | null }>('test-events', 'SELECT attempts, failure FROM webhook_event')

beforeEach(async () => {
  await database.query('test-no-webhooks', 'DELETE FROM webhook')
  receiver = await startReceiver()
})
afterEach(async () => {
  await started?.stop()
  await receiver.close()
})

test('webhook.order-per-record: an event whose entry is pruned while it is queued holds no later one of its record back', async () => {
  await makeWebhook(services, receiver.url, ['price_book'])
  const { id } = await makeBook(admin(), 'Pruned')
  await updatePriceBook(admin(), { id, data: { type: 'pricebook', attributes: { name: 'Kept' } } })
  const query: Database['query'] = async (name, text, values) => {
    // The poll has read the entries, and is about to queue them.
    if (name === 'webhook-move') {
      await database.query('test-old', 'UPDATE change SET created_at = $1 WHERE record_id = $2 AND before IS NULL', [new Date(0), id])
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
