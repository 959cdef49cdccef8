/**
 * The REST facade by openapi-fetch, with the types that openapi-typescript makes of a running server's /openapi.json.
 */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { copyClient, expectTyped } from './support/client-folder.ts'
import { server } from './support/server.ts'

const priceBook = 'c0ffee00-0001-4000-8000-000000000001'

test('a program with the types generated from OpenAPI reads and writes, gets a refusal with its reasons, and no faulty variant of it compiles', async () => {
  const folder = copyClient('openapi')
  const command = fileURLToPath(new URL('node_modules/openapi-typescript/bin/cli.js', import.meta.url))
  execFileSync(process.execPath, [command, `${server.url}/openapi.json`, '-o', join(folder, 'schema.d.ts')], {
    stdio: 'pipe',
  })
  const { connect, listPrices, addPrice, priceOf } = await import(join(folder, 'prices.ts'))
  const client = connect(server.url, server.admin)
  expect(await addPrice(client, priceBook, priceOf('REST-1', 1250))).toMatchObject({ attributes: { sku: 'REST-1' } })
  expect(await listPrices(client, priceBook, ['REST-1', 'REST-2'])).toMatchObject([
    { type: 'product-price', attributes: { sku: 'REST-1', currencies: { USD: { amount: 1250 } } } },
  ])
  expect(await addPrice(client, priceBook, priceOf('REST-1', 1300))).toEqual([
    expect.stringMatching(/^409 Conflict: PRICE_EXISTS, /),
  ])
  expect(await addPrice(client, priceBook, priceOf('REST-2', -1))).toEqual([
    expect.stringMatching(/^422 Failed Validation: \w+, .*amount/),
  ])
  expect(await addPrice(connect(server.url, server.shopper), priceBook, priceOf('REST-2', 1))).toEqual([
    expect.stringMatching(/^403 Forbidden: /),
  ])

  await expectTyped(folder, 'prices.ts', {
    'a path that there is not': ["client.GET('/pcm/pricebooks/", "client.GET('/pcm/pricebook/"],
    'a parameter that is missing': ['path: { pricebook_id }, query', 'query'],
    'a parameter of another type': ["'page[limit]': 100", "'page[limit]': 'all'"],
    'an error taken for a result': ['return error', 'return data'],
    'a member that there is not': ['attributes: { sku, currencies', 'attributes: { sku, prices'],
    'an amount as a string': ['amount: number): New', 'amount: string): New'],
  })
})
