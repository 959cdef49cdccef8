import { ConfigError } from '../config/config.ts'
import { MigrationError } from '../persistence/database/migrate.ts'

/** Startup error as sentences for the operator: the outermost cause first, without a stack. */
export function describeStartupError(error: unknown): string {
  if (error instanceof ConfigError || error instanceof MigrationError) return error.message
  if (!(error instanceof Error)) return String(error)
  // Node's error for a host with several addresses, all of which failed, has no message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeStartupError).join(', ')
  // Prisma's message begins with the code that sent the statement. Its last line is the database's.
  const message = (error.name.startsWith('PrismaClient') && error.message.trim().split('\n').at(-1)) || error.message
  return error.cause === undefined ? message : `${message}: ${describeStartupError(error.cause)}`
}
