/** What a start says when it cannot run yet. */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'

const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-run-'))
for (const path of ['src/tools', '.config', 'prisma/schema.prisma']) {
  cpSync(join(projectRoot, path), join(folder, path), { recursive: true })
}
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const noPackages = 'The packages are not installed: run npm ci first.\n'
const tooOld = (range: string) => `Node ${range} is needed, and this is ${process.version}.\n`

test.each([
  [`>=${major}.${minor}`, noPackages],
  [`>=${major - 1}.${minor + 1}`, noPackages],
  [`>=${major}.${minor + 1}`, tooOld(`>=${major}.${minor + 1}`)],
  [`>=${major + 1}.0`, tooOld(`>=${major + 1}.0`)],
])('with Node %s and without packages one sentence says what is missing', async (node, sentence) => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ engines: { node } }))
  const run = promisify(execFile)(process.execPath, [join(folder, 'src/tools/run.mjs'), 'main'])
  await expect(run).rejects.toMatchObject({ code: 1, stderr: sentence })
})
