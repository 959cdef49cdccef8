/** Import context: the author of an import's changes, and the rights of its operations. */
import type { Author } from '../persistence/database/change-log.ts'
import { type Context, createContext, type Services } from '../request/context.ts'

/** The author in the change log of what an import writes. */
export const importAuthor: Author = { subject: 'import', role: 'admin', operation: 'import' }

/** The context of an import, with all rights: its user has access to the database itself, or is an administrator. */
export function importContext(services: Services, { subject }: Author = importAuthor): Context {
  const { role } = importAuthor
  const viewer = {
    subject,
    role,
    accountId: null,
    channel: null,
    tags: [],
    expiresAt: Number.POSITIVE_INFINITY,
  } as const
  return createContext(services, { viewer, now: Date.now(), requestId: 'import' })
}
