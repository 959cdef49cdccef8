/** Filters of published products by texts: exactly, by their beginning and by any part, as those of records. */
import { beforeAll, describe, expect, it } from 'vitest'
import { COST_HEADER } from '../../../src/graphql/server/server.ts'
import { useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { publishStore } from '../../support/published.ts'
import { useServer } from '../../support/server.ts'
import { emptyStore, type StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database)
const [root, node, catalog, other] = [1, 2, 3, 4].map(idOf) as [string, string, string, string]

/**
 * Capitals, wildcards of LIKE and their escape, accents in one character and in two, and characters of two UTF-16
 * units.
 */
const texts = [
  'Mug',
  'mug',
  'MUG 100%',
  'mug_2',
  'mug\\2',
  'mug%2',
  'Müg',
  'Mu\u0308g',
  '🍵mug🍵',
  ' mug ',
  'smug',
  '\u{1f375}\u{1f376}',
  'mu',
]
/** The fields of the filter, and the value of the product with a number in each; a third has no SKU. */
const fields = {
  name: (at: number) => texts[at] as string,
  sku: (at: number) => (at % 3 === 0 ? null : `SKU ${texts[at]}`),
  slug: (at: number) => `${texts[at]}-slug`,
  manufacturerPartNum: (at: number) => (at % 4 === 0 ? null : `${texts[at]}${texts[at]}`),
  upcEan: (at: number) => (at % 5 === 0 ? null : `${at} ${texts[at]}`),
}
type Field = keyof typeof fields
const all = texts.map((_, at) => at)
const parts = [
  '',
  'mug',
  'Mug',
  'MUG',
  'SKU',
  'SKU m',
  '%',
  '_',
  '\\',
  'mug%',
  'mug_',
  'mug\\',
  'ü',
  'u\u0308',
  '🍵',
  '\u{1f376}',
  'g-s',
  '1',
  'none',
]

beforeAll(async () => {
  const place = { created_at: 0, updated_at: 0 }
  const product = (at: number): StoreProduct => ({
    id: idOf(0x100 + at),
    name: fields.name(at),
    sku: fields.sku(at),
    slug: fields.slug(at),
    manufacturer_part_num: fields.manufacturerPartNum(at),
    upc_ean: fields.upcEan(at),
    tags: [at % 2 === 0 ? 'even' : 'odd'],
    status: 'live',
    created_at: 0,
    // Later ones are listed later.
    updated_at: -at,
  })
  // Another catalog has a product whose texts match too.
  await publishStore(server, {
    ...emptyStore(),
    products: [...all.map(product), { ...product(1), id: idOf(0x200), sku: 'SKU mug of another', updated_at: 1 }],
    nodes: [root, node].flatMap((id, at) => [
      { id, parent_id: null, hierarchy_id: id, name: `Root ${at}`, slug: 'root', ...place },
      { id: idOf(0x300 + at), parent_id: id, hierarchy_id: id, name: 'Node', slug: 'node', ...place },
    ]),
    attachments: [
      ...all.map((at) => ({ node_id: idOf(0x300), product_id: idOf(0x100 + at) })),
      { node_id: idOf(0x301), product_id: idOf(0x200) },
    ],
    catalogs: [root, node].map((hierarchy, at) => ({
      id: [catalog, other][at] as string,
      name: `Catalog ${at}`,
      hierarchy_ids: [hierarchy],
      books: [],
    })),
  })
})

interface Found {
  readonly name: string
  readonly tags: readonly string[]
}

/** Names of all products that match, by pages of `first`, each of which has their number and the counts by tag. */
async function listed(filter: object, first = 100): Promise<string[]> {
  const query = `query ($first: Int, $after: String, $filter: CatalogProductFilter) {
    catalog(id: "${catalog}") { latestRelease { products(first: $first, after: $after, filter: $filter) {
      totalCount nodes { name tags } pageInfo { hasNextPage endCursor } facets(keys: [{ tags: true }]) { values { value count } } } } } }`
  const found: Found[] = []
  for (let after: string | null = null; ; ) {
    const { data, errors } = await server.gql(query, { first, after, filter }, { token: server.shopper })
    expect(errors).toBeUndefined()
    const { totalCount, nodes, pageInfo, facets } = data.catalog.latestRelease.products
    found.push(...nodes)
    after = pageInfo.endCursor
    if (pageInfo.hasNextPage) continue
    const count = (tag: string) => found.filter(({ tags }) => tags.includes(tag)).length
    const counts = Object.fromEntries(
      facets[0].values.map((one: { value: string; count: number }) => [one.value, one.count]),
    )
    expect(totalCount).toBe(found.length)
    // A facet is counted without the filter of its own key.
    if (!('tags' in filter)) expect([counts.even ?? 0, counts.odd ?? 0]).toEqual([count('even'), count('odd')])
    return found.map(({ name }) => name)
  }
}

/** Names of the records that match. */
async function recorded(filter: object): Promise<string[]> {
  const query = 'query ($filter: ProductFilter) { products(first: 100, filter: $filter) { nodes { name sku } } }'
  const { data, errors } = await server.gql(query, { filter }, { token: server.admin })
  expect(errors).toBeUndefined()
  const others = ({ sku }: { sku: string | null }) => sku === 'SKU mug of another'
  return data.products.nodes.flatMap((one: { name: string; sku: string | null }) => (others(one) ? [] : [one.name]))
}

/** The names of the products whose value in a field holds, in the order of the list. */
const expected = (field: Field, holds: (value: string) => boolean): string[] =>
  all.filter((at) => fields[field](at) !== null && holds(fields[field](at) as string)).map((at) => texts[at] as string)

describe('filter.clauses-all-hold: texts of published products', () => {
  it.each(Object.keys(fields) as Field[])(
    'startsWith and contains of %s compare characters as they are, and find no product without the text',
    async (field) => {
      for (const part of parts) {
        expect(await listed({ [field]: { startsWith: part } }), `startsWith ${part}`).toEqual(
          expected(field, (value) => value.startsWith(part)),
        )
        expect(await listed({ [field]: { contains: part } }), `contains ${part}`).toEqual(
          expected(field, (value) => value.includes(part)),
        )
      }
    },
  )

  it.each(['name', 'sku'] as const)('a filter of products by %s means the same as that of records', async (field) => {
    for (const part of parts) {
      for (const filter of [{ startsWith: part }, { contains: part }]) {
        expect((await recorded({ [field]: filter })).sort(), JSON.stringify(filter)).toEqual(
          (await listed({ [field]: filter })).sort(),
        )
      }
    }
  })

  it.each([
    ['eq and startsWith that hold', { name: { eq: 'mug_2', startsWith: 'mug' } }, ['mug_2']],
    ['eq and a contains that does not', { name: { eq: 'mug_2', contains: '%' } }, []],
    ['in and contains', { name: { in: ['smug', 'mug', 'mu'], contains: 'mug' } }, ['mug', 'smug']],
    ['startsWith and contains', { name: { startsWith: 'mug', contains: '2' } }, ['mug_2', 'mug\\2', 'mug%2']],
    ['parts of two fields', { name: { contains: 'mug' }, sku: { startsWith: 'SKU mug' } }, ['mug', 'mug\\2', 'mug%2']],
    [
      'a part of one field and values of another',
      { name: { startsWith: 'm' }, slug: { in: ['mug_2-slug', 'Mug-slug'] } },
      ['mug_2'],
    ],
    ['a part and a tag', { name: { contains: 'mug' }, tags: { eq: 'odd' } }, ['mug', 'mug_2', 'mug%2', ' mug ']],
    ['null, which asks for nothing', { name: { startsWith: null, contains: null } }, texts],
  ])('a text filter with several parts takes products that match all of them: %s', async (_, filter, names) => {
    expect(await listed(filter)).toEqual(names)
    expect(await listed(filter, 2)).toEqual(names)
  })

  it('parts of all text fields, in any combination, are statements of their own', async () => {
    const mug = { startsWith: 'mug', contains: 'ug' }
    const many = { manufacturerPartNum: mug, name: mug, slug: mug, sku: { contains: 'mug' } }
    const found = (...given: Field[]) =>
      all.filter((at) => given.every((field) => /^mug/.test(fields[field](at) ?? ''))).map((at) => texts[at] as string)
    expect(await listed({ manufacturerPartNum: mug })).toEqual(found('manufacturerPartNum'))
    expect(await listed({ manufacturerPartNum: mug, name: mug })).toEqual(found('manufacturerPartNum', 'name'))
    expect(await listed({ manufacturerPartNum: mug, slug: mug })).toEqual(found('manufacturerPartNum', 'slug'))
    const withSku = all.filter((at) => fields.sku(at)?.includes('mug')).map((at) => texts[at] as string)
    expect(await listed(many)).toEqual(
      found('manufacturerPartNum', 'name', 'slug').filter((name) => withSku.includes(name)),
    )
  })

  it.each(['startsWith', 'contains'])(
    'a filter by %s refuses what no text can have, by the name of the field',
    async (member) => {
      for (const text of ['\u0000', 'mug\ud83c']) {
        const query = `query ($filter: CatalogProductFilter) { catalog(id: "${catalog}") { latestRelease { products(filter: $filter) { totalCount } } } }`
        const { errors } = await server.gql(
          query,
          { filter: { manufacturerPartNum: { [member]: text } } },
          { token: server.shopper },
        )
        expect(errors[0].extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          violations: [{ code: 'INVALID_TEXT', path: ['filter', 'manufacturerPartNum'] }],
        })
      }
    },
  )

  it('a filter by a part of a text costs half a point for each product of the release, rounded up, once; beside a value it costs nothing more', async () => {
    const spent = async (filter: string) => {
      const query = `{ catalog(id: "${catalog}") { latestRelease { products(filter: { ${filter} }) { totalCount } } } }`
      const { extensions } = await server.gql(query, {}, { token: server.shopper, headers: { [COST_HEADER]: '1' } })
      return extensions.cost.spent
    }
    const none = await spent('name: { eq: "none" }')
    expect((await spent('name: { contains: "nothing" }')) - none).toBe(Math.ceil(texts.length / 2))
    expect(await spent('name: { contains: "nothing" }')).toBe(none)
    expect(await spent('name: { contains: "nothing" }, slug: { eq: "none" }')).toBe(none)
  })
})
