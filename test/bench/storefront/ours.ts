/** This server's graph as a storefront asks it. */
import { shopperHeaders, startOurs } from '../contenders/our-server.ts'
import { addressOf } from '../data.ts'
import { type Answer, PAGE_LENGTH, type Question, type Shop, slugOfCategory, slugOfProduct } from './question.ts'

const item = 'id name slug sku price { amount { amount currency } }'
/** The catalog is the only one, so the storefront is it. */
const release = (content: string): string => `storefront { latestRelease { ${content} } }`
const page = `totalCount nodes { ${item} }`

const withFacets = `${page} facets(keys: [{ tags: true }]) { key values { value label count } }`
const byPrice = ', orderBy: { field: PRICE, direction: ASC }'
const listed = { category: page, price: page, facets: withFacets, sorted: withFacets }
const order = { category: '', price: byPrice, facets: '', sorted: byPrice }

function queryOf(question: Question): string {
  const { kind } = question
  if (kind === 'product')
    return `query Product($slug: String!) {
      ${release(`product(by: { slug: $slug }) { ${item} description tags breadCrumbs { ancestors { slug name } node { slug name } } }`)}
    }`
  if (kind === 'search')
    return `query Search($text: String!, $first: Int!, $offset: Int!) {
      ${release(`products(first: $first, offset: $offset, filter: { search: $text }) { ${page} }`)}
    }`
  if (kind === 'suggestions')
    return `query Suggestions($text: String!) {
      ${release(`suggest(text: $text, first: 8) { products { ${item} } nodes { slug name } texts }`)}
    }`
  if (kind === 'tag')
    return `query Tag($tag: String!, $first: Int!, $offset: Int!) {
      ${release(`products(first: $first, offset: $offset, filter: { tags: { eq: $tag } }) { ${page} }`)}
    }`
  const products = `products(first: $first, offset: $offset${order[kind]}) { ${listed[kind]} }`
  if (question.category === null) return `query All($first: Int!, $offset: Int!) { ${release(products)} }`
  return `query Category($path: [String!], $first: Int!, $offset: Int!) {
    ${release(`node(by: { path: $path }) { ${products} }`)}
  }`
}

function variablesOf(question: Question): Record<string, unknown> {
  if (question.kind === 'product') return { slug: slugOfProduct(question.number) }
  if (question.kind === 'suggestions') return { text: question.text }
  const variables = { first: PAGE_LENGTH, offset: question.offset }
  if (question.kind === 'search') return { ...variables, text: question.text }
  if (question.kind === 'tag') return { ...variables, tag: question.tag }
  return question.category === null ? variables : { ...variables, path: [slugOfCategory(question.category)] }
}

interface Item {
  readonly slug: string
  readonly sku: string
  readonly name: string
  readonly price: { readonly amount: { readonly amount: number } }
}

interface Listed {
  readonly totalCount: number
  readonly nodes: readonly Item[]
  readonly facets?: readonly { readonly values: readonly { readonly value: string; readonly count: number }[] }[]
}

function read(answer: unknown): Answer {
  const { data } = answer as {
    data: { storefront: { latestRelease: { product?: Item; products?: Listed; node?: { products: Listed } } } } | null
  }
  const content = data?.storefront.latestRelease
  const listed = content?.product
    ? { totalCount: 1, nodes: [content.product] }
    : (content?.products ?? content?.node?.products)
  if (!listed) throw new Error(`ours answered ${JSON.stringify(answer).slice(0, 500)}`)
  const { totalCount: total, nodes, facets = [] }: Listed = listed
  return {
    total,
    items: nodes.map(({ slug, sku, name, price: { amount } }) => ({ slug, sku, name, amount: amount.amount })),
    facets: facets.flatMap(({ values }) => values.map(({ value, count }) => [value, count] as const)).sort(),
  }
}

/** This server on the database `name`. */
export function ourShop(name: string): Shop {
  return {
    name: 'ours',
    start: () => startOurs(addressOf(name)),
    request: (question) => ({
      method: 'POST',
      path: '/graphql',
      headers: { ...shopperHeaders(question.currency, 'en'), 'content-type': 'application/json' },
      body: JSON.stringify({ query: queryOf(question), variables: variablesOf(question) }),
    }),
    read,
  }
}
