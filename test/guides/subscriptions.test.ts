/** The guide to subscriptions: its documents, sent in the order of the page, have the answers that it shows. */
import { beforeAll, expect, test } from 'vitest'
import { loadDemo } from '../../src/demo/demo-store.ts'
import { useDatabase } from '../support/database.ts'
import { playGuide } from '../support/guide-player.ts'
import { runImport } from '../support/import.ts'
import { codeBlocks, readPage } from '../support/markdown.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)
beforeAll(async () => {
  server.now = Date.now()
  await loadDemo(server.services)
})

/** The texts of an answer, with … in place of ids and of when something was asked for. */
const withoutIds = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value) => (['id', 'key', 'at'].includes(name) ? '…' : value)))

test('each document of the guide to subscriptions has the answer that stands below it, in the order of the page', async () => {
  const { token } = await server.issue({ subject: 'admin', role: 'admin' }, server.now)
  let count = 0
  for await (const step of playGuide('subscriptions', (document) => server.gql(document, {}, { token }))) {
    if ('picture' in step) continue
    const { data, errors } = step.answer
    expect(errors, step.document).toBeUndefined()
    expect(withoutIds({ data }), step.document).toEqual(step.shown)
    count++
  }
  const shown = codeBlocks(readPage('src/guides/subscriptions.md'), 'graphql')
  expect(shown.length).toBeGreaterThan(6)
  expect(count).toBe(shown.length)
})

test('import.subscription-by-hand: the line from another system that the guide and the README of imports show is taken, and charged at the ends of months', async () => {
  const shown = ['src/guides/subscriptions.md', 'src/import/README.md'].map(
    (path) => /^```\n(\{"data": \{"type": "subscription"[\s\S]*?)^```/m.exec(readPage(path))?.[1] ?? '',
  )
  expect(shown[1]).toBe(shown[0])
  const [line = ''] = shown
  expect(await runImport(server.services, line)).toMatchObject({ refused: [], counts: { subscription: [1, 0, 0, 0] } })
  expect((await runImport(server.services, line)).counts).toEqual({ subscription: [0, 0, 1, 0] })
  const { token } = await server.issue({ subject: 'admin', role: 'admin' }, server.now)
  const { data } = await server.gql(
    `{ invoicesDue(from: "2031-01-01T00:00:00Z", to: "2031-05-01T00:00:00Z", filter: { accountId: "c0ffee00-00aa-4000-8000-000000000088" }) {
      invoices { dueAt amount { amount } } } }`,
    {},
    { token },
  )
  const ends = ['01-31T08', '02-28T08', '03-31T07', '04-30T07']
  expect(data.invoicesDue.invoices).toEqual(
    ends.map((end) => ({ dueAt: `2031-${end}:00:00.000Z`, amount: { amount: 3980 } })),
  )
})
