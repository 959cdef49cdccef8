import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Release } from '../../../src/domain/catalog/release.ts'
import { type CategoryTree, categoryProducts, readCategoryTree, toImport } from '../../support/category-tree.ts'
import { useDatabase } from '../../support/database.ts'
import { runImport } from '../../support/import.ts'
import { idOf } from '../../support/products.ts'
import { useServer } from '../../support/server.ts'
import { shopperReader } from '../../support/services.ts'
import { insertProducts } from '../../support/store.ts'

const samples = process.env.SAMPLE_DATA_DIR
const catalog = idOf(0xca)

describe.runIf(samples)('search.best-place-decides: a search among products of a real category tree [needs sample data]', () => {
  const database = useDatabase()
  const server = useServer(database)
  let tree: CategoryTree
  let release: Release

  beforeAll(async () => {
    tree = readCategoryTree(join(samples ?? '', 'categories.json.gz'))
    const products = categoryProducts(tree).map((product, at) => {
      const name = product.name.replace('Product of ', '')
      return { ...product, name, sku: `ITEM-${String(at).padStart(5, '0')}/${name.slice(0, 3).toUpperCase()}`, tags: [`shelf-${at % 50}`] }
    })
    await insertProducts(database, products)
    await runImport(server.services, [...toImport(tree, catalog)])
    release = (await server.services.releases.resolve(catalog, 'latest', shopperReader)) as Release
  }, 600_000)

  async function find(text: string): Promise<string[]> {
    const { releases } = server.services
    const scores = await releases.search(release, text, null, () => undefined)
    const position = (document: number) => release.allProducts.positionOf(document)
    const found = [...scores.documents].sort(
      (left, right) => scores.scoreOf(right) - scores.scoreOf(left) || position(left) - position(right),
    )
    return (await releases.documents.load(found)).map((one) => one?.product.name ?? '')
  }

  it.each([
    ['headphones', 49, ['Headphones']],
    ['headphone', 49, []],
    ['hedphones', 49, []],
    ['labtop', 45, ['All Laptops', 'Laptops']],
    ['refrigirator', 53, ['All Refrigerators', 'Refrigerators']],
    ['camera lens', 5, ['All Camera Lenses', 'Camera Lenses', 'Sony Camera Lenses', 'Cell Phone Camera Lenses']],
    ['camra lenses', 4, ['All Camera Lenses', 'Camera Lenses', 'Sony Camera Lenses', 'Cell Phone Camera Lenses']],
    ['washers & dryers', 11, ['Washers & Dryers', 'Washer Dryer Combos']],
    ['televison', 3, ['Television', 'Televisions', 'Televisions']],
    ['printer ink', 7, ['Printer Ink', 'Inkjet Printers']],
    ['battery', 37, ['PDA Batteries', 'Rechargeable Batteries']],
    ['coffee makers', 6, ['Coffee Makers', 'Cuisinart Coffee Makers']],
    ['item 00012', 1, ['DVD/VCR Combos']],
    ['ITEM-00012/DVD', 1, ['DVD/VCR Combos']],
    ['gaming chiar', 0, []],
  ])('%s finds %d products, these first: %j', async (text, count, first) => {
    const found = await find(text)
    expect(found).toHaveLength(count)
    expect(found.slice(0, first.length)).toEqual(first)
  })

  it('search.words-all-match: the parts of a tag are words', async () => {
    expect((await find('shelf-7 dvd')).length).toBeGreaterThan(0)
  })
})
