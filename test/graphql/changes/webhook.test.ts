/** Webhooks in the graph: who may, what is refused, and where secrets are. */
import { beforeAll, expect, test } from 'vitest'
import { globalId, parseGlobalId } from '../../../src/graphql/schema/ids.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { mutate } from '../../support/mutations.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { START, startTestServer, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const given = { url: 'http://127.0.0.1:9/events', topics: ['PRODUCT', 'PRICE_BOOK'] }
const all =
  'webhook { id url description topics isEnabled previousSecretUntil waitingCount createdAt updatedAt } secret'
let id = ''
const secrets: string[] = []

beforeAll(async () => {
  const { webhookSecret, userErrors } = await mutate(server, 'createWebhook', given, `webhookSecret { ${all} }`)
  expect(userErrors).toEqual([])
  expect(webhookSecret.webhook).toEqual({
    ...{
      id: expect.any(String),
      url: given.url,
      description: null,
      topics: ['PRICE_BOOK', 'PRODUCT'],
      isEnabled: true,
    },
    ...{
      previousSecretUntil: null,
      waitingCount: 0,
      createdAt: '2026-01-15T12:00:00.000Z',
      updatedAt: '2026-01-15T12:00:00.000Z',
    },
  })
  id = webhookSecret.webhook.id
  secrets.push(webhookSecret.secret)
})

test('webhook.secrets-shown-once: the secret of a webhook is in the response that makes it, and in no list, history, log or stored result', async () => {
  const rotated = await mutate(
    server,
    'rotateWebhookSecret',
    { id, idempotencyKey: 'rotate' },
    `webhookSecret { ${all} }`,
  )
  expect(rotated.webhookSecret.webhook.previousSecretUntil).toBe('2026-01-16T12:00:00.000Z')
  secrets.push(rotated.webhookSecret.secret)
  for (const secret of secrets) expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length).toBe(32)
  expect(new Set(secrets).size).toBe(2)
  await mutate(server, 'updateWebhook', { id, description: 'new' }, 'webhook { id }')
  await mutate(server, 'updateWebhook', { id, url: `http://x/${'y'.repeat(3_000)}` }, 'webhook { id }')
  const read =
    await server.gql(`{ webhooks(first: 10) { nodes { id url history(first: 10) { nodes { operation before after fields } } } }
    history(first: 10) { nodes { operation before after } } node(id: "${id}") { ... on Webhook { url } } }`)
  expect(read.errors).toBeUndefined()
  expect(read.data.webhooks.nodes[0].history.nodes.map((entry: { operation: string }) => entry.operation)).toEqual([
    ...['updateWebhook', 'rotateWebhookSecret', 'createWebhook'],
  ])
  const stored = await database.query(
    'test-other-rows',
    'SELECT answer::text FROM idempotency_key UNION ALL SELECT row_to_json(c)::text FROM change c',
  )
  expect(stored.length).toBeGreaterThan(3)
  const texts = [JSON.stringify(read), JSON.stringify(stored), JSON.stringify(server.logs)]
  for (const secret of secrets) for (const text of texts) expect(text).not.toContain(secret.slice(6, 30))
  expect(texts.join()).not.toContain('whsec_')
})

test('webhook.for-admins: a shopper neither reads nor changes webhooks', async () => {
  const code = ({ errors }: { errors?: { extensions: { code: string } }[] }) => errors?.[0]?.extensions.code
  const token = server.shopper
  expect(code(await server.gql('{ webhooks { nodes { url } } }', {}, { token }))).toBe('FORBIDDEN')
  expect(code(await server.gql(`{ webhook(id: "${id}") { url } }`, {}, { token }))).toBe('FORBIDDEN')
  expect(code(await server.gql(`{ node(id: "${id}") { id } }`, {}, { token }))).toBe('FORBIDDEN')
  for (const [name, input] of [
    ['createWebhook', given],
    ['updateWebhook', { id, url: 'http://127.0.0.1:1' }],
    ['rotateWebhookSecret', { id }],
    ['retryDeadLetters', { webhookId: id }],
    ['deleteWebhook', { id }],
  ] as const)
    expect([name, code(await mutate(server, name, input, '__typename', { token }))]).toEqual([name, 'FORBIDDEN'])
})

test.each([
  [{ url: 'ftp://shop.example' }, 'INVALID_FORMAT', ['url'], 'must be an absolute http or https URI'],
  [{ url: 'https://user:hunter2@shop.example' }, 'INVALID_FORMAT', ['url'], 'must not contain a user or a password'],
  [{ url: 'https://shop.example/#part' }, 'INVALID_FORMAT', ['url'], 'must not contain a fragment'],
  [{ url: `https://shop.example/${'x'.repeat(2_028)}` }, 'TOO_LONG', ['url'], 'must be at most 2048 characters'],
  [{ topics: [] }, 'REQUIRED', ['topics'], 'must name a topic'],
  [{ description: 'x'.repeat(1_025) }, 'TOO_LONG', ['description'], 'must be at most 1024 characters'],
] as const)('a webhook with %j is refused, with the place in the input', async (wrong, code, path, message) => {
  const { userErrors, webhookSecret } = await mutate(
    server,
    'createWebhook',
    { ...given, ...wrong },
    'webhookSecret { secret }',
  )
  expect([webhookSecret, userErrors]).toEqual([null, [{ code, path, message }]])
  expect((await mutate(server, 'updateWebhook', { id, ...wrong }, 'webhook { id }')).userErrors).toEqual([
    { code, path, message },
  ])
})

test('null for isEnabled is refused by updateWebhook, since it clears nothing', async () => {
  const { userErrors } = await mutate(server, 'updateWebhook', { id, isEnabled: null }, 'webhook { id }')
  expect(userErrors).toEqual([{ code: 'REQUIRED', path: ['isEnabled'], message: 'must not be null' }])
})

test('a webhook may have a URL of 2048 characters and a description of 1024, and a rotation 0 to 604800 seconds', async () => {
  const most = { url: `https://shop.example/${'x'.repeat(2_027)}`, description: 'x'.repeat(1_024) }
  expect((await mutate(server, 'updateWebhook', { id, ...most }, 'webhook { id }')).userErrors).toEqual([])
  const rotate = (previousValidSeconds: number) =>
    mutate(
      server,
      'rotateWebhookSecret',
      { id, previousValidSeconds },
      'webhookSecret { webhook { previousSecretUntil } }',
    )
  for (const seconds of [-1, 604_801])
    expect((await rotate(seconds)).userErrors).toMatchObject([{ code: 'OUT_OF_RANGE', path: ['previousValidSeconds'] }])
  expect((await rotate(604_800)).webhookSecret.webhook.previousSecretUntil).toBe('2026-01-22T12:00:00.000Z')
  expect((await rotate(0)).webhookSecret.webhook.previousSecretUntil).toBe(null)
})

test('dead letters are listed with their event and the reason, and those that are named are sent again', async () => {
  const books = [
    await makeBook(contextOf(server.services, START), 'A'),
    await makeBook(contextOf(server.services, START), 'B'),
  ]
  await database.pool.query(
    `INSERT INTO webhook_event (webhook_id, change_id, record_id, attempts, failure, failed_at)
     SELECT w.id, c.id, c.record_id, 12, 'responded with status 500', '2026-01-15T13:00:00Z' FROM webhook w, change c WHERE c.record_id = ANY ($1)`,
    [books.map((book) => book.id)],
  )
  const letters = `{ webhook(id: "${id}") { waitingCount deadLetters { totalCount nodes { key type recordKey at operation before after attempts failure failedAt } } } }`
  const { waitingCount, deadLetters } = (await server.gql(letters)).data.webhook
  expect([waitingCount, deadLetters.totalCount]).toEqual([0, 2])
  expect(deadLetters.nodes[0]).toMatchObject({
    ...{
      type: 'commerce.price_book.created',
      recordKey: books[0]?.id,
      operation: 'createPriceBook',
      before: null,
      after: { name: 'A' },
    },
    ...{ attempts: 12, failure: 'responded with status 500', failedAt: '2026-01-15T13:00:00.000Z' },
  })
  const retry = (events: readonly string[]) =>
    mutate(server, 'retryDeadLetters', { webhookId: id, events }, 'retriedCount')
  expect((await retry(['x'])).userErrors).toEqual([
    { code: 'INVALID_FORMAT', path: ['events', '0'], message: 'must be the key of a dead letter' },
  ])
  expect((await retry(Array.from({ length: 1_001 }, () => 'change-1'))).userErrors).toMatchObject([
    { code: 'TOO_MANY', path: ['events'] },
  ])
  expect(await retry([deadLetters.nodes[1].key, 'change-999999999'])).toEqual({ retriedCount: 1, userErrors: [] })
  const after = (await server.gql(letters)).data.webhook
  expect([after.waitingCount, after.deadLetters.nodes.map(({ key }: { key: string }) => key)]).toEqual([
    1,
    [deadLetters.nodes[0].key],
  ])
  const unknown = globalId('Webhook', '0199c0de-0000-7000-8000-00000000dead')
  expect((await mutate(server, 'retryDeadLetters', { webhookId: unknown }, 'retriedCount')).userErrors).toMatchObject([
    { code: 'NOT_FOUND' },
  ])
})

test('dead letters are filtered by topic and time, their total too, and walked both ways', async () => {
  const { webhookSecret } = await mutate(
    server,
    'createWebhook',
    { ...given, topics: ['PRODUCT'] },
    'webhookSecret { webhook { id } }',
  )
  const hook = webhookSecret.webhook.id
  const entry = (topic: string, minute: number) =>
    database.pool.query(
      `WITH entry AS (
         INSERT INTO change (xid, topic, scope, record_id, operation, subject, role, before, after, created_at)
         SELECT xid, $1, scope, gen_random_uuid(), operation, subject, role, before, after, $2 FROM change ORDER BY id LIMIT 1
         RETURNING id, record_id)
       INSERT INTO webhook_event (webhook_id, change_id, record_id, attempts) SELECT $3, id, record_id, 12 FROM entry`,
      [topic, new Date(START + 60_000 * minute).toISOString(), parseGlobalId(hook)?.id],
    )
  const made = ['product', 'plan', 'product', 'product', 'plan']
  for (const [minute, topic] of made.entries()) await entry(topic, minute)
  const query = `query ($ids: [ID!]!, $first: Int, $after: String, $last: Int, $before: String, $filter: WebhookDeadLetterFilter) {
    nodes(ids: $ids) { ... on Webhook { deadLetters(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      totalCount nodes { at } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`
  const ask = async (filter: object, page: object = {}) =>
    (await server.gql(query, { ids: [hook], filter, ...page })).data.nodes[0].deadLetters
  const minutes = ({ nodes }: { nodes: { at: string }[] }) => nodes.map(({ at }) => (Date.parse(at) - START) / 60_000)
  const from = (minute: number) => new Date(START + 60_000 * minute).toISOString()
  for (const [filter, expected] of [
    [{}, [0, 1, 2, 3, 4]],
    [{ topic: 'PRODUCT' }, [0, 2, 3]],
    [{ topic: 'PLAN' }, [1, 4]],
    [{ topic: 'OFFERING' }, []],
    [{ at: { from: from(1), before: from(4) } }, [1, 2, 3]],
    [{ topic: 'PRODUCT', at: { from: from(1) } }, [2, 3]],
    [{ topic: null, at: null }, [0, 1, 2, 3, 4]],
  ] as const) {
    const whole = await ask(filter)
    expect([minutes(whole), whole.totalCount]).toEqual([expected, expected.length])
    const first = await ask(filter, { first: 2 })
    expect([minutes(first), first.pageInfo.hasNextPage]).toEqual([expected.slice(0, 2), expected.length > 2])
    const last = await ask(filter, { last: 2 })
    expect([minutes(last), last.pageInfo.hasPreviousPage]).toEqual([expected.slice(-2), expected.length > 2])
    if (expected.length === 0) continue
    expect(minutes(await ask(filter, { after: first.pageInfo.endCursor }))).toEqual(expected.slice(2))
    expect(minutes(await ask(filter, { last: 100, before: last.pageInfo.startCursor }))).toEqual(expected.slice(0, -2))
  }
  const both = await countStatements(database, () =>
    server.gql(query, { ids: [id, hook], filter: { topic: 'PRODUCT' } }),
  )
  expect([both.result.errors, both.count]).toEqual([undefined, 3])
  expect((await server.gql(query, { ids: [hook], filter: { topic: 'WEBHOOK' } })).errors[0].message).toContain(
    'WEBHOOK',
  )
  await mutate(server, 'deleteWebhook', { id: hook }, 'webhook { id }')
})

test('a store has 50 webhooks at most, also when many are created at once', async () => {
  const responses = await Promise.all(
    Array.from({ length: 55 }, () => mutate(server, 'createWebhook', given, 'webhookSecret { secret }')),
  )
  const refused = responses.filter(({ userErrors }) => userErrors.length > 0)
  expect(refused.length).toBe(6)
  expect(refused[0].userErrors).toEqual([
    { code: 'TOO_MANY', path: ['url'], message: 'a store has at most 50 webhooks' },
  ])
  expect((await server.gql('{ webhooks { totalCount } }')).data.webhooks.totalCount).toBe(50)
  expect((await mutate(server, 'deleteWebhook', { id }, 'webhook { id }')).userErrors).toEqual([])
  expect((await mutate(server, 'createWebhook', given, 'webhookSecret { secret }')).userErrors).toEqual([])
})

test('the list of webhooks is ordered by creation, and pages both ways', async () => {
  const page = async (args: string) =>
    (await server.gql(`{ webhooks(${args}) { nodes { id } pageInfo { endCursor startCursor } } }`)).data.webhooks
  const whole = (await page('first: 100')).nodes
  const first = await page('first: 20')
  expect([...first.nodes, ...(await page(`first: 100, after: "${first.pageInfo.endCursor}"`)).nodes]).toEqual(whole)
  expect((await page('first: 100, orderBy: { field: CREATED_AT, direction: DESC }')).nodes).toEqual(
    [...whole].reverse(),
  )
  expect((await page('last: 100')).nodes).toEqual(whole)
})

test('webhook.public-addresses-only: in production a webhook with a private address is refused when it is stored, and so is http', async () => {
  const production = await startTestServer(database, { config: { production: true } })
  const [row] = await database.query<{ id: string }>('test-a-webhook', 'SELECT id FROM webhook LIMIT 1')
  const errorsOf = async (url: string) =>
    (await mutate(production, 'updateWebhook', { id: row?.id, url }, 'webhook { id }')).userErrors
  const hosts =
    '127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 240.0.0.1 2130706433 0x7f.1 017700000001'
  const six =
    '[::1] [::] [::ffff:127.0.0.1] [::ffff:a00:1] [fe80::1] [fd00::1] [ff02::1] [64:ff9b::7f00:1] [2002:7f00:1::] [::127.0.0.1] [::7f00:1] [::a00:1] [64:ff9b:1::a00:1]'
  for (const host of `${hosts} ${six} localhost LOCALHOST. a.localhost`.split(' ')) {
    expect([host, await errorsOf(`https://${host}/events`)]).toEqual([
      host,
      [{ code: 'INVALID_FORMAT', path: ['url'], message: 'must not lead to a private address' }],
    ])
  }
  expect(await errorsOf('http://shop.example/')).toMatchObject([{ path: ['url'], message: 'must begin with https://' }])
  for (const host of ['shop.example', '8.8.8.8:8443', '[2606:4700::1111]'])
    expect([host, await errorsOf(`https://${host}/events`)]).toEqual([host, []])
  await production.stop()
})
