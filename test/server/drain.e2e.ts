/** The drain of a server that was told to stop, as a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Program, startProgram } from '../support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-drain-'))
const programs: Program[] = []
afterAll(() => {
  for (const { child } of programs) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function start(seconds: number): Promise<{ program: Program; base: string }> {
  const environment = { DATA_DIR: folder, DRAIN_SECONDS: String(seconds) }
  const program = startProgram([process.execPath, 'src/tools/run.mjs', 'main'], environment)
  programs.push(program)
  return { program, base: (await program.says(/Address +(\S+)/))[1] ?? '' }
}

/** The status by a connection of its own. */
const statusOf = async (url: string) => (await fetch(url, { headers: { connection: 'close' } })).status

test('http.drain-before-stop: for DRAIN_SECONDS it is not ready and takes requests, and then it ends', async () => {
  const { program, base } = await start(3)
  expect(await statusOf(`${base}/ready`)).toBe(200)
  const signalled = performance.now()
  program.child.kill('SIGTERM')
  await program.says(/"msg":"draining/)
  expect([await statusOf(`${base}/ready`), await statusOf(`${base}/health`), await statusOf(`${base}/openapi.json`)]).toEqual([
    503, 200, 200,
  ])
  // The pages are there in a build alone.
  const page = await fetch(`${base}/docs`, { headers: { accept: 'text/html' } })
  const head = await fetch(`${base}/docs`, { method: 'HEAD', headers: { accept: 'text/html' } })
  const named = ({ headers }: Response) => ['content-type', 'content-encoding', 'content-length', 'vary'].map((name) => headers.get(name))
  expect([head.status, named(head)]).toEqual([200, named(page)])
  const missing = await fetch(`${base}/docs/files/x/main.js`)
  expect([missing.status, await missing.json()]).toMatchObject([404, { errors: [{ status: '404' }] }])
  expect(await program.exit).toBe(0)
  expect(performance.now() - signalled).toBeGreaterThanOrEqual(3_000)
  await expect(fetch(`${base}/health`)).rejects.toThrow()
})

test('http.drain-before-stop: a second signal ends the drain, and the stop is as it is without one', async () => {
  const { program, base } = await start(600)
  program.child.kill('SIGTERM')
  await program.says(/"msg":"draining/)
  expect(await statusOf(`${base}/health`)).toBe(200)
  program.child.kill('SIGINT')
  expect(await program.exit).toBe(0)
  expect(program.printed()).toContain('"msg":"stopped"')
})
