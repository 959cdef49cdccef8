/**
 * Joined reads: what is read in the same turn of the event loop is read by one statement, whatever it is. It suits reads of which a page
 * needs several at once, and of whose rows there are few but long ones: JSON in JSON would take longer than statements of their own.
 */
import DataLoader from 'dataloader'
import type { Database } from './database.ts'

/** Reads of one statement at most: those of a page with a search, facets and three currencies. Further ones run beside it. */
export const JOINED_MAX = 5

/** A row of every joined read, whose text selects these columns. */
export interface JoinedRow {
  readonly key: string | null
  readonly value: string | null
  /** JSON. */
  readonly body: string
}

/** Reads rows in the order of the text. Its name must stand for one text (query.ts). */
export type JoinedRead = (name: string, text: string, values: readonly unknown[]) => Promise<JoinedRow[]>

interface Read {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** Joins the reads of a database. When the statement fails, all reads in it do. */
export function joinReads(on: Pick<Database, 'query'>): JoinedRead {
  const loader = new DataLoader<Read, JoinedRow[]>((reads) => send(on, reads), { cache: false, maxBatchSize: JOINED_MAX })
  return (name, text, values) => loader.load({ name, text, values })
}

async function send(on: Pick<Database, 'query'>, reads: readonly Read[]): Promise<JoinedRow[][]> {
  const [{ name, text, values }, ...others] = reads as readonly [Read, ...Read[]]
  if (others.length === 0) return [await on.query<JoinedRow>(name, text, values)]
  const parameters = reads.flatMap((read) => read.values)
  // Without a name: a connection holds each statement that has one, and there are many combinations.
  const rows = await on.query<JoinedRow & { at: number }>('', reads.map(partOf).join('\nUNION ALL\n'), parameters)
  return reads.map((_, place) => rows.filter(({ at }) => at === place))
}

/** The text of a read among others: its parameters follow those of the reads before it. */
function partOf({ text }: Read, place: number, reads: readonly Read[]): string {
  const before = reads.slice(0, place).reduce((sum, { values }) => sum + values.length, 0)
  const renumbered = text.replace(/\$(\d+)/g, (_, number: string) => `$${before + Number(number)}`)
  return `SELECT ${place} AS at, key, value, body FROM (${renumbered}) one`
}
