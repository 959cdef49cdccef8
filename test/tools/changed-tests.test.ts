import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'

interface ChangedTests {
  reasonToRun(file: string, imported: readonly string[], changed: readonly string[]): string | null
  endToEndFiles(root: string, paths?: readonly string[]): string[]
}
const tools = 'src/tools/changed-tests.mjs'
const { reasonToRun, endToEndFiles } = (await import(join(projectRoot, tools))) as ChangedTests

const nginx = 'test/server/nginx.e2e.ts'
const imported = [nginx, 'test/support/program.ts', 'src/config/project-root.ts']

test.each([
  ['the file itself changed', nginx, [nginx], nginx],
  ['a file that it imports changed', nginx, ['README.md', 'test/support/program.ts'], 'test/support/program.ts'],
  ['the folder of src changed that its own mirrors', nginx, ['src/server/stop.ts'], 'src/server/stop.ts'],
  ['a folder inside that folder changed', nginx, ['src/server/webhooks/post.ts'], 'src/server/webhooks/post.ts'],
  ['what starts every program changed', nginx, ['src/main.ts'], 'src/main.ts'],
  ['the database changed', nginx, ['prisma/schema.prisma'], 'prisma/schema.prisma'],
  ['a package changed', nginx, ['package-lock.json'], 'package-lock.json'],
  ['it crosses all of src', 'test/system/crash.e2e.ts', ['src/domain/pricing/price.ts'], 'src/domain/pricing/price.ts'],
])('npm run check runs a test end to end when %s', (_, file, changed, reason) => {
  expect(reasonToRun(file, imported, changed)).toBe(reason)
})

test.each([
  ['another folder of src changed', nginx, ['src/domain/pricing/price.ts', 'src/server-side.ts']],
  ['another test changed', nginx, ['test/server/drain.e2e.ts', 'test/support/proxy.ts']],
  ['words changed', 'test/system/crash.e2e.ts', ['README.md', 'test/README.md']],
  ['nothing changed', nginx, []],
])('npm run check leaves a test end to end out when %s', (_, file, changed) => {
  expect(reasonToRun(file, imported, changed)).toBeNull()
})

test('npm run check runs the tests end to end of the files and folders that it is given', () => {
  expect(endToEndFiles(projectRoot, ['./test/import/', nginx])).toEqual(['test/import/main.e2e.ts', nginx])
  expect(endToEndFiles(projectRoot, ['test/domain'])).toEqual([])
  expect(endToEndFiles(projectRoot)).toContain('test/main.e2e.ts')
})
