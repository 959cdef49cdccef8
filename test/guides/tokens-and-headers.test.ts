/** The lines of the guide to tokens and headers work as they are typed. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { decodeJwt } from 'jose'
import { beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { loadDemo } from '../../src/demo/demo-store.ts'
import { useDatabase } from '../support/database.ts'
import { codeBlocks, readPage } from '../support/markdown.ts'
import { useServer } from '../support/server.ts'

const page = readPage('src/guides/tokens-and-headers.md')
const run = promisify(execFile)

const database = useDatabase()
const server = useServer(database)
beforeAll(async () => {
  await loadDemo(server.services)
})

test('the lines for curl get the tokens of an administrator, a shopper, and a shopper with the account of the demo', async () => {
  const [script = '', ...others] = codeBlocks(page, 'sh')
  // test/auth runs that one.
  expect(others).toEqual([`npm run -s token -- --account ${demoIds.account} --tag member\n`])
  const { stdout } = await run('bash', ['-c', script.replace('http://127.0.0.1:4000', server.url)])
  const tokens = [...stdout.matchAll(/"access_token":"([^"]*)"/g)].map(([, token = '']) => decodeJwt(token))
  expect(tokens.map(({ role, account_id: account }) => [role, account])).toEqual([
    ['admin', undefined],
    ['shopper', undefined],
    ['shopper', demoIds.account],
  ])
})

test('the lines for a browser get products with prices, in the currency and language of their headers', async () => {
  const [lines = '', ...others] = codeBlocks(page, 'js')
  expect(others).toEqual([])
  const script = `const token = '${server.shopper}'\n${lines}\nconsole.log(JSON.stringify({ data, errors }))`
  const sent = script.replace('http://127.0.0.1:4000', server.url)
  const { data, errors } = JSON.parse((await run(process.execPath, ['--input-type=module', '-e', sent])).stdout)
  expect(errors).toBeUndefined()
  const { nodes } = data.storefront.latestRelease.products
  const shown = nodes.map(({ price }: { price: { amount: { formatted: string } } }) => price.amount.formatted)
  expect(shown.map((text: string) => text.replace('\u00a0', ' '))).toEqual(['25,00 €', '50,00 €', '65,00 €'])
})

test('the guide starts a server that browsers may call from another origin', () => {
  const [, name = '', value] = /^ {4}([A-Z_]+)=(\S+) npm start$/m.exec(page) ?? []
  expect(loadConfig({ [name]: value }, () => 'made').corsOrigins).toEqual(['http://localhost:5173'])
})
