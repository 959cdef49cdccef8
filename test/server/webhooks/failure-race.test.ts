/**
 * Webhooks that get another URL while an attempt fails or events are queued: what waits goes there at once
 * (webhook.back-off).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ATTEMPTS_MAX } from '../../../src/domain/changes/webhook-event.ts'
import { DAY_MS } from '../../../src/domain/input/instant.ts'
import { updateWebhook } from '../../../src/operations/changes/webhook.ts'
import { authorFor } from '../../../src/operations/operation.ts'
import { updatePriceBook } from '../../../src/operations/pricing/price-book.ts'
import { claimEvents, storeFailure } from '../../../src/persistence/changes/webhook-attempts.ts'
import { activeWebhooks, CLAIM_MS, queueNewEvents } from '../../../src/persistence/changes/webhook-queue.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { inTransaction, type Transaction } from '../../../src/persistence/database/transaction.ts'
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
const receivers: Receiver[] = []
let started: TestDeliverer | undefined

async function receive(): Promise<Receiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

const updateUrl = (id: string, url: string, tx?: Transaction) =>
  updateWebhook(admin(), { id, data: { type: 'webhook', attributes: { url } } }, {}, tx)

beforeEach(async () => {
  await database.query('test-no-webhooks', 'DELETE FROM webhook')
})
afterEach(async () => {
  await started?.stop()
  for (const receiver of receivers.splice(0)) await receiver.close()
})

test('webhook.back-off: the last attempt at a URL that was corrected while it ran is followed by one at the new URL', async () => {
  const [wrong, right] = [await receive(), await receive()]
  const { id } = await makeWebhook(services, wrong.url, ['price_book'])
  wrong.respond = async () => {
    await updateUrl(id, right.url)
    return 500
  }
  let hasFailed = false
  const query: Database['query'] = async (name, text, values) => {
    // From the first attempt on no poll reads the webhook, until the result of that is stored.
    if (name === 'webhooks-active') await until(() => wrong.received.length === 0 || hasFailed)
    const found = await database.query(name, text, values)
    if (name === 'webhook-move')
      await database.query('test-tried', `UPDATE webhook_event SET attempts = ${ATTEMPTS_MAX - 1} WHERE attempts = 0`)
    if (name === 'webhook-failed') hasFailed = true
    return found as never
  }
  await makeBook(admin(), 'Corrected')
  started = startDeliverer(services, { ...database, query })
  await until(() => hasFailed)
  started.now += 5_000
  started.deliverer.poll()
  await until(() => right.received.length === 1)
})

describe.runIf(database.kind === 'server')('[needs PostgreSQL] while the update of a URL is about to commit', () => {
  const DUE_LATE = DAY_MS

  /** A webhook that has claimed the event of a new price book. */
  async function claimed(name: string) {
    const { id } = await makeWebhook(services, 'http://127.0.0.1:9/wrong', ['price_book'])
    const book = await makeBook(admin(), name)
    const now = Date.now()
    await queueNewEvents(database, await activeWebhooks(database), now)
    const [event] = await claimEvents(database, id, now, now + CLAIM_MS, 1)
    const attempt = { hookId: id, entryId: event?.entry.id ?? 0, attempt: 1 }
    const fails = () =>
      storeFailure(
        database,
        attempt,
        { failure: 'wrong', url: 'http://127.0.0.1:9/wrong', dueAt: now + DUE_LATE, dueElsewhereAt: now },
        now,
      )
    return { id, book, now, fails }
  }

  /** Updates the URL, and does `work` before that commits, as far as no lock holds it up. */
  async function whileUpdating(id: string, work: () => Promise<unknown>): Promise<void> {
    let done: Promise<unknown> | undefined
    await inTransaction(database, authorFor(admin().viewer, 'updateWebhook'), async (tx) => {
      await updateUrl(id, 'http://127.0.0.1:9/right', tx)
      let isOver = false
      done = work().finally(() => {
        isOver = true
      })
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      await until(async () => isOver || (await database.query('test-waiting', waiting)).length > 0)
    })
    await done
  }

  const dueLate = (now: number) =>
    database.query('test-due-late', 'SELECT FROM webhook_event WHERE due_at IS NULL OR due_at > $1', [
      new Date(now + DUE_LATE / 2),
    ])

  test('webhook.back-off: an attempt that fails while the update of a URL commits is not taken for one at the new URL', async () => {
    const { id, now, fails } = await claimed('Fails')
    await whileUpdating(id, fails)
    expect(await dueLate(now)).toEqual([])
  })

  test('webhook.back-off: an event that is queued while the update of a URL commits does not wait for one that the update makes due', async () => {
    const { id, book, now, fails } = await claimed('Queued')
    await fails()
    await updatePriceBook(admin(), { id: book.id, data: { type: 'pricebook', attributes: { name: 'Second' } } })
    const queue = async () => queueNewEvents(database, await activeWebhooks(database), now)
    await whileUpdating(id, queue)
    await queue()
    expect(await database.query('test-queued', 'SELECT FROM webhook_event')).toHaveLength(2)
    expect(await dueLate(now)).toEqual([])
  })
})
