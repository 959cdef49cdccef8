/** Campaigns in a server that is killed in their middle. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Running, startProgram, startServer } from '../soak/program.ts'
import { withWorkspace } from '../soak/workspace.ts'
import { times } from '../support/effort.ts'
import { shortLived } from '../support/start-command.ts'

const databaseUrl = process.env.DATABASE_URL || null
const [book, PRICES] = [randomUUID(), 3_000]

const add =
  'mutation ($input: AddSalesInput!) { addSales(input: $input) { campaign { changedCount unchangedCount } userErrors { message } } }'
const total = 'query ($name: String!) { sales(filter: { name: { eq: $name } }) { totalCount } }'

const inputOf = (mode: string, name: string, day: number) => ({
  ...{ priceBookId: book, filter: {}, mode, name, change: { percentOff: 10 } },
  schedule: { validFrom: new Date(Date.UTC(2027, 0, day)).toISOString() },
})
const countOf = async ({ gql }: Running, name: string): Promise<number> =>
  (await gql(total, { name })).data.sales.totalCount
const prices = `query ($after: String) { priceBook(id: "${book}") { prices(first: 100, after: $after) {
  pageInfo { hasNextPage endCursor } nodes { sku sales { name } history(first: 1) { totalCount nodes { after } } } } } }`

/**
 * How many entries of the change log campaigns have left. Each price has one of its import and one for each of its
 * sales, and the last one has all of these.
 */
async function entriesOf({ gql }: Running): Promise<number> {
  let entries = 0
  let after: unknown = null
  for (;;) {
    const { nodes, pageInfo } = (await gql(prices, { after })).data.priceBook.prices
    for (const { sku, sales, history } of nodes) {
      expect([sku, history.totalCount]).toEqual([sku, 1 + sales.length])
      expect(history.nodes[0].after).toMatchObject({ sku, sales })
      entries += sales.length
    }
    if (!pageInfo.hasNextPage) return entries
    after = pageInfo.endCursor
  }
}

test('campaign.row-refused-alone: a killed campaign has written whole thousands, or nothing, with an entry of the change log for each price, and the same call completes it', async () => {
  await withWorkspace(databaseUrl, async (place) => {
    mkdirSync(place.dataDir, { recursive: true })
    const rows = [
      { type: 'pricebook', id: book, attributes: { name: 'Book' } },
      ...Array.from({ length: PRICES }, (_, n) => ({
        ...{ type: 'product-price', pricebook_id: book },
        attributes: { sku: `S${n}`, currencies: { USD: { amount: 1000 + n } } },
      })),
    ]
    const file = join(place.dataDir, '..', 'store.jsonl')
    writeFileSync(file, rows.map((data) => JSON.stringify({ data })).join('\n'))
    expect(await startProgram('import/main', [file], place, {}, shortLived).exit).toBe(0)
    let server = await startServer(place, {}, 'main', shortLived)
    for (let turn = 0; turn < 2 * times(1); turn++) {
      const mode = turn % 2 === 0 ? 'PER_ROW' : 'ALL_OR_NOTHING'
      const [name, input] = [`Campaign ${turn}`, inputOf(mode, `Campaign ${turn}`, turn + 1)]
      const call = server.gql(add, { input }).catch(() => undefined)
      // PER_ROW is killed once a part is there; the other one at some instant of its transaction.
      if (mode === 'PER_ROW') while ((await countOf(server, name)) === 0) await pause(5)
      else await pause(200 + Math.random() * 600)
      await server.kill()
      const response = await call
      server = await startServer(place, {}, 'main', shortLived)
      const written = await countOf(server, name)
      if (mode === 'PER_ROW') expect(written % 1_000).toBe(0)
      else expect([0, PRICES]).toContain(written)
      if (response !== undefined) expect(written).toBe(PRICES)
      expect(await entriesOf(server)).toBe(turn * PRICES + written)
      const { data } = await server.gql(add, { input })
      expect(data.addSales).toEqual({
        campaign: { changedCount: PRICES - written, unchangedCount: written },
        userErrors: [],
      })
      expect(await countOf(server, name)).toBe(PRICES)
      expect(await entriesOf(server)).toBe((turn + 1) * PRICES)
    }
    await server.kill()
  })
})
