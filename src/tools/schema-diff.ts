/** Schema difference: the SQL that leads from the migrations to schema.prisma. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { projectRoot } from '../config/project-root.ts'
import { migrationsFolder, readMigrations } from '../persistence/database/migrations.ts'
import { ensureDatabaseFolder } from '../persistence/database/pglite-folder.ts'

// Node's types lack WebAssembly, and those of browsers would declare much that Node lacks.
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>
  }
}

const extensions = { pg_trgm, unaccent }

const schemaPath = `${projectRoot}/prisma/schema.prisma`

/** The adapter over databases with the extensions that migrations use. */
class AdapterWithExtensions extends PrismaPGlite {
  override connectToShadowDb(): ReturnType<PrismaPGlite['connectToShadowDb']> {
    return new PrismaPGlite(new PGlite({ extensions })).connect()
  }
}

/**
 * The SQL that leads from the migrations to schema.prisma, '' when they are equal. For development only: Prisma's
 * engine, used as a module since its executable may not be available, runs the migrations in an empty scratch database;
 * it must never get one with data. It does not see checks, triggers, partial and expression indexes, and NULLS NOT
 * DISTINCT; tests check those by name.
 */
export async function diffToSchema(): Promise<string> {
  const content = readFileSync(schemaPath, 'utf8')
  const scratch = mkdtempSync(join(tmpdir(), 'schema-diff-'))
  await ensureDatabaseFolder(join(scratch, 'data'))
  const database = await PGlite.create({ dataDir: join(scratch, 'data'), extensions })
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new AdapterWithExtensions(database))
    const engine = await startEngine([[schemaPath, content]], adapter)
    const { stdout } = await engine.diff({
      from: fromMigrations(),
      to: { tag: 'schemaDatamodel', files: [{ path: schemaPath, content }] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    })
    const sql = stdout?.trim() ?? ''
    return sql === '-- This is an empty migration.' ? '' : sql
  } finally {
    await database.close()
    rmSync(scratch, { recursive: true })
  }
}

function fromMigrations(): engineModule.DiffTarget {
  if (!existsSync(migrationsFolder)) return { tag: 'empty' }
  return {
    tag: 'migrations',
    baseDir: migrationsFolder,
    lockfile: {
      path: './migration_lock.toml',
      content: readFileSync(`${migrationsFolder}/migration_lock.toml`, 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: readMigrations().map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  }
}

async function startEngine(datamodels: [string, string][], adapter: object): Promise<engineModule.SchemaEngine> {
  const file = fileURLToPath(import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg')).replace(
    /\.js$/,
    '.wasm',
  )
  const { instance } = await WebAssembly.instantiate(await readFile(file), { './schema_engine_bg.js': engineModule })
  engineModule.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return engineModule.SchemaEngine.new({ datamodels }, () => {}, adapter)
}
