/** input.keys-once: a key that one JSON object gives twice, by each way in. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { contextOf, makeBook, storedPrices } from '../support/price-books.ts'
import { START, useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)
let book = ''

beforeAll(async () => {
  book = (await makeBook(contextOf(server.services, START), 'Book')).id
})

const skuTwice = '{"data":{"type":"product-price","attributes":{"sku":"A","currencies":{},"sku":"B"}}}'
const deep =
  '{"data":{"type":"product-price","attributes":{"sku":"A","currencies":{"USD":{"amount":1,"\\u0061mount":2}}}}}'

describe('input.keys-once', () => {
  it.each([
    ['an attribute', skuTwice, 'The body gives data.attributes.sku twice'],
    ['an escaped one, deep inside', deep, 'The body gives data.attributes.currencies.USD.amount twice'],
    ['data itself', '{"data":{},"data":{}}', 'The body gives data twice'],
  ])('REST refuses a key given twice, %s, and writes nothing', async (_, raw, detail) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await server.rest('POST', `/pcm/pricebooks/${book}/prices`, { raw, headers })
    expect([reply.status, reply.body.errors]).toEqual([
      400,
      [{ title: 'Bad Request', status: '400', detail, code: 'BAD_REQUEST' }],
    ])
    expect(await storedPrices(server.services)).toEqual([])
  })

  it.each([
    ['a variable', `{"query":"{ __typename }","variables":{"a":1,"a":2}}`, 'The body gives variables.a twice'],
    ['the text', `{"query":"{ a }","query":"{ __typename }"}`, 'The body gives query twice'],
  ])('GraphQL refuses a key given twice, %s', async (_, body, message) => {
    const headers = { authorization: `Bearer ${server.admin}`, 'content-type': 'application/json' }
    const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body })
    expect([response.status, (await response.json()).errors[0].message]).toEqual([400, message])
  })

  it('GraphQL refuses a key given twice in the variables of a GET', async () => {
    const parameters = new URLSearchParams({ query: '{ __typename }', variables: '{"a":1,"a":2}' })
    const response = await fetch(`${server.url}/graphql?${parameters}`, {
      headers: { authorization: `Bearer ${server.admin}` },
    })
    expect([response.status, (await response.json()).errors[0].message]).toEqual([
      400,
      'The parameter variables gives a twice',
    ])
  })

  it('an import refuses a key given twice with its line, and takes what stands around it', async () => {
    const fine = '{"data":{"type":"pricebook","attributes":{"name":"Other"}}}'
    const { refused, counts } = await runImport(server.services, [skuTwice, fine].join('\n'))
    expect(refused).toEqual(['1: gives data.attributes.sku twice'])
    expect(counts).toEqual({ pricebook: [1, 0, 0, 0], '(unreadable)': [0, 0, 0, 1] })
  })
})
