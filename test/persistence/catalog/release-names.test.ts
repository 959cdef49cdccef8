/** Which indexes of names are kept: those of catalogs that are asked for, as far as there is room. */
import { expect, test } from 'vitest'
import type { Release } from '../../../src/domain/catalog/release.ts'
import { ReleaseNames } from '../../../src/persistence/catalog/release-names.ts'

const effort = { pause: () => undefined }

function releaseOf(catalogId: string, id: string, documents: readonly number[]): Release {
  return { id, catalogId, allProducts: { documents: Int32Array.from(documents) } } as unknown as Release
}

/** Names in room for `bytesMax`, and the numbers of documents that were read. */
function namesIn(bytesMax: number, clock = () => 0) {
  const read: number[] = []
  const texts = {
    async read(_: Release, _name: string, _text: string, [documents]: readonly unknown[]) {
      read.push(...(documents as number[]))
      const rows = (documents as number[]).map((id) => [id, '', `Kettle ${id}`, `k${id}`])
      return [{ key: 'true', value: null, body: JSON.stringify(rows) }]
    },
  }
  return { names: new ReleaseNames(texts as never, { bytesMax, clock }), read }
}

test('releases of a catalog share an index, for which only new documents are read', async () => {
  const { names, read } = namesIn(1_000_000)
  const first = await names.of(releaseOf('a', '1', [1, 2]), effort)
  expect(await names.of(releaseOf('a', '2', [2, 3]), effort)).toBe(first)
  expect(await names.of(releaseOf('a', '1', [1, 2]), effort)).toBe(first)
  expect(read).toEqual([1, 2, 3])
})

test('a catalog has no index while the index of another one needs the room and is used', async () => {
  let now = 0
  const { names, read } = namesIn(1_000, () => now)
  const [one, other] = [releaseOf('a', '1', [1]), releaseOf('b', '2', [2])]
  expect(await names.of(one, effort)).not.toBeNull()
  now = 599_999
  expect(await names.of(other, effort)).toBeNull()
  expect(await names.of(one, effort)).not.toBeNull()
  now += 599_999
  expect(await names.of(other, effort)).toBeNull()
  now += 1
  expect(await names.of(other, effort)).not.toBeNull()
  expect(await names.of(one, effort)).toBeNull()
  expect(read).toEqual([1, 2])
})
