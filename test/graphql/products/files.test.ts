/** Addresses of files, by the template of the configuration. */
import { expect, test } from 'vitest'
import { useDatabase } from '../../support/database.ts'
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
