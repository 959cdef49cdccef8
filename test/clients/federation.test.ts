/** Federation: the schema composes by both composers, and a started gateway joins it with another subgraph. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { composeServices as composeByApollo } from '@apollo/composition'
import { composeServices as composeByGuild } from '@theguild/federation-composition'
import { buildSchema, parse } from 'graphql'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { blogSdl, MONEY_REST } from '../support/blog-subgraph.ts'
import { startProgram } from '../support/program.ts'
import { reviewsSdl, startReviews } from './support/reviews.ts'
import { send, server } from './support/server.ts'

let commerceSdl: string
beforeAll(async () => {
  commerceSdl = (await send<{ _service: { sdl: string } }>('{ _service { sdl } }'))._service.sdl
})

interface Subgraph {
  readonly name: string
  readonly sdl: string
  readonly url?: string
}

/** The SDL of the supergraph, or the messages of what is wrong. */
type Compose = (subgraphs: readonly Subgraph[]) => { supergraph: string | undefined; errors: string[] }

const composers: readonly [name: string, compose: Compose][] = [
  ['Apollo', composeByApollo],
  ['The Guild', composeByGuild],
].map(([name, compose]) => [
  name as string,
  (subgraphs) => {
    const services = subgraphs.map(({ sdl, ...service }) => ({
      url: `http://${service.name}.example`,
      ...service,
      typeDefs: parse(sdl),
    }))
    const { supergraphSdl, errors = [] } = (compose as typeof composeByGuild)(services)
    return { supergraph: supergraphSdl, errors: errors.map(({ message }) => message) }
  },
])

const commerce = (): Subgraph => ({ name: 'commerce', sdl: commerceSdl, url: `${server.url}/graphql` })

const blog = (money: string): Subgraph => ({ name: 'blog', sdl: blogSdl(money) })

const amount = 'amount: Long!'

describe.each(composers)('graph.federation-without-clashes: by the composer of %s', (_, compose) => {
  test('the schema composes alone, and the supergraph keeps its inputs with exactly one member', () => {
    const { supergraph = '', errors } = compose([commerce()])
    expect(errors).toEqual([])
    expect(() => buildSchema(supergraph, { assumeValidSDL: true })).not.toThrow()
    expect(supergraph).toMatch(/^input CatalogProductKey\b/m)
  })

  test('the schema composes beside a subgraph that refers to its entities', () => {
    const { supergraph, errors } = compose([commerce(), { name: 'reviews', sdl: reviewsSdl }])
    expect(errors).toEqual([])
    expect(supergraph).toContain('@join__type(graph: REVIEWS, key: "catalog { id } key")')
  })

  test('the schema composes beside a subgraph with its own node, connections and subscriptions, and a shareable Money like ours', () => {
    const { supergraph, errors } = compose([commerce(), blog(`type Money @shareable { ${amount} ${MONEY_REST} }`)])
    expect(errors).toEqual([])
    expect(supergraph).toMatch(/node\(id: ID!\): Node @join__field\(graph: BLOG\)/)
  })

  test.each([
    ['that is not shareable', `type Money { ${amount} ${MONEY_REST} }`, 'Non-shareable field "Money.amount"'],
    [
      'with another type',
      `type Money @shareable { amount: Int! ${MONEY_REST} }`,
      'Type of field "Money.amount" is incompatible',
    ],
    ['with a field less', `type Money @shareable { ${MONEY_REST} }`, 'cannot be satisfied by the subgraphs'],
    [
      'with a field more',
      `type Money @shareable { ${amount} ${MONEY_REST} cents: Int! }`,
      'cannot be satisfied by the subgraphs',
    ],
  ])('a Money %s is refused', (_, money, message) => {
    const { errors } = compose([commerce(), blog(money)])
    expect(errors.join('\n')).toContain(message)
  })
})

/** A free port, for a program that takes no port 0. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** Starts the gateway of clients.md with a supergraph, until the test ends; returns its URL. */
async function startGateway(supergraph: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-gateway-'))
  const file = join(folder, 'supergraph.graphql')
  writeFileSync(file, supergraph)
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const options = [
    '--config-path',
    at('federation/gateway.config.ts'),
    '--host',
    '127.0.0.1',
    '--port',
    String(await freePort()),
  ]
  const program = startProgram([at('node_modules/.bin/hive-gateway'), 'supergraph', file, ...options], {
    NO_COLOR: '1',
  })
  onTestFinished(async () => {
    program.child.kill('SIGTERM')
    await program.exit
    rmSync(folder, { recursive: true })
  })
  return `${(await program.says(/Listening on (http:\S+)/))[1]}/graphql`
}

interface Reviewed {
  readonly offerings: {
    readonly nodes: { readonly plans: { readonly nodes: { readonly id: string; readonly name: string }[] } }[]
  }
  readonly storefront: {
    readonly id: string
    readonly latestRelease: { readonly product: { readonly key: string; readonly name: string } }
  }
}

test.each(composers)(
  'graph.federation-keys: a started gateway joins entities in both directions, composed by %s',
  async (_, compose) => {
    const { offerings, storefront } = await send<Reviewed>(
      '{ offerings(first: 1) { nodes { plans(first: 1) { nodes { id name } } } } storefront { id latestRelease { product(by: { sku: "ETH-YIRG" }) { key name } } } }',
    )
    const plan = offerings.nodes[0]?.plans.nodes[0] ?? { id: '', name: '' }
    const { key, name } = storefront.latestRelease.product
    const reviews = await startReviews([
      { id: '1', stars: 5, plan: { id: plan.id }, product: { catalog: { id: storefront.id }, key } },
    ])
    onTestFinished(reviews.stop)
    const { supergraph = '', errors } = compose([commerce(), { name: 'reviews', sdl: reviewsSdl, url: reviews.url }])
    expect(errors).toEqual([])
    const url = await startGateway(supergraph)
    const query = `{
    reviews { stars plan { name } product { name price { amount { currency } } } }
    storefront { latestRelease { product(by: { sku: "ETH-YIRG" }) { reviews { stars plan { name } } } } }
  }`
    const ask = async (headers: Readonly<Record<string, string>>) => {
      const options = {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ query }),
      }
      return (await (await fetch(url, options)).json()) as {
        data?: unknown
        errors?: { extensions: { code: string } }[]
      }
    }
    expect(await ask({ authorization: `Bearer ${server.shopper}`, 'x-moltin-currency': 'GBP' })).toEqual({
      data: {
        reviews: [{ stars: 5, plan: { name: plan.name }, product: { name, price: { amount: { currency: 'GBP' } } } }],
        storefront: { latestRelease: { product: { reviews: [{ stars: 5, plan: { name: plan.name } }] } } },
      },
    })
    const refused = await ask({})
    expect(refused.errors?.map(({ extensions }) => extensions.code)).toContain('UNAUTHENTICATED')
  },
)
