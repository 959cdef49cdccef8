import pg from 'pg'
import type { Database } from '../database/database.ts'

/** The channel that triggers notify. */
const CHANNEL = 'commerce_graph_change'

/** Calls `wake` when something may have changed. Nothing relies on it: notifications are lost while it is disconnected. */
export interface ChangeListener {
  /** Connects when it is not connected. */
  readonly keep: () => void
  readonly stop: () => void
}

/** On a server a connection that listens; embedded every transaction is this process's own, and its statements are heard. */
export function createChangeListener(database: Database, wake: () => void): ChangeListener {
  if (database.kind === 'server') return listenTo(database, wake)
  // What follows waits for the one connection, and so for the commit.
  const stop = database.onStatement(({ text }) => {
    if (/^\s*commit/i.test(text)) wake()
  })
  return { keep: () => undefined, stop }
}

function listenTo({ pool }: Database, wake: () => void): ChangeListener {
  let client: pg.Client | undefined
  let stopped = false

  const keep = (): void => {
    if (client || stopped) return
    const opened = new pg.Client({ ...pool.options, application_name: 'commerce-graph live' } as pg.ClientConfig)
    client = opened
    const lost = (): void => {
      if (client === opened) client = undefined
      opened.end().catch(() => undefined)
    }
    opened.on('error', lost)
    opened.on('end', lost)
    opened.on('notification', wake)
    // What was notified before is found by reading.
    opened
      .connect()
      .then(() => opened.query(`LISTEN ${CHANNEL}`))
      .then(wake, lost)
  }

  return {
    keep,
    stop: () => {
      stopped = true
      client?.end().catch(() => undefined)
    },
  }
}
