/**
 * Change listener: wakes the change feed when a transaction has written to the change log. SQL, since Prisma has no
 * LISTEN.
 */
import pg from 'pg'
import type { ConnectionLog } from '../database/connection-log.ts'
import type { Database } from '../database/database.ts'
import { CHANGE_CHANNEL, openSchema } from '../database/schema.ts'

/**
 * Milliseconds between the first failed attempt to listen and the next. They double with each failure, up to a maximum.
 */
const RETRY_MS = 1_000
export const RETRY_MAX_MS = 60_000

/**
 * Calls `poll` when something may have changed. The feed does not rely on it, since notifications are lost while it is
 * disconnected.
 */
export interface ChangeListener {
  /** Connects unless it is connected or an attempt failed a short time ago. */
  readonly connect: () => void
  readonly stop: () => void
}

/**
 * On a server this is a connection of its own that listens. Embedded, where this process runs every transaction, it
 * observes statements.
 */
export function createChangeListener(database: Database, log: ConnectionLog, poll: () => void): ChangeListener {
  if (database.kind === 'server') return listenTo(database, log, poll)
  // The poll waits for the only connection, and so for the commit.
  const stop = database.onStatement(({ text }) => {
    if (/^\s*commit/i.test(text)) poll()
  })
  return { connect: () => undefined, stop }
}

function listenTo({ pool, schema }: Database, log: ConnectionLog, poll: () => void): ChangeListener {
  let client: pg.Client | undefined
  let stopped = false
  /** Failed attempts since the last success. */
  let failed = 0
  let nextAt = 0

  const fail = (error: unknown): void => {
    // Logged once, not at every attempt.
    if (failed === 0 && !stopped) log.warn({ err: error }, 'could not listen for changes: they are noticed by polling')
    nextAt = performance.now() + Math.min(RETRY_MS * 2 ** failed, RETRY_MAX_MS)
    failed++
  }

  const connect = (): void => {
    if (client || stopped || performance.now() < nextAt) return
    const opened = new pg.Client({ ...pool.options, application_name: 'commerce-graph live' } as pg.ClientConfig)
    client = opened
    const lost = (): void => {
      if (client === opened) client = undefined
      opened.end().catch(() => undefined)
    }
    opened.on('error', lost)
    opened.on('end', lost)
    opened.on('notification', poll)
    opened
      .connect()
      .then(async () => listenOn(opened, await schema()))
      .then(
        () => {
          failed = 0
          // The first poll finds changes from before the LISTEN.
          poll()
        },
        (error) => {
          lost()
          fail(error)
        },
      )
  }

  return {
    connect,
    stop: () => {
      stopped = true
      client?.end().catch(() => undefined)
    },
  }
}

/** Listens on the channel of a schema. Three statements. */
async function listenOn(client: pg.Client, schema: string): Promise<void> {
  await client.query(openSchema(schema))
  const { rows } = await client.query<{ channel: string }>(`SELECT ${CHANGE_CHANNEL} AS channel`)
  await client.query(`LISTEN ${pg.escapeIdentifier(rows[0]?.channel ?? '')}`)
}
