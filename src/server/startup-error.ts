import { ConfigError } from '../config/config.ts'
import { MigrationError } from '../persistence/database/migrate.ts'

/** Startup error as sentences for the operator, outermost cause first, and without a stack: wrong configuration, migration, port in use. */
export function describeStartupError(error: unknown): string {
  if (error instanceof ConfigError || error instanceof MigrationError) return error.message
  if (!(error instanceof Error)) return String(error)
  // Node's error for a host with several addresses, all of which failed, has no message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeStartupError).join(', ')
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE' || code === 'EADDRNOTAVAIL' || syscall === 'listen')
    return `The server cannot listen: ${error.message}. Set PORT and HOST to an address that is free.`
  return error.cause === undefined ? error.message : `${error.message}: ${describeStartupError(error.cause)}`
}
