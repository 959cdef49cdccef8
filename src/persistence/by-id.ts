import type { Database } from './database.ts'
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
