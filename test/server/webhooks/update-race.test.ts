/** Webhooks that are updated while a server polls: an event that follows an update is sent by it, not by what the poll had read before. */
import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rotateWebhookSecret, updateWebhook, webhookSecret } from '../../../src/operations/changes/webhook.ts'
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
  expect(verify((await webhookSecret(admin(), { id })) ?? '')).toMatchObject({ data: { after: { name: 'After a leak' } } })
})

test('webhook.named-kinds-only: an event that follows an update of the kinds is sent if it is of a new one, and not if it is of one that went', async () => {
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
