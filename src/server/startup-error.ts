import { ConfigError } from '../config/config.ts'
import { MigrationError } from '../persistence/database/migrate.ts'

/** Why a program could not run, for reasons that an operator can mend: told in sentences, the outer reason first. */
export function describeStartupError(error: unknown): string {
  if (error instanceof ConfigError || error instanceof MigrationError) return error.message
  if (!(error instanceof Error)) return String(error)
  // Of a host with several addresses, each of which failed.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describeStartupError).join(', ')
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE' || code === 'EADDRNOTAVAIL' || syscall === 'listen')
    return `The server cannot listen: ${error.message}. Set PORT and HOST to an address that is free.`
  return error.cause === undefined ? error.message : `${error.message}: ${describeStartupError(error.cause)}`
}
