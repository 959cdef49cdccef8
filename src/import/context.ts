/** Who an import is: the author of its changes and its context. */
import type { Author } from '../persistence/database/change-log.ts'
import { type Context, createContext, type Services } from '../request/context.ts'

/** To whom the change log ascribes what an import writes. */
export const importAuthor: Author = { subject: 'import', role: 'admin', operation: 'import' }

/** The context of an import, with all rights: its user has access to the database itself. */
export function importContext(services: Services): Context {
  const { subject, role } = importAuthor
  const viewer = { subject, role, accountId: null, expiresAt: Number.POSITIVE_INFINITY } as const
  return createContext(services, { viewer, now: Date.now(), requestId: 'import' })
}
