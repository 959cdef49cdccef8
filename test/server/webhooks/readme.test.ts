/** The README of webhooks: its receiver, as a program of its own, and its operations. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../../src/config/project-root.ts'
import { useDatabase } from '../../support/database.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { useServer } from '../../support/server.ts'
import { makeWebhook, startDeliverer, startReceiver, until } from '../../support/webhooks.ts'

const database = useDatabase()
const server = useServer(database)
const text = readFileSync(join(projectRoot, 'src/server/webhooks/README.md'), 'utf8')
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1] ?? '')

test('the receiver of the webhooks README accepts what this server sends, and refuses what is not signed', async () => {
  const { port } = new URL(await freeUrl())
  const { secret } = await makeWebhook(server.services, `http://127.0.0.1:${port}/`, ['price_book'])
  const [program = ''] = blocks('js')
  const child = spawn(process.execPath, ['--input-type=module', '-e', program.replace('8080', port)], {
    cwd: projectRoot,
    env: { ...process.env, WEBHOOK_SECRET: secret },
  })
  let printed = ''
  child.stdout.on('data', (data: Buffer) => {
    printed += data.toString()
  })
  const url = `http://127.0.0.1:${port}/`
  await until(
    () =>
      fetch(url, { method: 'POST', body: '{}' }).then(
        ({ status }) => status === 401,
        () => false,
      ),
    'the receiver runs',
  )
  const started = startDeliverer(server.services)
  const { id } = await makeBook(contextOf(server.services, Date.now()), 'For the receiver')
  await until(() => printed.includes(`commerce.price_book.created ${id}`))
  await until(async () => (await database.query('test-none-left', 'SELECT 1 FROM webhook_event')).length === 0)
  await started.stop()
  child.kill()
})

test('the operations of the webhooks README run', async () => {
  const [create = '', list = '', retry = ''] = blocks('graphql')
  const created = await server.gql(create)
  expect([created.errors, created.data.createWebhook.userErrors]).toEqual([undefined, []])
  const listed = await server.gql(list)
  expect(listed.errors).toBeUndefined()
  expect(listed.data.webhooks.nodes.length).toBeGreaterThan(0)
  const id = created.data.createWebhook.webhookSecret.webhook.id
  const retried = await server.gql(retry.replace(/webhookId: "[^"]+"/, `webhookId: "${id}"`))
  expect(retried.data.retryDeadLetters).toEqual({ retriedCount: 0, userErrors: [] })
})

test('the event of the webhooks README has the members of one that is sent', async () => {
  const receiver = await startReceiver()
  await makeWebhook(server.services, receiver.url, ['price_book'])
  const started = startDeliverer(server.services)
  await makeBook(contextOf(server.services, Date.now()), 'Compared')
  await until(() => receiver.received.length === 1)
  await started.stop()
  await receiver.close()
  const [shown = ''] = blocks('json')
  const names = (event: object): string[] => Object.keys(event)
  const [one, other] = [JSON.parse(shown), receiver.received[0]?.event ?? { data: {} }]
  expect([names(other), names(other.data)]).toEqual([names(one), names(one.data)])
})

/** A URL of this machine that nothing listens at. */
async function freeUrl(): Promise<string> {
  const receiver = await startReceiver()
  await receiver.close()
  return receiver.url
}
