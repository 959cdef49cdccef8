import { ConfigError } from '../config/config.ts'
import { MigrationError } from '../persistence/database/migrate.ts'

/** Startup error as sentences for the operator, outermost cause first, and without a stack. */
export function describeStartupError(error: unknown): string {
  if (error instanceof ConfigError || error instanceof MigrationError) return error.message
  if (!(error instanceof Error)) return String(error)
  // Node's error for a host with several addresses, all of which failed, has no message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeStartupError).join(', ')
  return error.cause === undefined ? error.message : `${error.message}: ${describeStartupError(error.cause)}`
}
