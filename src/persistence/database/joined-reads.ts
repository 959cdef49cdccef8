/**
 * Joined reads: one statement reads whatever is wanted in the same turn of the event loop. It suits reads of which a
 * page needs several at once, with few but long rows: short rows as JSON in JSON would take longer than separate
 * statements.
 */
import DataLoader from 'dataloader'
import type { Database } from './database.ts'

/**
 * The most reads of one statement: those of a page with a search, facets and three currencies. Further reads run beside
 * it.
 */
export const JOINED_MAX = 5

/** A row of every joined read, whose text selects these columns. */
export interface JoinedRow {
  readonly key: string | null
  readonly value: string | null
  /** JSON. */
  readonly body: string
}

/** Reads rows in the order of the text. A name must stand for one text (query.ts). */
export type JoinedRead = (name: string, text: string, values: readonly unknown[]) => Promise<JoinedRow[]>

interface Read {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** Joins the reads of a database. When the statement fails, all its reads fail. */
export function joinReads(on: Pick<Database, 'query'>): JoinedRead {
  const loader = new DataLoader<Read, JoinedRow[]>((reads) => send(on, reads), {
    cache: false,
    maxBatchSize: JOINED_MAX,
  })
  return (name, text, values) => loader.load({ name, text, values })
}

async function send(on: Pick<Database, 'query'>, reads: readonly Read[]): Promise<JoinedRow[][]> {
  const [{ name, text, values }, ...others] = reads as readonly [Read, ...Read[]]
  if (others.length === 0) return [await on.query<JoinedRow>(name, text, values)]
  const parameters = reads.flatMap((read) => read.values)
  // Without a name, since a connection keeps each named statement, and there are many combinations.
  const rows = await on.query<JoinedRow & { at: number }>('', reads.map(partOf).join('\nUNION ALL\n'), parameters)
  return reads.map((_, place) => rows.filter(({ at }) => at === place))
}

/** The text of a read among others: its parameters follow those of the reads before it. */
function partOf({ text }: Read, place: number, reads: readonly Read[]): string {
  const before = reads.slice(0, place).reduce((sum, { values }) => sum + values.length, 0)
  const renumbered = text.replace(/\$(\d+)/g, (_, number: string) => `$${before + Number(number)}`)
  return `SELECT ${place} AS at, key, value, body FROM (${renumbered}) one`
}
