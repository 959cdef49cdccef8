/**
 * Vendure 3.7 with its DefaultSearchPlugin on a database of its own; the prices are its own, without a schedule, which
 * it doesn't have.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { addressOf, dropDatabase, onServer } from '../data.ts'
import { type Installed, installContender } from '../install.ts'
import { startProcess } from '../process.ts'
import { type Answer, PAGE_LENGTH, type SharedQuestion, type Shop, slugOfCategory, slugOfProduct } from './question.ts'
import { kinds, materials, styles } from './questions.ts'
import type { StoreProduct } from './store.ts'

const items = `totalItems items {
  productId productName slug sku currencyCode
  priceWithTax { ... on PriceRange { min max } ... on SinglePrice { value } }
}`
const searched = (selected: string): string =>
  `query Search($input: SearchInput!) { search(input: $input) { ${selected} } }`
const withFacets = `${items} facetValues { count facetValue { id code name facet { code } } }`
const queries = {
  category: searched(items),
  price: searched(items),
  facets: searched(withFacets),
  sorted: searched(withFacets),
  tag: searched(items),
  search: searched(items),
  product: `query Product($slug: String!) {
    product(slug: $slug) {
      id name slug description
      facetValues { code facet { code } }
      collections { slug breadcrumbs { slug name } }
      variants { id name sku priceWithTax currencyCode }
    }
  }`,
}

function variablesOf(question: SharedQuestion): Record<string, unknown> {
  if (question.kind === 'product') return { slug: slugOfProduct(question.number) }
  const page = { groupByProduct: true, take: PAGE_LENGTH, skip: question.offset }
  if (question.kind === 'search') return { input: { ...page, term: question.text } }
  if (question.kind === 'tag') return { input: { ...page, facetValueFilters: [{ and: facetValueOf(question.tag) }] } }
  const input = question.category === null ? page : { ...page, collectionSlug: slugOfCategory(question.category) }
  return {
    input: question.kind === 'price' || question.kind === 'sorted' ? { ...input, sort: { price: 'ASC' } } : input,
  }
}

/** The id of a tag's facet value: vendure.sql makes them in the order of the facets, and of their texts. */
const facetValueOf = (tag: string): string => String(facetValues.indexOf(tag) + 1)
const facetValues = [styles, materials, kinds].flatMap((tags) => tags.toSorted())

interface Found {
  readonly totalItems: number
  readonly items: readonly {
    productName: string
    slug: string
    sku: string
    priceWithTax: { min?: number; value?: number }
  }[]
  readonly facetValues?: readonly { count: number; facetValue: { code: string } }[]
}

interface Product {
  readonly name: string
  readonly slug: string
  readonly variants: readonly { sku: string; priceWithTax: number }[]
}

function read(answer: unknown): Answer {
  const { search, product } = (answer as { data: { search?: Found; product?: Product } }).data
  if (product) {
    const [variant] = product.variants
    return {
      total: 1,
      items: [{ slug: product.slug, sku: variant?.sku ?? '', name: product.name, amount: variant?.priceWithTax ?? 0 }],
      facets: [],
    }
  }
  if (!search) throw new Error(`Vendure answered ${JSON.stringify(answer).slice(0, 300)}`)
  return {
    total: search.totalItems,
    items: search.items.map(({ slug, sku, productName: name, priceWithTax: { min, value } }) => ({
      slug,
      sku,
      name,
      amount: min ?? value ?? 0,
    })),
    facets: (search.facetValues ?? []).map(({ count, facetValue: { code } }) => [code, count] as const).sort(),
  }
}

/** What it runs with; telemetry would ask hosts elsewhere. */
const environment = (database: string): Record<string, string> => ({
  DATABASE_URL: addressOf(database),
  NODE_ENV: 'production',
  VENDURE_DISABLE_TELEMETRY: 'true',
})

function prepare({ folder }: Installed): string {
  const file = join(folder, 'server.mjs')
  copyFileSync(new URL('./vendure-server.mjs', import.meta.url), file)
  return file
}

/** Makes its database with these products; null, with the reason printed, where it can't be had. */
export async function buildVendure(database: string, products: readonly StoreProduct[]): Promise<Shop | null> {
  const installed = installContender('vendure', '@vendure/core@3.7.3', 'pg@8.23.1')
  if (!installed) return null
  await dropDatabase(database)
  await onServer(`CREATE DATABASE ${database}`)
  const file = prepare(installed)
  execFileSync(installed.node, [file], {
    env: { ...process.env, ...environment(database), STEP: 'schema' },
    stdio: 'inherit',
  })
  const client = new pg.Client({ connectionString: addressOf(database) })
  await client.connect()
  try {
    await client.query(`CREATE TEMP TABLE source (
      number int, name text, description text, sku text, slug text, tags text[], price int, hierarchy text, node text)`)
    await client.query('INSERT INTO source SELECT * FROM json_populate_recordset(NULL::source, $1)', [
      JSON.stringify(products),
    ])
    await client.query(readFileSync(new URL('./vendure.sql', import.meta.url), 'utf8'))
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
  return {
    name: 'Vendure 3.7',
    start: () => startProcess([installed.node, file], environment(database)),
    request: (question: SharedQuestion) => ({
      method: 'POST',
      path: '/shop-api',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: queries[question.kind], variables: variablesOf(question) }),
    }),
    read,
  }
}
