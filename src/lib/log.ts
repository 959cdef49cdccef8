import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'

export type Logger = PinoLogger

/** Lines are written together: one system call each costs as much as all else of a request whose answer is kept. */
const WRITTEN_TOGETHER_BYTES = 8 * 1024
/** No line waits longer. Every end of the process but a kill writes what still waits. */
const WRITTEN_WITHIN_MS = 50

/** JSON lines on standard output. What could hold a secret is never handed to it; the redaction is a second net. */
export function createLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
  const redact = {
    paths: [
      ...['req.headers.authorization', '*.authorization', '*.client_secret', '*.access_token', '*.card_id', '*.customer_id'],
      // Where PostgreSQL tells of the row that a statement failed for.
      ...['err.detail', 'err.where'],
    ],
    censor: '[redacted]',
  }
  return pino({ level, base: null, redact }, destination)
}

function standardOutput(): DestinationStream {
  return pino.destination({ sync: false, minLength: WRITTEN_TOGETHER_BYTES, periodicFlush: WRITTEN_WITHIN_MS })
}
