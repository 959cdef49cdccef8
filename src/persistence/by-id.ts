import DataLoader from 'dataloader'
import type { Database } from './database.ts'
import { selectItem } from './keyset.ts'

interface Entity {
  readonly id: string
}

/**
 * A loader of entities by their id, null where there is none: one statement per batch, and for all requests that ask for the same `path`
 * at once. UUIDs mean the same in either case.
 */
export function byId<T extends Entity>(
  database: Database,
  path: string,
  fetch: (database: Database, ids: string[]) => Promise<T[]>,
): DataLoader<string, T | null> {
  const find = async (on: Database, ids: string[]) => mapById(await fetch(on, ids))
  return new DataLoader<string, T | null>(
    async (ids) => {
      const keys = ids.map((id) => id.toLowerCase())
      const found = await database.readTogether(path, keys, find)
      return keys.map((id) => found.get(id) ?? null)
    },
    { cacheKeyFn: (id) => id.toLowerCase() },
  )
}

export function mapById<T extends Entity>(entities: readonly T[]): Map<string, T> {
  return new Map(entities.map((entity) => [entity.id, entity]))
}

/** The same over a table's columns, under the names of `members`, by a named statement: Prisma takes five times as long for a few rows. */
export function recordsById<Row extends object, T extends Entity>(
  database: Database,
  table: string,
  members: readonly (keyof Row & string)[],
  itemOf: (row: Row) => T,
): DataLoader<string, T | null> {
  const name = `${table}_by_ids`
  return byId(database, name, async (on, ids) => {
    const text = `SELECT ${selectItem(...members)} FROM ${table} i WHERE i.id = ANY ($1::uuid[])`
    return (await on.query<Row>(name, text, [ids])).map(itemOf)
  })
}
