/** Session limits: long work changes them for its connection, and restores them. */

/** As PostgreSQL writes them, such as `30s`. */
export interface SessionLimits {
  readonly statement: string
  readonly lock: string
  readonly idle: string
}

/** Reads the limits of a session. */
export const SESSION_LIMITS = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
  current_setting('idle_in_transaction_session_timeout') AS idle`

/** Restores them; its parameters are those of `limitValues`. */
export const RESTORE_LIMITS = `SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
  set_config('idle_in_transaction_session_timeout', $3, false)`

/** The parameters of RESTORE_LIMITS. */
export function limitValues(
  { statement, lock, idle }: SessionLimits = { statement: '0', lock: '0', idle: '0' },
): string[] {
  return [statement, lock, idle]
}

/**
 * Milliseconds that a long transaction may be idle while it waits for what feeds it or reads from it, such as a pipe:
 * ten minutes.
 */
export const PIPE_WAIT_MS = 600_000

/**
 * Lets the transaction be idle for PIPE_WAIT_MS, and wait for a lock as long as a statement may take. Only for a
 * server, since the embedded database, which runs in this process, hangs with it.
 */
export const BE_PATIENT = `SELECT set_config('idle_in_transaction_session_timeout', '${PIPE_WAIT_MS}', true), set_config('lock_timeout', '0', true)`
