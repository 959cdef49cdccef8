/** What a start makes first, in a copy of the repository: several starts at one time right after the schema changed. */
import { execFile } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'

const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-prepare-'))
const client = join(folder, 'src/generated/prisma')

beforeAll(() => {
  for (const path of ['src/tools', '.config', 'prisma/schema.prisma', 'package.json']) {
    cpSync(join(projectRoot, path), join(folder, path), { recursive: true })
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Rejects, with what was printed, when it fails. */
const prepare = () => promisify(execFile)(process.execPath, [join(folder, 'src/tools/prepare.mjs')], { cwd: folder })

const filesOf = (root: string) =>
  readdirSync(join(root, 'src/generated/prisma'), { recursive: true, encoding: 'utf8' }).sort()

test('simultaneous starts after a change of the schema all succeed and generate the complete client', async () => {
  const schema = join(folder, 'prisma/schema.prisma')
  appendFileSync(schema, '\nmodel Gone {\n  id Int @id\n}\n')
  await prepare()
  expect(filesOf(folder)).toContain('models/Gone.ts')
  writeFileSync(schema, readFileSync(schema, 'utf8').replaceAll('Gone', 'Come'))
  await Promise.all([prepare(), prepare()])
  expect(filesOf(folder)).toEqual([...filesOf(projectRoot), 'models/Come.ts'].sort())
  for (const file of filesOf(folder).filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(join(client, file), 'utf8')
    expect([file, text.length > 0, text.includes('Gone')]).toEqual([file, true, false])
  }
  expect(readdirSync(join(folder, '.build'))).toEqual([])
})

test('an incomplete Prisma client is generated again, a complete one is kept', async () => {
  mkdirSync(client, { recursive: true })
  writeFileSync(join(folder, 'src/generated/.stamp'), 'of another schema')
  writeFileSync(join(client, 'client.ts'), 'half')
  await prepare()
  expect(readFileSync(join(client, 'client.ts'), 'utf8')).toContain('PrismaClient')
  writeFileSync(join(client, 'client.ts'), 'kept')
  await prepare()
  expect(readFileSync(join(client, 'client.ts'), 'utf8')).toBe('kept')
})
