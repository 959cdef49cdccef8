import type { ConnectionArguments, KeysetWindow } from '../../domain/input/page.ts'
import { connection, type Page } from './connection.ts'
import type { CursorKey, KeyKind } from './cursor.ts'

/** Connection under a parent: its order, and the loaders that fetch windows and totals for many parents at once. */
interface ChildList<T> {
  readonly order: readonly KeyKind[]
  readonly key: (item: T) => CursorKey
  readonly pages: (window: KeysetWindow) => { load(parentId: string): Promise<readonly T[]> }
  readonly totals: (clauses: readonly []) => { load(parentId: string): Promise<number> }
}

/** The page of a parent's list. Parents whose lists have the same window share one statement. */
export function childConnection<T>(args: ConnectionArguments, parentId: string, { order, key, pages, totals }: ChildList<T>): Page<T> {
  return connection(args, { order, key, fetch: (window) => pages(window).load(parentId), count: () => totals([]).load(parentId) })
}

/** Order of creation, then of ids. */
export const createdOrder = {
  order: ['instant', 'uuid'],
  key: ({ createdAt, id }: { readonly createdAt: number; readonly id: string }): CursorKey => [createdAt, id],
} as const

/** Order of the position that the client gave each child of the parent. */
export const positionOrder = {
  order: ['integer', 'uuid'],
  key: ({ position, id }: { readonly position: number; readonly id: string }): CursorKey => [position, id],
} as const
