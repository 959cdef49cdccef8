/**
 * Automatic persisted queries: Apollo Client and urql send hashes first, and go on with the text where the server wants
 * it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { Client, createRequest, fetchExchange, stringifyDocument } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import { parse, print } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Program, startProgram } from '../support/program.ts'
import { startCommand } from '../support/start-command.ts'
import { persistedLink } from './apollo/persisted.ts'
import { expectNoWarnings } from './support/console.ts'
import { server } from './support/server.ts'
import { persisted } from './urql/persisted.ts'

expectNoWarnings()

/** Where requests go, and with which token. */
interface Address {
  readonly url: string
  readonly token: string
}

/** What a request holds: its method, and `text`, `hash` or both. */
type Sent = string[]

const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-persisted-'))
// With __typename, as clients add it.
const stored = parse('query Stored { storefront { id name __typename } }')
const other = parse('query Other { storefront { id __typename } }')
let program: Program
/** A server on which one document is stored, as each client prints it. */
let keeper: Address

beforeAll(async () => {
  const texts = { apollo: print(stored), urql: stringifyDocument(createRequest(stored, {}).query) }
  writeFileSync(join(folder, 'documents.json'), JSON.stringify(texts))
  program = startProgram(startCommand(), {
    DATA_DIR: join(folder, 'data'),
    PERSISTED_DOCUMENTS: join(folder, 'documents.json'),
  })
  const printed = async (name: string) => (await program.says(new RegExp(`${name} +(\\S+)\\n`)))[1] ?? ''
  keeper = { url: await printed('Address'), token: await printed('Shopper token') }
})

afterAll(async () => {
  program.child.kill('SIGTERM')
  await program.exit
  rmSync(folder, { recursive: true })
})

/** The client's fetch, which notes what is sent. */
const noting =
  (sent: Sent): typeof fetch =>
  (input, init) => {
    const body = init?.body ? JSON.parse(String(init.body)) : Object.fromEntries(new URL(String(input)).searchParams)
    const hasHash = JSON.stringify(body.extensions ?? null).includes('sha256Hash')
    sent.push([init?.method, body.query && 'text', hasHash && 'hash'].filter(Boolean).join(' '))
    return fetch(input, init)
  }

type Ask = (document: typeof stored) => Promise<{ storefront?: { id: string } } | null | undefined>
type Open = (address: Address, sent: Sent) => Ask

const apollo =
  (linkOf: (link: HttpLink) => ApolloClient.Options['link']): Open =>
  ({ url, token }, sent) => {
    const link = linkOf(
      new HttpLink({ uri: `${url}/graphql`, headers: { Authorization: `Bearer ${token}` }, fetch: noting(sent) }),
    )
    const client = new ApolloClient({ link, cache: new InMemoryCache() })
    return async (query) =>
      (await client.query<{ storefront: { id: string } }>({ query, fetchPolicy: 'network-only' })).data
  }

const urql =
  (exchange: ReturnType<typeof persistedExchange>): Open =>
  ({ url, token }, sent) => {
    const fetchOptions = { headers: { Authorization: `Bearer ${token}` } }
    const client = new Client({
      url: `${url}/graphql`,
      exchanges: [exchange, fetchExchange],
      fetchOptions,
      fetch: noting(sent),
    })
    return async (query) => {
      const { data, error } = await client.query<{ storefront: { id: string } }>(
        query,
        {},
        { requestPolicy: 'network-only' },
      )
      expect(error).toBeUndefined()
      return data
    }
  }

const sha256 = async (text: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex')
const byPost = (link: HttpLink) => new PersistedQueryLink({ sha256 }).concat(link)

const clients: readonly [name: string, method: string, open: Open][] = [
  ['Apollo Client', 'GET', apollo(persistedLink)],
  ['Apollo Client', 'POST', apollo(byPost)],
  ['urql', 'GET', urql(persisted)],
  ['urql', 'POST', urql(persistedExchange({ preferGetForPersistedQueries: false }))],
]

describe.each(clients)('%s, which sends hashes by %s', (_, method, open) => {
  test('a client that sends hashes goes on with texts where no documents are stored', async () => {
    const sent: Sent = []
    const ask = open({ url: server.url, token: server.shopper }, sent)
    expect(await ask(stored)).toMatchObject({ storefront: { id: expect.any(String) } })
    expect(await ask(other)).toMatchObject({ storefront: { id: expect.any(String) } })
    // The first request is the only one with a hash.
    expect(sent.map((one) => one.replace(/^(GET|POST) /, ''))).toEqual(['hash', 'text', 'text'])
    expect(sent[0]).toBe(`${method} hash`)
  })

  test('a client that sends hashes runs a stored document by its hash, and sends the text of another one', async () => {
    const sent: Sent = []
    const ask = open(keeper, sent)
    expect(await ask(stored)).toMatchObject({ storefront: { name: expect.any(String) } })
    expect(sent).toEqual([`${method} hash`])
    expect(await ask(other)).toMatchObject({ storefront: { id: expect.any(String) } })
    expect(sent.slice(1).map((one) => one.replace(/^(GET|POST) /, ''))).toEqual(['hash', 'text hash'])
  })
})
