import type { Database } from './database.ts'
import { selectItem } from './keyset.ts'
import { type AccessPath, type Loader, loaderOf } from './loader.ts'

interface Entity {
  readonly id: string
}

/** By raw id; null where there is none. */
export type LoaderById<T> = Loader<string, T | null>

/** UUIDs mean the same in either case. */
const lowerCase = (id: string): string => id.toLowerCase()

/** Makes loaders by id, null where there is none: one statement per batch, and for all requests that ask for the same path at once. */
export function byId<T extends Entity>(
  name: string,
  fetch: (database: Database, ids: string[]) => Promise<T[]>,
  along?: AccessPath<string, T | null>['along'],
): (database: Database) => LoaderById<T> {
  return loaderOf<string, T | null>({
    name,
    placeOf: lowerCase,
    fetch: async (database, ids) => {
      const found = new Map((await fetch(database, ids.map(lowerCase))).map((entity) => [entity.id, entity]))
      return (id) => found.get(id.toLowerCase()) ?? null
    },
    ...(along && { along }),
  })
}

/** The same over a table's columns, under the names of `members`, by a named statement: Prisma takes five times as long for a few rows. */
export function recordsById<Row extends object, T extends Entity>(
  table: string,
  members: readonly (keyof Row & string)[],
  itemOf: (row: Row) => T,
): (database: Database) => LoaderById<T> {
  const name = `${table}_by_ids`
  const text = `SELECT ${selectItem(...members)} FROM ${table} i WHERE i.id = ANY ($1::uuid[])`
  return byId(name, async (on, ids) => (await on.query<Row>(name, text, [ids])).map(itemOf))
}
