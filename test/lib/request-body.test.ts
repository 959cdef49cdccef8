import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { type BodyErrors, readBytes } from '../../src/lib/request-body.ts'

const errors: BodyErrors = {
  tooLarge: () => new Error('too large'),
  incomplete: () => new Error('incomplete'),
  notUtf8: () => new Error('not UTF-8'),
}

const MEBI = 1024 * 1024

/** The most pieces that arrived in one turn of the event loop, and the length of the body as it was read. */
async function received(bytes: number): Promise<{ most: number; length: number }> {
  let [turn, most] = [0, 0]
  const byTurn = new Map<number, number>()
  const server = createServer(async (req, res) => {
    const count = (): void => {
      turn++
      if (!res.writableEnded) setImmediate(count)
    }
    count()
    req.on('data', () => {
      const pieces = (byTurn.get(turn) ?? 0) + 1
      byTurn.set(turn, pieces)
      most = Math.max(most, pieces)
    })
    const { length } = await readBytes(req, 8 * MEBI, errors)
    res.end(String(length))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sent = request({ port, host: '127.0.0.1', method: 'POST' }).end(Buffer.alloc(bytes, 'x'))
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  server.close()
  return { most, length: Number(text) }
}

test('http.long-bodies-take-turns: of a body of eight megabytes at most two pieces are read in one turn of the event loop', async () => {
  const { most, length } = await received(8 * MEBI)
  expect(length).toBe(8 * MEBI)
  expect(most).toBeLessThanOrEqual(2)
})

test('http.long-bodies-take-turns: a body of one byte is read whole', async () => {
  expect(await received(1)).toEqual({ most: 1, length: 1 })
})
