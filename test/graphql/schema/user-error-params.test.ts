import { describe, expect, test } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { useServer } from '../../support/server.ts'

const server = useServer(useDatabase())

describe('graph.errors-carry-limits: UserError.params', () => {
  test('has both limits of a text, and none for what is only missing', async () => {
    const query = `mutation ($input: CreatePriceBookInput!) { createPriceBook(input: $input) { userErrors { path message params { name value } } } }`
    const long = 'x'.repeat(1025)
    const { data } = await server.gql(query, { input: { name: '', description: long } })
    expect(data.createPriceBook.userErrors).toEqual([
      {
        path: ['name'],
        message: 'must be 1 to 1024 characters',
        params: [
          { name: 'min', value: '1' },
          { name: 'max', value: '1024' },
        ],
      },
      { path: ['description'], message: expect.stringContaining('1024'), params: [{ name: 'max', value: '1024' }] },
    ])
    const lost = '0190a000-0000-7000-8000-00000000000c'
    const deletion = `mutation { deletePriceBook(input: { id: "${lost}" }) { userErrors { code path params { name } } } }`
    expect((await server.gql(deletion)).data.deletePriceBook.userErrors).toEqual([{ code: 'NOT_FOUND', path: ['id'], params: [] }])
  })
})
