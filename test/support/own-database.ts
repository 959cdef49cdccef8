/** Databases of a test's own on the PostgreSQL server of the test run, for what concerns a whole database. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { urlOf } from './database-address.ts'

/** A database, dropped with `drop`. */
export interface OwnDatabase {
  readonly name: string
  readonly url: string
  /** Runs statements in it, as the user of DATABASE_URL, and returns the rows of the only one. */
  sql<Row extends object>(text: string): Promise<Row[]>
  drop(): Promise<void>
}

/** Creates a database; `options` are those of CREATE DATABASE, such as `LOCALE 'C'`. */
export async function makeDatabase(options = ''): Promise<OwnDatabase> {
  const server = process.env.DATABASE_URL ?? ''
  const name = `commerce_graph_own_${randomBytes(6).toString('hex')}`
  const url = urlOf(server, name)
  await run(server, `CREATE DATABASE ${name} TEMPLATE template0 ${options}`)
  return {
    name,
    url,
    sql: (text) => run(url, text),
    drop: async () => {
      await run(server, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

async function run<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
