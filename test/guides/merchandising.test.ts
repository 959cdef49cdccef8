/** The guide for merchandisers: its documents, sent in the order of the page, have the answers that it shows. */
import { beforeAll, expect, test } from 'vitest'
import { loadDemo } from '../../src/demo/demo-store.ts'
import { useDatabase } from '../support/database.ts'
import { playGuide } from '../support/guide-player.ts'
import { codeBlocks, readPage } from '../support/markdown.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)
beforeAll(async () => {
  server.now = Date.now()
  await loadDemo(server.services)
})

/** The texts of an answer, with … in place of ids and instants, which are others each time. */
const withoutIds = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value) => (['id', 'at'].includes(name) ? '…' : value)))

test('each document of the guide for merchandisers has the answer that stands below it, in the order of the page', async () => {
  const later = new Date(server.now + 86_400_000).toISOString()
  const { token } = await server.issue({ subject: 'admin', role: 'admin' }, server.now)
  const documents = new Set<string>()
  for await (const step of playGuide('merchandising', (document) => server.gql(document, {}, { token }), later)) {
    if ('picture' in step) continue
    const { data, errors } = step.answer
    expect(errors, step.document).toBeUndefined()
    expect(withoutIds({ data }), step.document).toEqual(step.shown)
    documents.add(step.document)
  }
  // One of them is sent twice.
  const shown = codeBlocks(readPage('src/guides/merchandising.md'), 'graphql')
  expect(shown.length).toBeGreaterThan(8)
  expect(documents.size).toBe(shown.length + 1)
})
