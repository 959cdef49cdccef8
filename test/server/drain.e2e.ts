/** A built server as a process of its own: how it drains before a stop, and HEAD of its pages. */
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

test('http.drain-before-stop: after SIGTERM the server goes on for DRAIN_SECONDS, and then ends', async () => {
  const { program, base } = await start(2)
  const signalled = performance.now()
  program.child.kill('SIGTERM')
  expect(await program.exit).toBe(0)
  expect(performance.now() - signalled).toBeGreaterThanOrEqual(2_000)
  await expect(fetch(`${base}/health`)).rejects.toThrow()
})

test('http.drain-before-stop: a server that drains is not ready and takes requests, until a second signal ends that', async () => {
  const { program, base } = await start(600)
  expect(await statusOf(`${base}/ready`)).toBe(200)
  program.child.kill('SIGTERM')
  await program.says(/"msg":"draining/)
  const statuses = [
    await statusOf(`${base}/ready`),
    await statusOf(`${base}/health`),
    await statusOf(`${base}/openapi.json`),
  ]
  expect(statuses).toEqual([503, 200, 200])
  program.child.kill('SIGINT')
  expect(await program.exit).toBe(0)
  expect(program.printed()).toContain('"msg":"stopped"')
})

test('http.head-is-get, http.every-failure-has-errors: HEAD and failures are the same for the pages and files that only a build has', async () => {
  const { program, base } = await start(0)
  const browser = { accept: 'text/html' }
  const named = ({ headers }: Response) =>
    ['content-type', 'content-encoding', 'content-length', 'vary'].map((name) => headers.get(name))
  for (const path of ['/docs', '/explore']) {
    const page = await fetch(`${base}${path}`, { headers: browser })
    const head = await fetch(`${base}${path}`, { method: 'HEAD', headers: browser })
    expect([page.status, head.status, named(head)]).toEqual([200, 200, named(page)])
    const missing = await fetch(`${base}${path}/files/x/main.js`)
    expect([missing.status, await missing.json()]).toMatchObject([404, { errors: [{ status: '404' }] }])
  }
  program.child.kill('SIGTERM')
  expect(await program.exit).toBe(0)
})
