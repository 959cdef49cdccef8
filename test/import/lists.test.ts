/** Imports of arrays and of lists as REST responds with them. */
import { beforeEach, describe, expect, it } from 'vitest'
import { reset, useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const book = (name: string) => ({ type: 'pricebook', attributes: { name } })
const names = async () =>
  (await database.prisma.priceBook.findMany({ orderBy: { name: 'asc' } })).map(({ name }) => name)

beforeEach(() => reset(database))

describe('import.objects-one-after-another: a list', () => {
  it.each([
    ['an array of objects', [{ data: book('A') }, { data: book('B') }]],
    ['an array of their data', [book('A'), book('B')]],
    ['a list of REST', { data: [book('A'), book('B')], meta: { results: { total: 2 } }, links: {} }],
  ])('%s is imported entry by entry', async (_, given) => {
    for (const text of [JSON.stringify(given), JSON.stringify(given, null, 2)]) {
      await reset(database)
      expect(await runImport(server.services, text)).toEqual({
        fine: true,
        counts: { pricebook: [2, 0, 0, 0] },
        refused: [],
      })
      expect(await names()).toEqual(['A', 'B'])
    }
  })

  it('a refused entry of a list is named by its place, and the others are taken', async () => {
    const data = [book('A'), { type: 'pricebook', attributes: { nam: 'B' } }, 7, { type: 'shoe' }, book('C')]
    const { fine, refused } = await runImport(server.services, JSON.stringify({ data }))
    expect([fine, await names()]).toEqual([false, ['A', 'C']])
    expect(refused).toEqual([
      expect.stringContaining('1: data.1.attributes.nam'),
      expect.stringContaining('1: data.1.attributes.name: must be given'),
      '1: data.2: must be an object (INVALID_TYPE)',
      expect.stringContaining('1: data.3.type: must be one of'),
    ])
  })

  it('a list with another member beside its entries is refused, and nothing of it is stored', async () => {
    const { refused } = await runImport(server.services, JSON.stringify({ data: [book('A')], included: [] }))
    expect([refused, await names()]).toEqual([['1: included: must not stand beside a list (UNKNOWN_FIELD)'], []])
  })
})
