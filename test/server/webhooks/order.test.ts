/** Webhooks under random writes, failures, stops and jumps of clocks: what holds whatever happens. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { updatePriceBook } from '../../../src/operations/pricing/price-book.ts'
import { SENT_AT_ONCE } from '../../../src/server/webhooks/sender.ts'
import { useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { servicesOf } from '../../support/services.ts'
import { makeWebhook, startDeliverer, startReceiver, until } from '../../support/webhooks.ts'

const database = useDatabase()
const services = servicesOf(database)
const admin = () => contextOf(services, Date.now())
const RECORDS = 4

const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        write: fc.integer({ min: 0, max: RECORDS - 1 }),
        failures: fc.constantFrom(0, 0, 0, 1, 2, 3),
      }),
    },
    { weight: 2, arbitrary: fc.record({ jump: fc.constantFrom(1_000, 6_000, 21_000, 90_000), of: fc.nat(1) }) },
    { weight: 1, arbitrary: fc.record({ restart: fc.nat(1) }) },
    { weight: 2, arbitrary: fc.record({ pause: fc.nat(40) }) },
  ),
  { minLength: 30, maxLength: 60, size: 'max' },
)

test('webhook.order-per-record, webhook.at-least-once: an event of a webhook arrives only after all earlier ones of its record were acknowledged, and all arrive', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      run++
      await database.query('test-no-webhooks', 'DELETE FROM webhook')
      const books = await Promise.all(
        Array.from({ length: RECORDS }, (_, n) => makeBook(admin(), `Book ${run} ${n}`, { description: '0' })),
      )
      const receiver = await startReceiver()
      const written = new Map(books.map(({ id }) => [id, 0]))
      const acknowledged = new Map(books.map(({ id }) => [id, 0]))
      const failures = new Map<string, number>()
      const early: string[] = []
      receiver.respond = async ({ event }) => {
        const [id, number] = [event.subject, Number(event.data.after?.description)]
        if (number > (acknowledged.get(id) ?? 0) + 1) early.push(`${id} ${number}`)
        await new Promise((resolve) => setTimeout(resolve, number % 3))
        const left = failures.get(`${id} ${number}`) ?? 0
        failures.set(`${id} ${number}`, left - 1)
        if (left > 0) return 500
        acknowledged.set(id, Math.max(acknowledged.get(id) ?? 0, number))
        return 204
      }
      await makeWebhook(services, receiver.url, ['price_book'])
      const servers = [startDeliverer(services), startDeliverer(services)]
      for (const step of given) {
        if ('write' in step) {
          const id = books[step.write]?.id ?? ''
          const number = (written.get(id) ?? 0) + 1
          written.set(id, number)
          failures.set(`${id} ${number}`, step.failures)
          await updatePriceBook(admin(), {
            id,
            data: { type: 'pricebook', attributes: { description: String(number) } },
          })
        } else if ('jump' in step) {
          // A clock ahead takes events over that another server is sending.
          for (const server of servers.slice(step.of)) server.now += step.jump
        } else if ('restart' in step) {
          const [stopped] = servers.splice(step.restart, 1)
          await stopped?.stop()
          const fresh = startDeliverer(services)
          fresh.now = Math.max(fresh.now, stopped?.now ?? 0)
          servers.push(fresh)
        } else await new Promise((resolve) => setTimeout(resolve, step.pause))
      }
      const isDone = async () => {
        for (const server of servers) {
          server.now += 10_000
          server.deliverer.poll()
        }
        return (
          (await database.query('test-left', 'SELECT 1 FROM webhook_event')).length === 0 &&
          [...written].every(([id, number]) => acknowledged.get(id) === number)
        )
      }
      await until(isDone, 'all events arrived')
      expect(early).toEqual([])
      expect(receiver.open).toBeLessThanOrEqual(2 * SENT_AT_ONCE)
      for (const server of servers) await server.stop()
      await receiver.close()
    }),
    { ...runs(2), endOnFailure: true },
  )
})
