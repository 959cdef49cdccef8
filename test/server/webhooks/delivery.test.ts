/** Webhooks: what is sent, in which order, how often, and when. */
import { type CloudEventV1, HTTP } from 'cloudevents'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NO_SCOPE } from '../../../src/domain/changes/change.ts'
import { ATTEMPTS_MAX } from '../../../src/domain/changes/webhook-event.ts'
import { webhookAttemptsTotal } from '../../../src/lib/metrics.ts'
import {
  deleteWebhook,
  retryDeadLetters,
  rotateWebhookSecret,
  updateWebhook,
  webhookSecret,
} from '../../../src/operations/changes/webhook.ts'
import { deletePriceBook, updatePriceBook } from '../../../src/operations/pricing/price-book.ts'
import { pruneChangeLog } from '../../../src/persistence/changes/change.ts'
import {
  claimEvents,
  releaseEvent,
  removeDelivered,
  storeFailure,
} from '../../../src/persistence/changes/webhook-attempts.ts'
import { activeWebhooks, CLAIM_MS, queueNewEvents } from '../../../src/persistence/changes/webhook-queue.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { SENT_AT_ONCE } from '../../../src/server/webhooks/sender.ts'
import { noteChanges } from '../../support/changes.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { servicesOf } from '../../support/services.ts'
import {
  makeWebhook,
  type Received,
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
const deliverers: TestDeliverer[] = []

async function receive(): Promise<Receiver> {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

function deliver(): TestDeliverer {
  const started = startDeliverer(services)
  deliverers.push(started)
  return started
}

const rename = (id: string, name: string) =>
  updatePriceBook(admin(), { id, data: { type: 'pricebook', attributes: { name } } })
const names = (received: readonly Received[]) => received.map(({ event }) => event.data.after?.name)
const rows = async () =>
  database.query<{ attempts: number; due_at: Date | null; failure: string | null; failed_at: Date | null }>(
    'test-webhook-events',
    'SELECT attempts, due_at, failure, failed_at FROM webhook_event ORDER BY change_id',
  )
const isEmpty = async () => (await rows()).length === 0

beforeEach(async () => {
  await database.query('test-no-webhooks', 'DELETE FROM webhook')
})
afterEach(async () => {
  for (const started of deliverers.splice(0)) await started.stop()
  for (const receiver of receivers.splice(0)) await receiver.close()
})
test('webhook.cloud-events: changes arrive at a webhook as CloudEvents with what was before and after, verified by Standard Webhooks', async () => {
  const receiver = await receive()
  const { secret } = await makeWebhook(services, `${receiver.url}/events?shop=1`, ['price_book', 'product_price'])
  deliver()
  const book = await makeBook(admin(), 'First')
  await rename(book.id, 'Second')
  await makePrice(admin(), book.id, 'SKU')
  await until(() => receiver.received.length === 3)
  const [created, updated, priced] = receiver.received as [Received, Received, Received]
  expect([created, updated, priced].map(({ event }) => event.type).sort()).toEqual([
    'commerce.price_book.created',
    'commerce.price_book.updated',
    'commerce.product_price.created',
  ])
  for (const { headers, body, path } of receiver.received) {
    expect(path).toBe('/events?shop=1')
    expect(headers['content-type']).toBe('application/cloudevents+json')
    const verified = new Verifier(secret).verify(body, headers as Record<string, string>)
    expect(verified).toEqual(JSON.parse(body))
    const event = HTTP.toEvent({ headers, body })
    const one = (Array.isArray(event) ? event[0] : event) as CloudEventV1<unknown> & { validate(): boolean }
    expect(one.validate()).toBe(true)
    expect(headers['webhook-id']).toBe(one.id)
  }
  const change = receiver.received.find(({ event }) => event.type.endsWith('book.updated'))?.event
  expect(change).toMatchObject({
    specversion: '1.0',
    source: '/commerce-graph',
    subject: book.id,
    datacontenttype: 'application/json',
    data: {
      operation: 'updatePriceBook',
      before: { name: 'First', createdAt: new Date(book.createdAt).toISOString() },
      after: { name: 'Second' },
    },
  })
  await until(isEmpty)
})

test('webhook.named-kinds-only: a webhook gets the records that it names, and what changes after its creation', async () => {
  const [books, prices] = [await receive(), await receive()]
  const before = await makeBook(admin(), 'Before')
  await makeWebhook(services, books.url, ['price_book'])
  await makeWebhook(services, prices.url, ['product_price'])
  deliver()
  await makePrice(admin(), before.id, 'A')
  await rename(before.id, 'Renamed')
  await until(() => books.received.length === 1 && prices.received.length === 1)
  expect(names(books.received)).toEqual(['Renamed'])
  expect(prices.received[0]?.event.data.after).toMatchObject({ sku: 'A' })
  await until(isEmpty)
})

test('webhook.order-per-record: a failing event of a webhook holds back later ones of its record and no others', async () => {
  const receiver = await receive()
  await makeWebhook(services, receiver.url, ['price_book'])
  const [one, two] = [await makeBook(admin(), 'One 0'), await makeBook(admin(), 'Two 0')]
  let failing = true
  receiver.respond = ({ event }) => (failing && event.data.after?.name === 'One 1' ? 500 : 204)
  for (const n of [1, 2, 3]) {
    await rename(one.id, `One ${n}`)
    await rename(two.id, `Two ${n}`)
  }
  const started = deliver()
  await until(() => names(receiver.received).includes('Two 3') && names(receiver.received).includes('One 1'))
  // The result is stored by the clock that is about to move.
  await until(async () => (await rows()).some(({ failed_at }) => failed_at !== null))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(names(receiver.received).filter((name) => String(name).startsWith('One'))).toEqual(['One 0', 'One 1'])
  failing = false
  started.now += 5_000
  started.deliverer.poll()
  await until(isEmpty)
  const of = (id: string) => names(receiver.received.filter(({ event }) => event.subject === id))
  expect(of(one.id)).toEqual(['One 0', 'One 1', 'One 1', 'One 2', 'One 3'])
  expect(of(two.id)).toEqual(['Two 0', 'Two 1', 'Two 2', 'Two 3'])
  const ids = receiver.received.filter(({ event }) => event.data.after?.name === 'One 1').map(({ event }) => event.id)
  expect(new Set(ids).size).toBe(1)
  const sequences = receiver.received.filter(({ event }) => event.subject === two.id).map(({ event }) => event.sequence)
  expect([...sequences].sort()).toEqual(sequences)
})

test('an event that is queued during an attempt of an earlier one of its record is sent once that has arrived', async () => {
  const receiver = await receive()
  await makeWebhook(services, receiver.url, ['price_book'])
  receiver.respond = () => 500
  const started = deliver()
  const book = await makeBook(admin(), 'Retried')
  await until(async () => (await rows())[0]?.failed_at != null)
  let arrive: (status: number) => void = () => undefined
  receiver.respond = () =>
    new Promise<number>((resolve) => {
      arrive = resolve
    })
  started.now += 5_000
  started.deliverer.poll()
  await until(() => receiver.received.length === 2)
  await rename(book.id, 'Queued behind')
  await until(async () => (await rows()).length === 2)
  receiver.respond = () => 204
  arrive(204)
  await until(isEmpty)
  expect(names(receiver.received)).toEqual(['Retried', 'Retried', 'Queued behind'])
})

test('webhook.back-off: a webhook whose URL is corrected gets the events that waited for another attempt at once', async () => {
  const [wrong, right] = [await receive(), await receive()]
  wrong.respond = () => 404
  const { id } = await makeWebhook(services, wrong.url, ['price_book'])
  const started = deliver()
  await makeBook(admin(), 'Waiting')
  for (const wait of [5, 20]) {
    await until(async () => (await rows())[0]?.failed_at?.getTime() === started.now)
    started.now += wait * 1_000
    started.deliverer.poll()
  }
  await until(async () => (await rows())[0]?.failed_at?.getTime() === started.now)
  await updateWebhook(contextOf(services, started.now), {
    id,
    data: { id, type: 'webhook', attributes: { url: right.url } },
  })
  started.deliverer.poll()
  await until(isEmpty)
  expect(names(right.received)).toEqual(['Waiting'])
})

test('webhook.back-off: an attempt at the old URL that fails after the URL is corrected is followed by the next one after 5 seconds', async () => {
  const [wrong, right] = [await receive(), await receive()]
  wrong.respond = () => 404
  const { id } = await makeWebhook(services, wrong.url, ['price_book'])
  const started = deliver()
  await makeBook(admin(), 'At the old URL')
  await until(async () => (await rows())[0]?.failed_at?.getTime() === started.now)
  let fail: (status: number) => void = () => undefined
  wrong.respond = () => new Promise<number>((resolve) => (fail = resolve))
  started.now += 5_000
  started.deliverer.poll()
  await until(() => wrong.received.length === 2)
  await updateWebhook(contextOf(services, started.now), {
    id,
    data: { id, type: 'webhook', attributes: { url: right.url } },
  })
  // The event of a further record goes to the new URL: the sender has it by now.
  await makeBook(admin(), 'At the new URL')
  await until(() => right.received.length === 1)
  fail(404)
  await until(async () => (await rows())[0]?.failed_at?.getTime() === started.now)
  started.now += 5_000
  started.deliverer.poll()
  await until(isEmpty)
  expect(names(right.received)).toEqual(['At the new URL', 'At the old URL'])
})

test('webhook.one-server-at-a-time: correcting the URL of a webhook takes no event from a server that claimed it while the request ran', async () => {
  const { id } = await makeWebhook(services, 'http://127.0.0.1:9/', ['price_book'])
  await makeBook(admin(), 'Claimed meanwhile')
  const now = Date.now()
  await queueNewEvents(database, await activeWebhooks(database), now)
  expect(await claimEvents(database, id, now + 50, now + 50 + CLAIM_MS, 1)).toHaveLength(1)
  await updateWebhook(contextOf(services, now), {
    id,
    data: { id, type: 'webhook', attributes: { url: 'http://127.0.0.1:10/' } },
  })
  expect(await claimEvents(database, id, now + 100, now + 100 + CLAIM_MS, 1)).toEqual([])
})

test('webhook.back-off: attempts of a webhook come after 5, 20, 80 seconds and so on, and the twelfth failure makes a dead letter', async () => {
  const receiver = await receive()
  receiver.respond = () => 503
  const { id } = await makeWebhook(services, receiver.url, ['price_book'])
  const started = deliver()
  const book = await makeBook(admin(), 'Failing')
  const seconds = [5, 20, 80, 300, 1_200, 3_600, 7_200, 14_400, 21_600, 21_600, 21_600]
  for (const [index, wait] of seconds.entries()) {
    // A claim counts the attempt too, and moves its due instant: the instant of the failure tells that the result is
    // stored.
    await until(async () => (await rows())[0]?.failed_at?.getTime() === started.now)
    const [row] = await rows()
    expect(row).toMatchObject({ failure: 'responded with status 503', attempts: index + 1 })
    expect(receiver.received.length).toBe(index + 1)
    const due = row?.due_at?.getTime() ?? 0
    expect(due - started.now, `attempt ${index + 1}`).toBe(wait * 1_000)
    started.now = due - 1
    started.deliverer.poll()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(receiver.received.length).toBe(index + 1)
    started.now = due
    started.deliverer.poll()
  }
  await until(async () => (await rows())[0]?.due_at === null)
  expect(receiver.received.length).toBe(ATTEMPTS_MAX)
  expect(started.logs.filter(({ level }) => level === 50)).toMatchObject([
    { webhook: id, msg: 'an event was not delivered by any attempt', failure: 'responded with status 503' },
  ])
  // Later events of the record pass a dead letter, and it can be sent again.
  receiver.respond = () => 200
  await rename(book.id, 'Later')
  await until(() => names(receiver.received).at(-1) === 'Later')
  expect(await retryDeadLetters(admin(), { id, data: {} })).toBe(1)
  started.deliverer.poll()
  await until(isEmpty)
  expect(names(receiver.received).slice(-2)).toEqual(['Later', 'Failing'])
})

test('webhook.both-secrets-sign: after a rotation both secrets of a webhook sign until the old one ends', async () => {
  const receiver = await receive()
  const { id, secret: old } = await makeWebhook(services, receiver.url, ['price_book'])
  const started = deliver()
  await rotateWebhookSecret(admin(), { id, data: { previous_valid_seconds: 60 } })
  const fresh = (await webhookSecret(admin(), { id })) ?? ''
  expect(fresh).not.toBe(old)
  const accepts = (secret: string, { body, headers }: Received) => {
    try {
      new Verifier(secret).verify(body, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  }
  const book = await makeBook(admin(), 'Both')
  await until(() => receiver.received.length === 1)
  started.now = Date.now() + 61_000
  await rename(book.id, 'New')
  await until(() => receiver.received.length === 2)
  const [both, alone] = receiver.received as [Received, Received]
  expect([accepts(old, both), accepts(fresh, both)]).toEqual([true, true])
  expect([accepts(old, alone), accepts(fresh, alone)]).toEqual([false, true])
  expect(String(both.headers['webhook-signature']).split(' ').length).toBe(2)
  expect(String(alone.headers['webhook-signature']).split(' ').length).toBe(1)
})

test('webhook.one-server-at-a-time: two servers over one database send each event once, each record in order', async () => {
  const receiver = await receive()
  await makeWebhook(services, receiver.url, ['price_book'])
  deliver()
  deliver()
  const books = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => makeBook(admin(), `${name} 0`)))
  let most = 0
  receiver.respond = async () => {
    most = Math.max(most, receiver.open)
    await new Promise((resolve) => setTimeout(resolve, 5))
    return 204
  }
  for (let n = 1; n <= 10; n++) await Promise.all(books.map(({ id, name }) => rename(id, `${name.slice(0, 1)} ${n}`)))
  await until(async () => receiver.received.length >= 66 && (await isEmpty()))
  expect(receiver.received.length).toBe(66)
  expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(66)
  for (const { id, name } of books) {
    const of = names(receiver.received.filter(({ event }) => event.subject === id))
    expect(of).toEqual(Array.from({ length: 11 }, (_, n) => `${name.slice(0, 1)} ${n}`))
  }
  expect(most).toBeLessThanOrEqual(2 * SENT_AT_ONCE)
})

test('webhook.at-least-once: an event that a server claimed and never sent is sent by another when the claim ends', async () => {
  const receiver = await receive()
  await makeWebhook(services, receiver.url, ['price_book'])
  await makeBook(admin(), 'Claimed')
  let silent = true
  receiver.respond = () => (silent ? new Promise<number>(() => undefined) : 204)
  const first = deliver()
  await until(() => receiver.received.length === 1)
  const second = deliver()
  second.now = first.now + CLAIM_MS - 1
  second.deliverer.poll()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(receiver.received.length).toBe(1)
  silent = false
  second.now = first.now + CLAIM_MS
  second.deliverer.poll()
  await until(() => receiver.received.length === 2)
  await until(isEmpty)
  // The late result of the first attempt changes nothing.
  await first.stop()
  expect(await isEmpty()).toBe(true)
})

test('a stop gives back the events that are on their way, without counting the attempt', async () => {
  const receiver = await receive()
  await makeWebhook(services, receiver.url, ['price_book'])
  await makeBook(admin(), 'On its way')
  receiver.respond = () => new Promise<number>(() => undefined)
  const first = deliver()
  await until(() => receiver.received.length === 1)
  await first.stop()
  expect(await rows()).toMatchObject([{ attempts: 0 }])
  receiver.respond = () => 204
  deliver()
  await until(isEmpty)
  expect(receiver.received.length).toBe(2)
})

test('a webhook follows no redirects', async () => {
  const receiver = await receive()
  await makeWebhook(services, receiver.url, ['price_book'])
  receiver.respond = () => 302
  deliver()
  await makeBook(admin(), 'Redirected')
  await until(async () => (await rows())[0]?.failure === 'responded with status 302')
  expect(receiver.received.map(({ path }) => path)).toEqual(['/'])
})

test('a disabled webhook gets what changed meanwhile once it is enabled; a deleted one gets nothing', async () => {
  const receiver = await receive()
  const { id } = await makeWebhook(services, receiver.url, ['price_book'])
  const enable = (enabled: boolean) =>
    updateWebhook(admin(), { id, data: { type: 'webhook', attributes: { enabled } } })
  await enable(false)
  const started = deliver()
  await makeBook(admin(), 'Meanwhile')
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(receiver.received.length).toBe(0)
  await enable(true)
  started.deliverer.poll()
  await until(() => receiver.received.length === 1)
  await deleteWebhook(admin(), { id })
  await makeBook(admin(), 'Afterwards')
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(names(receiver.received)).toEqual(['Meanwhile'])
})

test('history.kept-for-days: entries that a webhook has yet to get are not pruned', async () => {
  const receiver = await receive()
  receiver.respond = () => 500
  await makeWebhook(services, receiver.url, ['price_book'])
  const started = deliver()
  const book = await makeBook(admin(), 'Kept')
  await until(async () => (await rows())[0]?.failed_at?.getTime() === started.now)
  await rename(book.id, 'Kept too')
  await deletePriceBook(admin(), { id: book.id })
  await until(async () => (await rows()).length === 3)
  await pruneChangeLog(database, Date.now() + 3_600_000)
  receiver.respond = () => 204
  started.now += 6_000
  started.deliverer.poll()
  await until(isEmpty)
  expect(receiver.received.slice(1).map(({ event }) => event.type.split('.').at(-1))).toEqual([
    'created',
    'updated',
    'deleted',
  ])
})

test('webhooks lose no event of a database that was restored from a dump, with lower transaction ids', async () => {
  const receiver = await receive()
  await makeWebhook(services, receiver.url, ['price_book'])
  await database.query(
    'test-restored',
    "UPDATE webhook_position SET seen = '9000000000:9000000000:', until = '9000000000:9000000000:'",
  )
  deliver()
  await makeBook(admin(), 'After the restore')
  await until(() => receiver.received.length === 1)
  await makeBook(admin(), 'And later')
  await until(() => receiver.received.length === 2)
  expect(names(receiver.received)).toEqual(['After the restore', 'And later'])
})

test('a write is sent whose transaction got, after a failover, the id of one that was rolled back before it', async () => {
  const receiver = await receive()
  await makeWebhook(services, receiver.url, ['price_book'])
  const { rows } = await database.pool.query('SELECT xmin::text FROM webhook')
  await makeBook(admin(), 'Before the failover')
  deliver()
  await until(() => receiver.received.length === 1)
  const failedOver = await database.pool.connect()
  await failedOver.query('BEGIN')
  await noteChanges(failedOver, { topic: 'price_book', scope: NO_SCOPE }, ['00000000-0000-4000-8000-000000000001'])
  await failedOver.query('UPDATE change SET xid = $1 WHERE id = (SELECT max(id) FROM change)', [rows[0].xmin])
  await failedOver.query('COMMIT')
  failedOver.release()
  await until(() => receiver.received.length === 2)
  expect(receiver.received[1]?.event.subject).toBe('00000000-0000-4000-8000-000000000001')
})

test('while there are no webhooks one statement is sent in five seconds', async () => {
  const { count, statements } = await countStatements(database, async () => {
    const started = deliver()
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await started.stop()
  })
  expect([count, statements[0]]).toEqual([1, expect.stringContaining('FROM webhook')])
})

test('a webhook that was disabled for longer than history is kept is reported, once', async () => {
  const receiver = await receive()
  const { id } = await makeWebhook(services, receiver.url, ['price_book'])
  await database.query('test-long-ago', "UPDATE webhook_position SET read_at = now() - interval '401 days'")
  const started = deliver()
  const reported = () =>
    started.logs.filter(
      ({ msg }) => msg === 'a webhook was disabled for longer than history is kept: it misses changes',
    )
  await until(() => reported().length > 0)
  started.deliverer.poll()
  await makeBook(admin(), 'Next')
  await until(() => receiver.received.length === 1)
  expect(reported()).toMatchObject([{ level: 50, webhook: id, days: 401 }])
})

test('attempts of webhooks are counted by what became of them', async () => {
  const counts = async () => {
    const { values } = await webhookAttemptsTotal.get()
    return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value])) as Record<string, number>
  }
  const before = await counts()
  const receiver = await receive()
  await makeWebhook(services, receiver.url, ['price_book'])
  receiver.respond = () => (receiver.received.length === 1 ? 500 : 204)
  const started = deliver()
  await makeBook(admin(), 'Counted')
  await until(async () => (await rows())[0]?.failure === 'responded with status 500')
  await database.query('test-last-attempt', `UPDATE webhook_event SET attempts = ${ATTEMPTS_MAX - 1}`)
  receiver.respond = () => 500
  started.now += 6_000
  started.deliverer.poll()
  await until(async () => (await rows())[0]?.due_at === null)
  receiver.respond = () => 204
  await makeBook(admin(), 'Fine')
  const grown = async () => {
    const after = await counts()
    return ['delivered', 'failed', 'dead'].map((outcome) => (after[outcome] ?? 0) - (before[outcome] ?? 0))
  }
  await until(async () => ((await grown())[0] ?? 0) > 0)
  expect(await grown()).toEqual([1, 1, 1])
})

test('webhook.one-server-at-a-time: a server that is late queues nothing that another one has queued, and its late result is ignored', async () => {
  const receiver = await receive()
  const { id } = await makeWebhook(services, receiver.url, ['price_book'])
  const late = await activeWebhooks(database)
  await makeBook(admin(), 'Once')
  deliver()
  await until(async () => receiver.received.length === 1 && (await isEmpty()))
  expect(await queueNewEvents(database, late, Date.now())).toBe(false)
  expect(await rows()).toEqual([])
  for (const started of deliverers.splice(0)) await started.stop()
  await makeBook(admin(), 'Twice claimed')
  await queueNewEvents(database, await activeWebhooks(database), Date.now())
  const claim = async (now: number) =>
    (await claimEvents(database, id, now, now + CLAIM_MS, 8)).map(({ entry, attempt }) => ({
      hookId: id,
      entryId: entry.id,
      attempt,
    }))
  const now = Date.now()
  const [first, none, second] = [await claim(now), await claim(now + CLAIM_MS - 1), await claim(now + CLAIM_MS)]
  expect([first.length, none.length, second.map(({ attempt }) => attempt)]).toEqual([1, 0, [2]])
  for (const attempt of first) {
    await removeDelivered(database, attempt)
    await storeFailure(
      database,
      attempt,
      { failure: 'late', url: receiver.url, dueAt: null, dueElsewhereAt: null },
      Date.now(),
    )
    await releaseEvent(database, attempt, 0)
  }
  expect(await rows()).toMatchObject([{ attempts: 2, failure: null, due_at: expect.any(Date) }])
  for (const attempt of second) await removeDelivered(database, attempt)
  expect(await isEmpty()).toBe(true)
})

test.runIf(database.kind === 'server')(
  'a stop while a server begins to listen leaves no connection open [needs PostgreSQL]',
  async () => {
    const listening = async () => {
      const text =
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'commerce-graph live'"
      return (await database.pool.query(text)).rowCount
    }
    await makeWebhook(services, (await receive()).url, ['price_book'])
    await until(async () => (await listening()) === 0)
    await startDeliverer(services).stop()
    // One that was on its way closes once it is there; one that was left open would stay.
    await new Promise((resolve) => setTimeout(resolve, 300))
    await until(async () => (await listening()) === 0)
  },
)

test.runIf(database.kind === 'server')(
  'a change whose transaction commits after later ones arrives too [needs PostgreSQL]',
  async () => {
    const receiver = await receive()
    await makeWebhook(services, receiver.url, ['price_book'])
    deliver()
    const slow = await database.pool.connect()
    await slow.query('BEGIN')
    const slowId = '0199c0de-0000-7000-8000-00000000510e'
    await noteChanges(slow, { topic: 'price_book', scope: NO_SCOPE }, [slowId])
    for (const name of ['Faster', 'Faster still']) await makeBook(admin(), name)
    await until(() => receiver.received.length === 2)
    // The position is behind both by now, in the log's numbers.
    await until(isEmpty)
    await slow.query('COMMIT')
    slow.release()
    await until(() => receiver.received.length === 3)
    expect(receiver.received[2]?.event.subject).toBe(slowId)
    expect(Number(receiver.received[2]?.event.sequence)).toBeLessThan(Number(receiver.received[0]?.event.sequence))
  },
)

test('webhook.at-least-once: while the database does not respond no event is lost, and each failure is reported once', async () => {
  const receiver = await receive()
  await makeWebhook(services, receiver.url, ['price_book'])
  let isAway = false
  const query: Database['query'] = (name, text, values) =>
    isAway ? Promise.reject(new Error('away')) : database.query(name, text, values)
  const started = startDeliverer(services, { ...database, query })
  deliverers.push(started)
  // It goes away between the attempt and its result.
  receiver.respond = () => {
    isAway = true
    return 204
  }
  await makeBook(admin(), 'Away 1')
  await until(() => isAway)
  await makeBook(admin(), 'Away 2')
  const warnings = () => started.logs.filter(({ level }) => level === 40).map(({ msg }) => msg)
  const reported = [
    'could not read the events of a webhook',
    'could not read the events of webhooks',
    'could not store what became of an event',
  ]
  const look = () => {
    started.deliverer.poll()
    return reported.every((message) => warnings().includes(message))
  }
  await until(look, 'each failure was reported')
  for (let again = 0; again < 5; again++) {
    look()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(warnings().sort()).toEqual(reported)
  receiver.respond = () => 204
  isAway = false
  started.deliverer.poll()
  await until(async () => names(receiver.received).includes('Away 2') && (await rows()).length === 1)
  // The first one was acknowledged, but nobody knows.
  started.now += CLAIM_MS
  started.deliverer.poll()
  await until(isEmpty)
  expect(names(receiver.received)).toEqual(['Away 1', 'Away 2', 'Away 1'])
})

test('history.kept-for-days: a long log is pruned page by page to the last entry of each kind and owner', async () => {
  const long = 25_000
  const scopes = ['0199c0de-0000-7000-8000-0000000000f1', '0199c0de-0000-7000-8000-0000000000f2']
  await database.pool.query(
    `INSERT INTO change (xid, topic, scope, record_id, operation, subject, role, after, created_at)
     SELECT 3, 'product_price', ($1::uuid[])[1 + n % 2], gen_random_uuid(), 'test', 'test', 'admin', '{}', now() - interval '500 days' FROM generate_series(1, ${long}) n`,
    [scopes],
  )
  await pruneChangeLog(database, Date.now() - 400 * 86_400_000)
  const left = 'SELECT scope, count(*) AS count FROM change WHERE scope = ANY ($1) GROUP BY scope ORDER BY scope'
  expect(await database.query('test-pruned', left, [scopes])).toEqual(scopes.map((scope) => ({ scope, count: 1 })))
})
