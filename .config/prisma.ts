import { defineConfig } from 'prisma/config'

// The CLI fetches a schema engine before it runs a command, also before those that never use one. This file is read in
// the same process ahead of that check, so for these commands any executable will do, and the client is generated
// without the network.
if (process.argv.some((word) => word === 'generate' || word === 'validate' || word === 'format')) {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath
}

const url = process.env.DATABASE_URL

export default defineConfig({
  schema: '../prisma/schema.prisma',
  migrations: { path: '../prisma/migrations' },
  ...(url ? { datasource: { url } } : {}),
})
