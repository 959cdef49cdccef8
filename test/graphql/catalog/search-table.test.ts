/** The table of searches (test/support/search-table.ts): what each finds first, and how many. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { publishStore } from '../../support/published.ts'
import { storeOfTable, tableCatalog, tableRows } from '../../support/search-table.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
let token = ''

beforeAll(async () => {
  await publishStore(server, storeOfTable())
  token = (await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)).token
})

const query = `query ($id: ID!, $search: String!) { catalog(id: $id) { latestRelease {
  products(first: 5, filter: { search: $search }) { totalCount nodes { sku } } } } }`

describe('search.one-analyser, search.stop-words, search.short-words-join, search.separated-parts, search.look-alike-letters, search.numbers-and-units, search.signs-beside-words, search.runs-of-characters, search.missing-spaces, search.names-of-units, search.spaced-numbers, search.measures-and-units: the table of searches', () => {
  it('the table has at least 300 searches in 15 languages', () => {
    expect(tableRows.length).toBeGreaterThanOrEqual(300)
    expect(new Set(tableRows.map(([, language]) => language)).size).toBeGreaterThanOrEqual(15)
  })

  it.each(tableRows)('a search of the table for %s in %s', async (text, language, first, count) => {
    const headers = { 'accept-language': language }
    const { data, errors } = await server.gql(query, { id: tableCatalog, search: text }, { token, headers })
    expect(errors).toBeUndefined()
    const { nodes, totalCount } = data.catalog.latestRelease.products
    const skus = nodes.map(({ sku }: { sku: string }) => sku)
    expect([skus.slice(0, Math.max(first.length, count === 0 ? 5 : 0)), totalCount]).toEqual([first, count])
  })
})
