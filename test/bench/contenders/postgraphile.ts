/**
 * PostGraphile 5: the nearest query that it can express over the authoring tables; its client chooses sale, currency
 * and language.
 */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgreedAmount, AgreedItem } from '../agreed.ts'
import type { Contender } from '../contenders.ts'
import { leafId } from '../data.ts'
import { installContender } from '../install.ts'
import { PAGE_LENGTH, type PageSpec } from '../pages.ts'
import { startProcess } from '../process.ts'

const query = `query Page($node: UUID!, $first: Int!, $offset: Int!) {
  catalogNodeByRowId(rowId: $node) {
    nodeProductsByNodeId(first: $first, offset: $offset) {
      totalCount
      nodes {
        productByProductId {
          rowId name sku slug locales parentId mainImageId files
          productsByParentId { nodes { rowId } }
          productPricesBySku { nodes { currencies salesByProductPriceId { nodes { name validFrom validTo currencies } } } }
          nodeProductsByProductId { nodes { nodeId catalogNodeByNodeId { parentId catalogNodeByParentId { parentId
            catalogNodeByParentId { parentId catalogNodeByParentId { parentId catalogNodeByParentId { parentId } } } } } } }
        }
      }
    }
  }
}`

type Currencies = Readonly<Record<string, { readonly amount: number; readonly includes_tax: boolean }>>

interface Sale {
  readonly name: string
  readonly validFrom: string
  readonly validTo: string
  readonly currencies: Currencies
}

interface Node {
  readonly parentId: string | null
  readonly catalogNodeByParentId?: Node | null
}

interface Product {
  readonly rowId: string
  readonly name: string
  readonly sku: string
  readonly slug: string
  readonly locales: Readonly<Record<string, { readonly name: string }>>
  readonly parentId: string | null
  readonly mainImageId: string
  readonly files: readonly { readonly id: string }[]
  readonly productsByParentId: { readonly nodes: readonly { readonly rowId: string }[] }
  readonly productPricesBySku: {
    readonly nodes: readonly {
      readonly currencies: Currencies
      readonly salesByProductPriceId: { readonly nodes: readonly Sale[] }
    }[]
  }
  readonly nodeProductsByProductId: {
    readonly nodes: readonly { readonly nodeId: string; readonly catalogNodeByNodeId: Node }[]
  }
}

interface Answer {
  readonly data: {
    readonly catalogNodeByRowId: {
      readonly nodeProductsByNodeId: { totalCount: number; nodes: readonly { readonly productByProductId: Product }[] }
    }
  }
}

export const postgraphile: Contender = {
  name: 'PostGraphile 5',
  start(databaseUrl) {
    const installed = installContender('postgraphile', 'postgraphile@5.1.5')
    if (installed === null) return null
    const file = join(installed.folder, 'server.mjs')
    copyFileSync(new URL('./postgraphile-server.mjs', import.meta.url), file)
    return startProcess([installed.node, file], {
      DATABASE_URL: databaseUrl,
      NODE_ENV: 'production',
      GRAPHILE_ENV: 'production',
    })
  },
  request: ({ hierarchy, offset }) => ({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { node: leafId(hierarchy), first: PAGE_LENGTH, offset } }),
  }),
  read: (answer, page) => {
    const { totalCount, nodes } = (answer as Answer).data.catalogNodeByRowId.nodeProductsByNodeId
    return { total: totalCount, items: nodes.map(({ productByProductId }) => readItem(productByProductId, page)) }
  },
}

function readItem(product: Product, { currency, language }: PageSpec): AgreedItem {
  const [price] = product.productPricesBySku.nodes
  const sale = price?.salesByProductPriceId.nodes.find(
    ({ validFrom, validTo }) => Date.parse(validFrom) <= Date.now() && Date.now() < Date.parse(validTo),
  )
  if (!price || !sale) throw new Error(`${product.sku} has no price or no sale`)
  const amounts = { ...price.currencies, ...sale.currencies }
  return {
    id: product.rowId,
    name: product.locales[language]?.name ?? product.name,
    sku: product.sku,
    slug: product.slug,
    price: agreed(amounts),
    original: agreed(price.currencies),
    display: amounts[currency]?.amount ?? Number.NaN,
    sale: sale.name,
    saleExpires: Date.parse(sale.validTo),
    breadcrumbs: Object.fromEntries(
      product.nodeProductsByProductId.nodes.map(({ nodeId, catalogNodeByNodeId }) => [
        nodeId,
        ancestors(catalogNodeByNodeId),
      ]),
    ),
    parent: product.parentId,
    children: product.productsByParentId.nodes.map(({ rowId }) => rowId),
    mainImage: product.mainImageId,
    files: product.files.map(({ id }) => id),
  }
}

function ancestors({ parentId, catalogNodeByParentId }: Node): string[] {
  return parentId === null ? [] : [...(catalogNodeByParentId ? ancestors(catalogNodeByParentId) : []), parentId]
}

function agreed(currencies: Currencies): Record<string, AgreedAmount> {
  return Object.fromEntries(
    Object.entries(currencies).map(([code, { amount, includes_tax: tax }]) => [code, { amount, tax }]),
  )
}
