/** Imports of Shopify's product CSV: what the mapping promises is read back through the graph. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../../src/config/project-root.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { useServer } from '../../support/server.ts'
import { importSystem, type SystemRun } from '../../support/systems.ts'

const database = useDatabase()
const server = useServer(database)
const products = join(projectRoot, 'test/import/systems/shopify/products.csv')
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-shopify-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => reset(database))

const options = ['--book', 'Shop', '--currency', 'EUR', '--includes-tax', 'true']
const take = (...line: string[]): Promise<SystemRun> =>
  importSystem(server.services, '--from', 'shopify-csv', ...options, ...line)
const entries = async () => (await database.pool.query('SELECT count(*)::int AS n FROM change')).rows[0].n

/** Imports rows, each a text with commas, and returns what is reported without the folder. */
async function takeRows(rows: readonly string[], ...line: string[]): Promise<SystemRun> {
  const file = join(folder, 'rows.csv')
  writeFileSync(file, rows.join('\n'))
  const run = await take(...line, file)
  return { ...run, reported: run.reported.map((text) => text.replaceAll(`${folder}/`, '')) }
}

/** Publishes all in a catalog of the hierarchy of categories, and returns its products by SKU or slug. */
async function published(): Promise<Record<string, Record<string, unknown>>> {
  const { data: found } = await server.gql(
    '{ hierarchies(first: 2) { nodes { id name } } priceBooks(first: 2) { nodes { id name } } }',
  )
  expect([found.hierarchies.nodes, found.priceBooks.nodes]).toMatchObject([
    [{ name: 'Categories' }],
    [{ name: 'Shop' }],
  ])
  const { data: made } = await server.gql(
    `mutation { createCatalog(input: { name: "Web", hierarchyIds: ["${found.hierarchies.nodes[0].id}"],
      priceBooks: [{ id: "${found.priceBooks.nodes[0].id}", priority: 1 }] }) { catalog { id } userErrors { message } } }`,
  )
  const { id } = made.createCatalog.catalog
  await server.gql(`mutation { publishRelease(input: { catalogId: "${id}" }) { userErrors { message } } }`)
  const { data } = await server.gql(`{ catalog(id: "${id}") { latestRelease { products(first: 20) { nodes {
    sku name slug externalRef description status commodityType upcEan manufacturerPartNum tags seoTitle seoDescription
    mainImage { key alt } files { key alt }
    extensions { template fields { key value } }
    price(currency: "EUR") { amount { amount } list { amount { amount } } sale { name } includesTax }
    breadCrumbs { node { name } ancestors { name } }
    variations { name options { name } } selectedOptions { variation { name } option { name } } } } } } }`)
  const { nodes } = data.catalog.latestRelease.products
  return Object.fromEntries(nodes.map((one: Record<string, unknown>) => [one.sku ?? one.slug, one]))
}

interface Extension {
  readonly template: string
  readonly fields: readonly { readonly key: string; readonly value: unknown }[]
}

const crumbs = (...names: string[]) => [
  { node: { name: names.at(-1) }, ancestors: names.slice(0, -1).map((name) => ({ name })) },
]
const price = (amount: number, list = amount) => ({
  amount: { amount },
  list: { amount: { amount: list } },
  sale: list > amount ? { name: 'Reduced' } : null,
  includesTax: true,
})
const address = (name: string) => `https://cdn.shopify.com/s/files/1/0001/2345/products/${name}.jpg?v=1`

describe('import.from-shopify: an export of Shopify', () => {
  it('import.systems-count-what-is-left: all that corresponds to something is taken, and the rest is counted by column', async () => {
    expect(await take(products)).toEqual({
      allTaken: true,
      counts: {
        pricebook: [1, 0, 0, 0],
        product: [6, 0, 0, 0],
        'product-price': [5, 0, 0, 0],
        hierarchy: [1, 0, 0, 0],
        node: [5, 0, 0, 0],
      },
      reported: [],
      ignored: undefined,
      leftOut: {
        'column Variant Inventory Tracker': 4,
        'column Variant Inventory Qty': 4,
        'column Variant Inventory Policy': 5,
        'column Variant Fulfillment Service': 5,
        'column Variant Taxable': 5,
        'column Variant Weight Unit': 5,
        'column Google Shopping / Condition': 1,
        'column Cost per item': 3,
        'column Included / United States': 1,
        'column Price / United States': 1,
        'Variant SKU that is empty, so that one is made of the handle': 1,
        'Compare-at price that is not above the price': 1,
      },
    })
  })

  it('import.from-shopify: the graph shows products, variants, options, images, prices and categories as they were there', async () => {
    await take(products)
    const shown = await published()
    // The archived mug is a draft.
    expect(Object.keys(shown).sort()).toEqual([
      'GIFT-25',
      'SHIRT-M-W',
      'SHIRT-S-W',
      'linen-shirt',
      'linen-shirt-M-Blue',
    ])
    const inShirts = crumbs('Categories', 'Apparel & Accessories', 'Clothing', 'Shirts & Tops')
    const shared = { vendor: 'Loom', product_type: 'Shirts' }
    const category = 'Apparel & Accessories > Clothing > Shirts & Tops'
    expect(shown['linen-shirt']).toMatchObject({
      sku: null,
      name: 'Linen shirt',
      externalRef: 'linen-shirt',
      description: '<p>Cool,\nand light.</p>',
      commodityType: 'PHYSICAL',
      manufacturerPartNum: 'LS-1',
      tags: ['summer', 'linen'],
      seoTitle: 'Linen shirts',
      seoDescription: 'Light shirts for hot days.',
      files: [{ alt: 'A white shirt' }, { alt: null }, { alt: 'A seam' }],
      breadCrumbs: inShirts,
      variations: [
        { name: 'Size', options: [{ name: 'S' }, { name: 'M' }] },
        { name: 'Colour', options: [{ name: 'White' }, { name: 'Blue' }] },
      ],
    })
    const extensionsOf = (sku: string) =>
      Object.fromEntries(
        (shown[sku]?.extensions as Extension[] | undefined)?.map(({ template, fields }) => [
          template,
          Object.fromEntries(fields.map(({ key, value }) => [key, value])),
        ]) ?? [],
      )
    expect(extensionsOf('linen-shirt')).toEqual({
      shopify: {
        ...shared,
        product_category: category,
        images: [address('shirt-front'), address('shirt-back'), address('shirt-detail')],
      },
      'metafields.custom': { material: 'Linen' },
    })
    const [front] = (shown['linen-shirt']?.files ?? []) as { key: string }[]
    expect(shown['linen-shirt']?.mainImage).toEqual({ key: front?.key, alt: 'A white shirt' })
    expect(shown['SHIRT-S-W']).toMatchObject({
      name: 'Linen shirt, S / White',
      upcEan: '4006381333931',
      tags: ['summer', 'linen'],
      mainImage: { key: front?.key, alt: 'A white shirt' },
      price: price(4990, 5990),
      selectedOptions: [
        { variation: { name: 'Size' }, option: { name: 'S' } },
        { variation: { name: 'Colour' }, option: { name: 'White' } },
      ],
    })
    expect(extensionsOf('SHIRT-S-W')).toEqual({
      shopify: { ...shared, product_category: category, grams: 250, images: [address('shirt-front')] },
      'metafields.custom': { care: '30 °C' },
    })
    expect(shown['SHIRT-M-W']?.price).toEqual(price(5990))
    expect(shown['linen-shirt-M-Blue']).toMatchObject({
      name: 'Linen shirt, M / Blue',
      price: price(5990),
      mainImage: null,
    })
    expect(shown['GIFT-25']).toMatchObject({
      name: 'Gift card',
      slug: 'gift-card',
      commodityType: 'DIGITAL',
      price: price(2500),
      variations: [],
      breadCrumbs: crumbs('Categories', 'Other'),
    })
  })

  it('import.repeat-changes-nothing: a second import of the file writes nothing, also under the newer names of its columns', async () => {
    await take(products)
    const before = await entries()
    const newer: Readonly<Record<string, string>> = {
      Handle: 'URL handle',
      'Body (HTML)': 'Description',
      'Product Category': 'Product category',
      Published: 'Published on online store',
      'Option1 Name': 'Option1 name',
      'Option1 Value': 'Option1 value',
      'Option2 Name': 'Option2 name',
      'Option2 Value': 'Option2 value',
      'Variant SKU': 'SKU',
      'Variant Grams': 'Weight value (grams)',
      'Variant Price': 'Price',
      'Variant Compare At Price': 'Compare-at price',
      'Variant Requires Shipping': 'Requires shipping',
      'Variant Barcode': 'Barcode',
      'Image Src': 'Product image URL',
      'Image Position': 'Image position',
      'Image Alt Text': 'Image alt text',
      'Variant Image': 'Variant image URL',
      'Gift Card': 'Gift card',
      'SEO Title': 'SEO title',
      'SEO Description': 'SEO description',
      'Google Shopping / MPN': 'Google Shopping / Manufacturer part number (MPN)',
    }
    const text = readFileSync(products, 'utf8')
    const [header = ''] = text.split('\r\n', 1)
    const renamed = header
      .split(',')
      .map((name) => newer[name] ?? name)
      .join(',')
    const file = join(folder, 'newer.csv')
    writeFileSync(file, `${renamed}${text.slice(header.length)}`)
    const unchanged = {
      pricebook: [0, 0, 1, 0],
      product: [0, 0, 6, 0],
      'product-price': [0, 0, 5, 0],
      hierarchy: [0, 0, 1, 0],
      node: [0, 0, 5, 0],
    }
    for (const of of [products, file]) expect((await take(of)).counts).toEqual(unchanged)
    expect(await entries()).toBe(before)
  })

  it('import.systems-say-all: a price that is no longer reduced loses its sale', async () => {
    const header = 'Handle,Title,Variant SKU,Variant Price,Variant Compare At Price,SEO Title'
    await takeRows([header, 'mug,Mug,MUG,8.00,10.00,'])
    await takeRows([header, 'mug,Mug,MUG,10.00,,'])
    expect((await published()).MUG?.price).toEqual(price(1000))
  })

  it('import.systems-say-all: a parent whose variant was deleted there is refused by the name of its child, until that is deleted here', async () => {
    const header = 'Handle,Title,Option1 Name,Option1 Value,SKU,Price'
    const [small, large] = ['a,A,Size,S,A-S,1', 'a,,,L,A-L,2']
    await takeRows([header, small, 'a,,,M,A-M,2'])
    const { id } = (await database.pool.query(`SELECT id FROM product WHERE sku = 'A-M'`)).rows[0]
    const inUse = `rows.csv row 2: variations must keep one option of each variation for every child, which it would not for "A, M" (${id}) (IN_USE)`
    expect((await takeRows([header, small])).reported).toEqual([inUse])
    expect((await takeRows([header, 'a,A,Title,Default Title,A-S,1'])).reported).toEqual([
      expect.stringContaining('"A, M"'),
    ])
    await server.gql(`mutation { deleteProduct(input: { id: "${id}" }) { userErrors { message } } }`)
    const { reported, counts } = await takeRows([header, small, large])
    expect([reported, counts.product]).toEqual([[], [1, 1, 1, 0]])
  })

  it('import.from-shopify: files of one export are taken together, and prices go to a book that is there already', async () => {
    await server.gql('mutation { createPriceBook(input: { name: "Shop" }) { userErrors { message } } }')
    const [one, two] = [join(folder, 'one.csv'), join(folder, 'two.csv')]
    writeFileSync(one, 'Handle,Title,Product Category,SKU,Price\na,A,Home,A,1\n')
    writeFileSync(two, 'Handle,Title,Product Category,SKU,Price\nb,B,Home,B,2.5\n')
    expect((await take(one, two)).counts).toEqual({
      pricebook: [0, 0, 1, 0],
      product: [2, 0, 0, 0],
      'product-price': [2, 0, 0, 0],
      hierarchy: [1, 0, 0, 0],
      node: [1, 0, 0, 0],
    })
    const shown = await published()
    expect([shown.A?.breadCrumbs, shown.B?.breadCrumbs, shown.B?.price]).toEqual([
      crumbs('Categories', 'Home'),
      crumbs('Categories', 'Home'),
      price(250),
    ])
  })

  it.each([
    ['active', 'TRUE', 'live'],
    ['active', '', 'live'],
    ['', 'true', 'live'],
    ['active', 'FALSE', 'draft'],
    ['draft', 'TRUE', 'draft'],
    ['archived', 'TRUE', 'draft'],
    ['Unlisted', 'TRUE', 'draft'],
  ])('import.from-shopify: Status "%s" and Published "%s" make a product %s', async (status, isPublished, made) => {
    await takeRows(['Handle,Title,Status,Published', `mug,Mug,${status},${isPublished}`])
    expect((await database.pool.query('SELECT status FROM product')).rows).toEqual([{ status: made }])
  })

  it('import.from-shopify: yen with decimals of zero are taken, and nothing is rounded', async () => {
    const rows = ['Handle,Title,SKU,Price', 'a,A,A,1000.00', 'b,B,B,1000.50', 'c,C,C,"1,000"']
    const { counts, reported } = await takeRows(rows, '--currency', 'JPY')
    expect([counts['product-price'], reported]).toEqual([
      [1, 0, 0, 0],
      [
        'rows.csv D3: Price has 1 decimal, and JPY has 0',
        'rows.csv D4: Price must be an amount such as 12, without signs, spaces and exponents',
      ],
    ])
    expect((await database.pool.query('SELECT sku, currencies FROM product_price')).rows).toEqual([
      { sku: 'A', currencies: { JPY: { amount: 1000, includes_tax: true } } },
    ])
  })
})

describe('import.systems-name-the-place: what is wrong with an export of Shopify', () => {
  it.each([
    [
      'unknown columns are refused by name',
      ['Handle,Title,Colour,Shelf', 'a,A,red,4'],
      [
        "rows.csv C1: column Colour is unknown in Shopify's products; --ignore-unknown leaves it out",
        "rows.csv D1: column Shelf is unknown in Shopify's products; --ignore-unknown leaves it out",
      ],
    ],
    [
      'a file without its key, or with a column twice',
      ['Title,Variant SKU,SKU', 'A,B,C'],
      [
        'rows.csv C1: column SKU says what Variant SKU says: only one may be given',
        'rows.csv row 1: has no column Handle or URL handle',
      ],
    ],
    ['a quote that is not closed', ['Handle,Title', 'a,A', 'b,"B'], ['rows.csv B3: opens a quote that is not closed']],
    [
      'rows of a product that do not stand together, and rows without a handle',
      ['Handle,Title', 'a,A', 'b,B', 'a,', ',C'],
      [
        'rows.csv A4: Handle is that of rows.csv row 2: the rows of a product must stand together',
        'rows.csv A5: Handle must be given: by it the rows of a product are found',
      ],
    ],
    [
      'a variant with options or a SKU of another',
      [
        'Handle,Title,Option1 Name,Option1 Value,SKU',
        'a,A,Size,S,1',
        'a,,,S,2',
        'a,,,M,1',
        'b,B,Title,Default Title,1',
      ],
      [
        'rows.csv row 3: has the same options as rows.csv row 2',
        'rows.csv E4: SKU is 1, as that of rows.csv row 2: SKUs differ here',
        'rows.csv E5: SKU is 1, as that of rows.csv row 2: SKUs differ here',
      ],
    ],
    [
      'words and flags that Shopify does not have, and codes that a spreadsheet spoilt',
      ['Handle,Title,Status,Published,SKU', 'a,A,live,,A', 'b,B,,yes,B', 'c,C,,,4.00638E+12'],
      [
        'rows.csv C2: Status must be active, draft, archived or unlisted, and is live',
        'rows.csv D3: Published must be true or false, and is yes',
        "rows.csv E4: SKU is a number that a spreadsheet made of a code: write the code, or a ' before the text",
      ],
    ],
    [
      'variants without options, and one that lacks a value',
      ['Handle,Title,Option1 Name,Option1 Value,SKU', 'a,A,,,1', 'a,,,,2', 'b,B,Size,S,3', 'b,,,,4'],
      [
        'rows.csv row 2: has several variants, and no Option1 Name by which they differ',
        'rows.csv D5: Option1 Value must be given: it is the value of the option Size',
      ],
    ],
    [
      'a parent with a spoilt code, and a weight in words',
      [
        'Handle,Title,Option1 Name,Option1 Value,SKU,Google Shopping / MPN,Variant Grams',
        'a,A,Size,S,1,1.2E+11,',
        'b,B,Size,S,2,,heavy',
        'b,,,M,3,,10',
      ],
      [
        "rows.csv F2: Google Shopping / MPN is a number that a spreadsheet made of a code: write the code, or a ' before the text",
        'rows.csv G3: Variant Grams must be a number such as 250, and is heavy',
      ],
    ],
    [
      'what the import itself refuses, at the cell that it is made of',
      [
        'SKU,Handle,Title,Product Category,Price,Odd (product.metafields.custom.odd)',
        'A,a,A,,,',
        'B,b,,,,',
        `${'s'.repeat(1025)},c,C,,1,`,
        `D,d,D,${'x'.repeat(1025)},,`,
        'E,e,E,,,odd\u0000',
      ],
      [
        'rows.csv C3: Title must be 1 to 1024 characters (TOO_SHORT)',
        'rows.csv A4: SKU must be 1 to 1024 characters (TOO_LONG)',
        'rows.csv A4: SKU must be 1 to 1024 characters (TOO_LONG)',
        'rows.csv F6: Odd (product.metafields.custom.odd) must not hold U+0000 or a lone surrogate (INVALID_TEXT)',
        'rows.csv D5: Product Category must be 1 to 1024 characters (TOO_LONG)',
      ],
    ],
    [
      'what is wrong of a parent or of its variants, at the first row or at theirs',
      [
        'Handle,Title,Option1 Name,Option1 Value,SKU,Barcode,Tags',
        `a,A,${'o'.repeat(1025)},S,A-S,,`,
        `b,B,Size,S,B-S,,"${'t'.repeat(300)}"`,
        'b,,,M,B-M,,',
        `c,C,Size,S,C-S,,`,
        `c,,,${'v'.repeat(1025)},C-M,${'1'.repeat(1100)},`,
      ],
      [
        'rows.csv C2: Option1 Name must be 1 to 1024 characters (TOO_LONG)',
        'rows.csv row 2: parent.data no such product (NOT_FOUND)',
        ...Array(3).fill('rows.csv G3: Tags must be 1 to 255 characters (TOO_LONG)'),
        'rows.csv D6: Option1 Value must be 1 to 1024 characters (TOO_LONG)',
        'rows.csv row 5: parent.data no such product (NOT_FOUND)',
        'rows.csv B5: Title must be 1 to 1024 characters (TOO_LONG)',
        'rows.csv F6: Barcode must be at most 1024 characters (TOO_LONG)',
      ],
    ],
  ])('import.systems-name-the-place: %s', async (_, rows, problems) => {
    const { allTaken, reported } = await takeRows(rows)
    const ofNodes = / row \d+: products\.data\.\d+ names product .*: the node is taken without it \(NOT_FOUND\)$/
    expect([allTaken, reported.filter((problem) => !ofNodes.test(problem))]).toEqual([false, problems])
  })

  it('import.systems-count-what-is-left: values of options without a name, and more tags and images than a product may have', async () => {
    const tags = Array.from({ length: 102 }, (_, index) => `t${index}`).join(' , ')
    const rows = Array.from(
      { length: 103 },
      (_, index) => `mug,${index === 0 ? `Mug,"${tags}",,Red,M` : ',,,,'},https://a/${index % 102},`,
    )
    const { allTaken, leftOut } = await takeRows(
      ['Handle,Title,Tags,Option1 Name,Option1 Value,SKU,Image Src,Shelf', ...rows],
      '--ignore-unknown',
    )
    expect([allTaken, leftOut]).toEqual([
      true,
      {
        'value of an option without a name': 1,
        'images of a product beyond 100': 2,
        'tags of a product beyond 100': 2,
      },
    ])
    const [stored] = (await database.pool.query('SELECT tags, files, extensions FROM product')).rows
    expect([stored.tags.at(-1), stored.files.length, stored.extensions.shopify.images.slice(-1)]).toEqual([
      't99',
      100,
      ['https://a/99'],
    ])
  })

  it('import.refused-products-left-out, import.systems-name-the-place: the node of a refused product is taken without it, and stands whole in the file of refused objects', async () => {
    const header = 'Handle,Title,Product Category,SKU,Option1 Name,Option1 Value'
    const rows = ['a,A,Home,A,,', 'c,C,Home,A,,', 'd,D,Home,D,Size,', 'd,,,E,,M', 'e,,Home,F,,', 'b,B,Home,B,,']
    const refused = join(folder, 'refused.jsonl')
    const { counts, reported } = await takeRows([header, ...rows], '--refused', refused)
    const without = (at: number, place: number) =>
      `rows.csv row 2: products.data.${at} names product ID, which was refused (rows.csv row ${place}): the node is taken without it (NOT_FOUND)`
    expect([counts.node, reported.map((line) => line.replace(/[\da-f-]{36}/, 'ID'))]).toEqual([
      [1, 0, 0, 0],
      [
        'rows.csv D3: SKU is A, as that of rows.csv row 2: SKUs differ here',
        'rows.csv F4: Option1 Value must be given: it is the value of the option Size',
        'rows.csv B6: Title must be 1 to 1024 characters (TOO_SHORT)',
        ...[without(1, 3), without(2, 4), without(3, 6)],
      ],
    ])
    expect((await published()).B?.breadCrumbs).toEqual(crumbs('Categories', 'Home'))
    const node = readFileSync(refused, 'utf8').trim().split('\n').at(-1) ?? ''
    expect(JSON.parse(node).data.relationships.products.data).toHaveLength(5)
    const corrected = rows.map((row) =>
      row.replace('c,C,Home,A', 'c,C,Home,C').replace('D,Size,', 'D,Size,S').replace('e,,', 'e,E,'),
    )
    expect((await takeRows([header, ...corrected])).counts.node).toEqual([0, 1, 0, 0])
  })

  it('import.systems-name-the-place, import.dry-run-equals-run, import.resumes-where-it-was, import.refused-file: rows count as a spreadsheet shows them, whatever line breaks cells have, in a dry run, an import that stops and one that goes on', async () => {
    const rows = [
      'Handle,Title,Body (HTML),Status,SKU,Price,Barcode',
      'a,A,"<p>One\n\ntwo ""three""\r\nfour</p>",active,A,1,',
      'b,B,"x\ny",active,B,1.005,',
      'c,C,"p\n\nq",active,C,2,4.00638E+12',
      'd,D,,sold,D,3,',
      'e,E,"last\nline",active,E,4,',
    ]
    const wrong = [
      'rows.csv F3: Price has 3 decimals, and EUR has 2',
      "rows.csv G4: Barcode is a number that a spreadsheet made of a code: write the code, or a ' before the text",
      'rows.csv D5: Status must be active, draft, archived or unlisted, and is sold',
    ]
    const dry = await takeRows(rows, '--dry-run')
    expect([dry.reported.slice(0, 3), await entries()]).toEqual([wrong, 0])
    const refused = join(folder, 'refused.jsonl')
    expect((await takeRows(rows, '--on-error', 'stop', '--refused', refused)).reported).toEqual(wrong.slice(0, 1))
    const resumed = await takeRows(rows, '--resume', '--refused', refused)
    expect([resumed.counts, resumed.reported.slice(1)]).toEqual([dry.counts, dry.reported])
    const lines = readFileSync(refused, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const told = lines.map(({ refused: { at, problems } }) => [at, problems[0]].join(' ').replaceAll(`${folder}/`, ''))
    expect(told).toEqual([
      `rows.csv row 3 ${wrong[0]?.slice(9)}`,
      `rows.csv row 4 ${wrong[1]?.slice(9)}`,
      `rows.csv row 5 ${wrong[2]?.slice(9)}`,
      `rows.csv row 2 ${dry.reported[3]?.slice(9)}`,
    ])
    expect(JSON.parse(lines[1].refused.text)[2]).toBe('p\n\nq')
    expect((await published()).A?.description).toBe('<p>One\n\ntwo "three"\r\nfour</p>')
  })

  it('import.systems-count-what-is-left: with --ignore-unknown an unknown column is counted', async () => {
    const { counts, leftOut } = await takeRows(['Handle,Title,Shelf', 'a,A,4', 'b,B,'], '--ignore-unknown')
    expect([counts.product, leftOut]).toEqual([
      [2, 0, 0, 0],
      {
        'column Shelf': 1,
        'Variant SKU that is empty, so that one is made of the handle': 2,
      },
    ])
  })

  it('import.from-shopify: a book that is named by an id must be there', async () => {
    const id = 'c0ffee00-0001-4000-8000-000000000009'
    await expect(takeRows(['Handle,Title', 'a,A'], '--book', id)).rejects.toThrow(`There is no price book ${id}`)
  })

  it('import.from-shopify: the fixture has the columns of an export, each row as many', () => {
    const rows: string[][] = parse(readFileSync(products))
    expect(new Set(rows.map((row) => row.length)).size).toBe(1)
  })
})
