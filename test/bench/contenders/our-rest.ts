/** The facade's hierarchy listing. */
import type { AgreedItem } from '../agreed.ts'
import type { Contender } from '../contenders.ts'
import { hierarchyId } from '../data.ts'
import { PAGE_LENGTH } from '../pages.ts'
import { releasePath, shopperHeaders, startOurs } from './our-server.ts'

type Prices = Readonly<Record<string, { readonly amount: number; readonly includes_tax: boolean }>>

interface ListedItem {
  readonly id: string
  readonly attributes: { readonly name: string; readonly sku: string; readonly slug: string; readonly price: Prices }
  readonly relationships: {
    readonly parent?: { readonly data: { readonly id: string } }
    readonly children?: { readonly data: readonly { readonly id: string }[] }
    readonly files: { readonly data: readonly { readonly id: string }[] }
    readonly main_image: { readonly data: { readonly id: string } }
  }
  readonly meta: {
    readonly bread_crumbs: Readonly<Record<string, readonly string[]>>
    readonly display_price: { readonly with_tax: { readonly amount: number } }
    readonly original_price: Prices
    readonly sale_id: string
    readonly sale_expires: string
  }
}

export const ourRest: Contender = {
  name: 'ours, REST',
  start: startOurs,
  request: ({ hierarchy, offset, currency, language }) => ({
    method: 'GET',
    path: `${releasePath}/hierarchies/${hierarchyId(hierarchy)}/products?page[limit]=${PAGE_LENGTH}&page[offset]=${offset}`,
    headers: shopperHeaders(currency, language),
  }),
  read: (answer) => {
    const { data, meta } = answer as { data: ListedItem[]; meta: { results: { total: number } } }
    return { total: meta.results.total, items: data.map(readItem) }
  },
}

function readItem({ id, attributes: { name, sku, slug, price }, relationships, meta }: ListedItem): AgreedItem {
  return {
    id,
    name,
    sku,
    slug,
    price: amounts(price),
    original: amounts(meta.original_price),
    display: meta.display_price.with_tax.amount,
    sale: meta.sale_id,
    saleExpires: Date.parse(meta.sale_expires),
    breadcrumbs: meta.bread_crumbs,
    parent: relationships.parent?.data.id ?? null,
    children: relationships.children?.data.map((child) => child.id) ?? [],
    mainImage: relationships.main_image.data.id,
    files: relationships.files.data.map((file) => file.id),
  }
}

function amounts(prices: Prices) {
  return Object.fromEntries(
    Object.entries(prices).map(([currency, { amount, includes_tax: tax }]) => [currency, { amount, tax }]),
  )
}
