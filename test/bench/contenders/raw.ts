/** The limit in practice: raw-server.ts. */
import type { AgreedAmount, AgreedItem } from '../agreed.ts'
import type { Contender } from '../contenders.ts'
import { catalogId, leafId } from '../data.ts'
import { script, startProcess } from '../process.ts'

interface RawItem extends Omit<AgreedItem, 'price' | 'original' | 'saleExpires' | 'mainImage' | 'files' | 'children'> {
  readonly price: Readonly<Record<string, RawAmount>>
  readonly original: Readonly<Record<string, RawAmount>>
  readonly sale_expires: string
  readonly children: readonly string[] | null
  readonly main_image: string
  readonly files: readonly { readonly id: string }[]
}

interface RawAmount {
  readonly amount: number
  readonly includes_tax: boolean
}

export const raw: Contender = {
  name: 'raw',
  start: (databaseUrl) =>
    startProcess(script('contenders/raw-server.ts'), { DATABASE_URL: databaseUrl, CATALOG: catalogId }),
  request: ({ hierarchy, offset, currency, language }) => ({
    method: 'GET',
    path: `/?node=${leafId(hierarchy)}&offset=${offset}&currency=${currency}&language=${language}`,
    headers: {},
  }),
  read: (answer) => {
    const { total, data } = answer as { total: number; data: RawItem[] }
    return { total, items: data.map(readItem) }
  },
}

function readItem({ sale_expires, main_image, files, children, price, original, ...item }: RawItem): AgreedItem {
  return {
    ...item,
    price: amounts(price),
    original: amounts(original),
    saleExpires: Date.parse(sale_expires),
    mainImage: main_image,
    files: files.map(({ id }) => id),
    children: children ?? [],
  }
}

function amounts(prices: Readonly<Record<string, RawAmount>>): Record<string, AgreedAmount> {
  return Object.fromEntries(
    Object.entries(prices).map(([currency, { amount, includes_tax: tax }]) => [currency, { amount, tax }]),
  )
}
