/** What is said of images: alt, width and height, authored and published, in languages, and between releases. */
import { expect, test } from 'vitest'
import { reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { mutate } from '../../support/mutations.ts'
import { idOf } from '../../support/products.ts'
import { publish, publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const file = 'key alt width height locales { language alt }'
const fields = `files { ${file} } mainImage { ${file} }`

const published = (language?: string) =>
  server
    .gql(
      `{ catalog(id: "${ids.catalog}") { latestRelease { product(by: { id: "${ids.machine}" }) { ${fields} } } } }`,
      {},
      { headers: language === undefined ? {} : { 'accept-language': language } },
    )
    .then(({ data, errors }) => {
      expect(errors).toBeUndefined()
      return data.catalog.latestRelease.product
    })

test.each([
  [undefined, 'Steel'],
  ['fr', 'Steel'],
  ['de-CH', 'Stahl'],
  ['fr, de-CH;q=0.5', 'Stahl'],
])('file.alt-in-language: with Accept-Language %s a published image has the alt %s', async (language, alt) => {
  await reset(database)
  await publishStore(server, fullStore())
  server.now = START
  const locales = [{ language: 'de-CH', alt: 'Stahl' }]
  expect(await published(language)).toEqual({
    files: [{ key: idOf(0xf1), alt, width: 1600, height: 900, locales }],
    mainImage: { key: idOf(0xf2), alt: null, width: null, height: null, locales: [] },
  })
})

test('file.main-image-is-among-the-files: a main image among the files has what they say of it, authored and published, and both fields differ between releases', async () => {
  await reset(database)
  const before = (await publishStore(server, fullStore())).get(ids.catalog)
  server.now = START
  const input = { id: ids.machine, mainImageId: idOf(0xf1), files: [{ key: idOf(0xf1), alt: 'Iron', width: null }] }
  const { product } = await mutate(server, 'updateProduct', input, `product { ${fields} }`)
  const said = {
    ...{ key: idOf(0xf1), alt: 'Iron', width: null, height: 900 },
    locales: [{ language: 'de-CH', alt: 'Stahl' }],
  }
  expect(product).toEqual({ files: [said], mainImage: said })
  expect((await published()).mainImage).toMatchObject({ key: idOf(0xf2), alt: null })
  const after = await publish(server, ids.catalog)
  expect(await published()).toEqual({ files: [said], mainImage: said })
  const { data, errors } = await server.gql(
    `{ release(id: "${after.id}") { changesSince(releaseId: "${before?.id}", first: 10) { nodes { fields after { key } } } } }`,
  )
  expect(errors).toBeUndefined()
  expect(data.release.changesSince.nodes).toEqual([
    { fields: ['files', 'mainImage', 'updatedAt'], after: { key: ids.machine } },
  ])
})

test('file.alt-in-language: alt takes languages as an argument, which comes before Accept-Language', async () => {
  await reset(database)
  await publishStore(server, fullStore())
  const { data } = await server.gql(
    `{ product(id: "${ids.machine}") { files { alt(locale: "de-CH") other: alt(locale: "en") } } }`,
    {},
    { headers: { 'accept-language': 'de-CH' } },
  )
  expect(data.product.files).toEqual([{ alt: 'Stahl', other: 'Steel' }])
})
