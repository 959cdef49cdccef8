/** Log of the process: JSON lines on standard output (pino). */
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'

/** The logger of the process. */
export type Logger = PinoLogger

/**
 * Bytes that are buffered before a write. A system call per line would cost as much as all other work of a cached
 * response.
 */
const BUFFER_BYTES = 8 * 1024
/** Milliseconds between writes of the buffer. It is also written at every exit of the process except a kill. */
const FLUSH_MS = 50

/**
 * Makes a logger for lines of at least `level`. Callers never log secrets; the redaction here is a second safeguard.
 */
export function createLogger(level: string, destination: DestinationStream = destinationOf(level)): Logger {
  const redact = {
    paths: [
      ...[
        'req.headers.authorization',
        '*.authorization',
        '*.client_secret',
        '*.access_token',
        '*.card_id',
        '*.customer_id',
      ],
      // PostgreSQL's description of the row that a statement failed for.
      ...['err.detail', 'err.where'],
    ],
    censor: '[redacted]',
  }
  return pino({ level, base: null, redact }, destination)
}

/** Standard output. A silent logger gets none, since the destination would end the process when it can't be written. */
function destinationOf(level: string): DestinationStream {
  if (level === 'silent') return { write: () => {} }
  return pino.destination({ sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS })
}
