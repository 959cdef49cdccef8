/** What every contender must answer alike for the same page, whatever it calls it. */
import { isDeepStrictEqual } from 'node:util'

export interface AgreedAmount {
  readonly amount: number
  readonly tax: boolean
}

export interface AgreedItem {
  readonly id: string
  /** In the language asked for. */
  readonly name: string
  readonly sku: string
  readonly slug: string
  /** By currency. */
  readonly price: Readonly<Record<string, AgreedAmount>>
  readonly original: Readonly<Record<string, AgreedAmount>>
  /** In the currency asked for. */
  readonly display: number
  readonly sale: string
  /** Epoch milliseconds. */
  readonly saleExpires: number
  /** The ancestors of each node that the product is attached to, hierarchy first. */
  readonly breadcrumbs: Readonly<Record<string, readonly string[]>>
  readonly parent: string | null
  readonly children: readonly string[]
  readonly mainImage: string
  readonly files: readonly string[]
}

export interface AgreedPage {
  readonly total: number
  readonly items: readonly AgreedItem[]
}

/** Throws with both answers when they differ. */
export function assertAlike(name: string, page: AgreedPage, reference: AgreedPage): void {
  if (isDeepStrictEqual(page, reference)) return
  const at = page.items.findIndex((item, index) => !isDeepStrictEqual(item, reference.items[index]))
  const shown = (one: AgreedPage): string =>
    JSON.stringify(at < 0 ? { total: one.total, items: one.items.length } : one.items[at])
  throw new Error(`${name} answers another page (item ${at}):\n${shown(page)}\n${shown(reference)}`)
}
