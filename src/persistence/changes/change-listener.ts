/** Change listener: wakes the change feed when a transaction has written to the change log. */
import pg from 'pg'
import { CHANGE_CHANNEL } from '../database/change-log.ts'
import type { Database } from '../database/database.ts'

/** Calls `poll` when something may have changed. The feed does not rely on it: notifications are lost while it is disconnected. */
export interface ChangeListener {
  /** Connects when it is not connected. */
  readonly connect: () => void
  readonly stop: () => void
}

/** On a server a connection of its own that listens; embedded, where every transaction is of this process, an observer of statements. */
export function createChangeListener(database: Database, poll: () => void): ChangeListener {
  if (database.kind === 'server') return listenTo(database, poll)
  // The poll waits for the only connection, and so for the commit.
  const stop = database.onStatement(({ text }) => {
    if (/^\s*commit/i.test(text)) poll()
  })
  return { connect: () => undefined, stop }
}

function listenTo({ pool }: Database, poll: () => void): ChangeListener {
  let client: pg.Client | undefined
  let stopped = false

  const connect = (): void => {
    if (client || stopped) return
    const opened = new pg.Client({ ...pool.options, application_name: 'commerce-graph live' } as pg.ClientConfig)
    client = opened
    const lost = (): void => {
      if (client === opened) client = undefined
      opened.end().catch(() => undefined)
    }
    opened.on('error', lost)
    opened.on('end', lost)
    opened.on('notification', poll)
    // Changes from before the LISTEN are found by the first poll.
    opened
      .connect()
      .then(() => opened.query(`LISTEN ${CHANGE_CHANNEL}`))
      .then(poll, lost)
  }

  return {
    connect,
    stop: () => {
      stopped = true
      client?.end().catch(() => undefined)
    },
  }
}
