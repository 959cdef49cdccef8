/** What a storefront asks for, in words that every shop can be asked in, and what all must answer alike. */
import type { LoadRequest } from '../load.ts'
import type { Running } from '../process.ts'

export const PAGE_LENGTH = 25

/** What a page of a category is: in its own order, by price, with facets, or both. */
export type PageKind = 'category' | 'price' | 'facets' | 'sorted'

/**
 * A page of a category (null: of the whole store); a page of what has a tag; a page of what a text finds; a product.
 */
export type SharedQuestion =
  | { readonly kind: PageKind; readonly category: number | null; readonly offset: number; readonly currency: string }
  | { readonly kind: 'tag'; readonly tag: string; readonly offset: number; readonly currency: string }
  | { readonly kind: 'search'; readonly text: string; readonly offset: number; readonly currency: string }
  | { readonly kind: 'product'; readonly number: number; readonly currency: string }

/** Also, of this server alone, what a text that is being typed may become. */
export type Question =
  | SharedQuestion
  | { readonly kind: 'suggestions'; readonly text: string; readonly currency: string }

export interface Answer {
  readonly total: number
  readonly items: readonly {
    readonly slug: string
    readonly sku: string
    readonly name: string
    readonly amount: number
  }[]
  /** Value and count, by value; empty where none were asked for. */
  readonly facets: readonly (readonly [string, number])[]
}

export interface Shop {
  readonly name: string
  /** Null where it can't be had. */
  start(): Promise<Running | null>
  request(question: Question): LoadRequest
  read(answer: unknown): Answer
}

export const slugOfCategory = (category: number): string => `node-${category}-0`
export const slugOfProduct = (number: number): string => `product-${number}`
