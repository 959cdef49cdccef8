/** What `npm ci` makes in advance, in a copy of the repository. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'

const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-install-'))

beforeAll(() => {
  for (const path of ['src', 'prisma', '.config', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(join(projectRoot, path), join(folder, path), { recursive: true })
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('npm ci ends when no template of the database can be made, and leaves nothing half made', async () => {
  const migration = join(folder, 'prisma/migrations/99990101000000_refused')
  mkdirSync(migration)
  writeFileSync(join(migration, 'migration.sql'), 'SELECT a_column_that_nobody_has')
  await promisify(execFile)(process.execPath, ['src/tools/install.mjs'], { cwd: folder, timeout: 200_000 })
  expect(readdirSync(join(folder, '.build')).filter((name) => !/^program-[0-9a-f]+$/.test(name))).toEqual([])
})
