// New migration: `npm run migration:new -- name` writes prisma/migrations/<time>_<name>/migration.sql with the
// difference between the migrations and schema.prisma, to be reviewed and completed by hand (checks, triggers, partial
// indexes). Without a name it prints the SQL.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { migrationsFolder } from '../persistence/database/migrations.ts'
import { diffToSchema } from './schema-diff.ts'

const [name] = parseArgs({ allowPositionals: true }).positionals
const sql = await diffToSchema()
if (sql === '') {
  console.log('The migrations already lead to schema.prisma.')
} else if (name === undefined) {
  console.log(sql)
} else if (!/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('A migration is named by lowercase letters, digits and _.')
  process.exitCode = 1
} else {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = join(migrationsFolder, `${time}_${name}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'migration.sql'), `${sql}\n`)
  const lock = join(migrationsFolder, 'migration_lock.toml')
  if (!existsSync(lock)) writeFileSync(lock, 'provider = "postgresql"\n')
  console.log(`Wrote ${folder}/migration.sql`)
}
