import { join } from 'node:path'

/** The databases of a test run, made by global-setup.ts; each worker has its own, by its number. */
export type TestDatabases =
  | { readonly kind: 'embedded'; readonly folder: string }
  | { readonly kind: 'server'; readonly url: string; readonly name: string }

declare module 'vitest' {
  export interface ProvidedContext {
    databases: TestDatabases
  }
}

/** The URL of another database on the same server. */
export function urlOf(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

/** The socket of a worker's embedded database. */
export const socketOf = (folder: string, worker: number | string): string => join(folder, `.s.PGSQL.${worker}`)
