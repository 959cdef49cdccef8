import { expect, test } from 'vitest'
import { createLogger } from '../../src/lib/log.ts'
import { useDatabase } from '../support/database.ts'

const database = useDatabase()

test("a failed statement is logged without PostgreSQL's description of the row", async () => {
  const lines: string[] = []
  const log = createLogger('trace', { write: (line) => void lines.push(line) })
  const failing: [string, string][] = [
    [
      'INSERT INTO price_book (id, name, created_at, updated_at) VALUES (gen_random_uuid(), $1, now(), NULL)',
      'a secret name',
    ],
    ['SELECT $1::jsonb', '{"card": "a secret card'],
  ]
  for (const [text, value] of failing) {
    await expect(
      database.pool.query(text, [value]).catch((err) => Promise.reject(log.error({ err }, 'failed'))),
    ).rejects.toBeUndefined()
  }
  expect(lines.map((line) => JSON.parse(line).err.code)).toEqual(['23502', '22P02'])
  expect(lines.join()).not.toContain('secret')
})

test('tokens and ids of cards and customers are redacted wherever they are in a log line', () => {
  const lines: string[] = []
  const log = createLogger('trace', { write: (line) => void lines.push(line) })
  const secrets = {
    authorization: 'hidden',
    client_secret: 'hidden',
    access_token: 'hidden',
    card_id: 'hidden',
    customer_id: 'hidden',
  }
  log.info({ body: secrets, req: { headers: { authorization: 'hidden' } } }, 'line')
  expect(lines.join()).not.toContain('hidden')
})
