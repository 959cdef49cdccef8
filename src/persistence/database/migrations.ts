/** Migration files: the SQL that leads from an empty database to the current schema. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../config/project-root.ts'

/** A migration file, as `migrate` applies it. */
export interface Migration {
  /** The name of its folder; migrations are applied in the order of names. */
  readonly name: string
  readonly sql: string
  /** SHA-256 of the file in hex, as Prisma records it. */
  readonly checksum: string
}

/** The absolute path of the folder of migrations. */
export const migrationsFolder = join(projectRoot, 'prisma/migrations')

/** The migrations in their order; every sub-folder has a migration.sql. */
export function readMigrations(): Migration[] {
  return readdirSync(migrationsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(migrationsFolder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: checksumOf(sql) }
    })
}

/** Whether a recorded checksum is this migration's, whatever the line ends of the checkout. */
export function isUnchanged({ sql, checksum }: Migration, recorded: string): boolean {
  if (checksum === recorded) return true
  const unix = sql.replaceAll('\r\n', '\n')
  return checksumOf(unix) === recorded || checksumOf(unix.replaceAll('\n', '\r\n')) === recorded
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
