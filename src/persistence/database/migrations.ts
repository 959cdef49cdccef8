import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../config/project-root.ts'

export interface Migration {
  /** The folder's name; their order is the order of application. */
  readonly name: string
  readonly sql: string
  /** sha256 of the file, as Prisma writes it. */
  readonly checksum: string
}

export const migrationsFolder = join(projectRoot, 'prisma/migrations')

/** The migrations in a folder, in order: every sub-folder with a migration.sql. */
export function readMigrations(folder = migrationsFolder): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: checksumOf(sql) }
    })
}

/** Whether a recorded checksum is this migration's; a checkout may have changed the line ends. */
export function isUnchanged({ sql, checksum }: Migration, recorded: string): boolean {
  if (checksum === recorded) return true
  const unix = sql.replaceAll('\r\n', '\n')
  return checksumOf(unix) === recorded || checksumOf(unix.replaceAll('\n', '\r\n')) === recorded
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
