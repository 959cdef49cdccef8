/** Addresses of files: by the template of the configuration, and those of the demo. */
import { expect, test } from 'vitest'
import { loadDemo } from '../../../src/demo/demo-store.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { idOf } from '../../support/products.ts'
import { publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { config: { filesUrl: 'https://cdn.example/{id}/large?of={id}' } })

test('the files and the main image of a product have the URL that FILES_URL makes of their id', async () => {
  await publishStore(server, fullStore())
  server.now = START
  const fields = 'files { key url createdAt } mainImage { key url }'
  const query = `{ catalog(id: "${ids.catalog}") { latestRelease { product(by: { id: "${ids.machine}" }) { ${fields} } beans: product(by: { id: "${ids.beans}" }) { ${fields} } } } product(id: "${ids.machine}") { ${fields} } }`
  const { data, errors } = await server.gql(query)
  expect(errors).toBeUndefined()
  const url = (id: string) => `https://cdn.example/${id}/large?of=${id}`
  const whole = {
    files: [{ key: idOf(0xf1), url: url(idOf(0xf1)), createdAt: '2025-12-01T10:00:00.000Z' }],
    mainImage: { key: idOf(0xf2), url: url(idOf(0xf2)) },
  }
  expect(data.catalog.latestRelease).toEqual({ product: whole, beans: { files: [], mainImage: null } })
  expect(data.product).toEqual(whole)
})

const demo = useServer(database)
const production = useServer(database, { config: { production: true } })

test('demo.files-of-its-own: each product of the demo has its main image among its files, and each file answers as an SVG that runs nothing', async () => {
  await reset(database)
  await loadDemo(demo.services)
  const query = '{ products(first: 100) { nodes { name mainImage { key url } files { key url } } } }'
  const { data, errors } = await demo.gql(query)
  expect(errors).toBeUndefined()
  expect(data.products.nodes).toHaveLength(60)
  interface Pictured {
    readonly mainImage: { readonly key: string; readonly url: string }
    readonly files: readonly { readonly key: string; readonly url: string }[]
  }
  for (const { mainImage, files } of data.products.nodes as Pictured[]) expect(files).toContainEqual(mainImage)
  const nodes = data.products.nodes as Pictured[]
  const urls = new Set(nodes.flatMap(({ files }) => files.map(({ url }) => url)))
  expect(urls.size).toBe(74)
  for (const url of urls) {
    expect(url).toMatch(/^\/files\/[0-9a-f]{16}\/c0ffee00-000e-[0-9a-f-]+\.svg$/)
    const { status, headers, text } = await demo.rest('GET', url, { token: null })
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(text).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[^>]*>.*<\/svg>$/)
    expect(text).not.toMatch(/<script|<style|\son\w+=|href/)
    expect(text.length).toBeLessThan(4_000)
  }
})

test('demo.files-of-its-own: with FILES_URL the demo has the files of that place, in production without it none', async () => {
  const [{ key, url }] = (
    await demo.gql('{ products(first: 1) { nodes { mainImage { key url } } } }')
  ).data.products.nodes.map(({ mainImage }: { mainImage: { key: string; url: string } }) => mainImage)
  const query = '{ products(first: 1) { nodes { mainImage { url } } } }'
  expect((await server.gql(query)).data.products.nodes[0].mainImage.url).toBe(
    `https://cdn.example/${key}/large?of=${key}`,
  )
  expect((await production.gql(query)).data.products.nodes[0].mainImage.url).toBeNull()
  for (const other of [server, production]) expect((await other.rest('GET', url)).status).toBe(404)
  expect((await demo.rest('GET', url.replace('.svg', '.png'), { token: null })).status).toBe(404)
  expect((await demo.rest('POST', url, { token: null })).status).toBe(405)
})
