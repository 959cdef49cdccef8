/** prisma-server.mjs, which answers nearly in the agreed form. */
import type { AgreedAmount, AgreedItem } from '../agreed.ts'
import type { Contender } from '../contenders.ts'
import { catalogId, leafId } from '../data.ts'
import { script, startProcess } from '../process.ts'

const query = `query Page($node: ID!, $offset: Int!, $currency: String!, $language: String!) {
  total(node: $node)
  products(node: $node, offset: $offset) {
    id name(language: $language) sku slug prices { currency amount includesTax } original { currency amount includesTax }
    display(currency: $currency) sale saleExpires breadcrumbs { id ancestors } parent children mainImage files
  }
}`

type Amounts = readonly { readonly currency: string; readonly amount: number; readonly includesTax: boolean }[]

interface Item extends Omit<AgreedItem, 'price' | 'original' | 'saleExpires' | 'breadcrumbs'> {
  readonly prices: Amounts
  readonly original: Amounts
  readonly saleExpires: string
  readonly breadcrumbs: readonly { readonly id: string; readonly ancestors: readonly string[] }[]
}

export const prisma: Contender = {
  name: 'Yoga + Pothos + Prisma',
  start: (databaseUrl) =>
    startProcess(script('contenders/prisma-server.mjs'), {
      DATABASE_URL: databaseUrl,
      CATALOG: catalogId,
      NODE_ENV: 'production',
    }),
  request: ({ hierarchy, offset, currency, language }) => ({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { node: leafId(hierarchy), offset, currency, language } }),
  }),
  read: (answer) => {
    const { total, products } = (answer as { data: { total: number; products: Item[] } }).data
    return { total, items: products.map(readItem) }
  },
}

function readItem({ prices, original, saleExpires, breadcrumbs, ...item }: Item): AgreedItem {
  return {
    ...item,
    price: byCurrency(prices),
    original: byCurrency(original),
    saleExpires: Date.parse(saleExpires),
    breadcrumbs: Object.fromEntries(breadcrumbs.map(({ id, ancestors }) => [id, ancestors])),
  }
}

function byCurrency(amounts: Amounts): Record<string, AgreedAmount> {
  return Object.fromEntries(amounts.map(({ currency, amount, includesTax: tax }) => [currency, { amount, tax }]))
}
