import { type ChildProcess, execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type Program, startProgram } from './support/program.ts'

const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-main-'))
const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function start(environment: Record<string, string> = {}): Program {
  const program = startProgram([process.execPath, 'src/tools/run.mjs', 'main'], { DATA_DIR: folder, ...environment })
  running.add(program.child)
  void program.exit.then(() => running.delete(program.child))
  return program
}

describe('npm start', () => {
  test('npm start prints an address, two valid tokens, a query and a curl command that return a page; SIGTERM ends it with exit code 0 within ten seconds', async () => {
    const program = start()
    const [, base = ''] = await program.says(/Address +(\S+)/)
    const [, query = ''] = await program.says(/A query +(.+)/)
    expect((await fetch(`${base}/ready`)).status).toBe(200)
    for (const [role, status] of [
      ['Admin', 400],
      ['Shopper', 403],
    ] as const) {
      const token = new RegExp(`${role} token +(\\S+)`).exec(program.printed())?.[1]
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(`${base}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
      const { data, errors } = (await response.json()) as {
        data: { storefront: { latestRelease: { products: { nodes: unknown[] } } } }
        errors?: unknown
      }
      expect([errors, data.storefront.latestRelease.products.nodes.length]).toEqual([undefined, 3])
      expect((await fetch(`${base}/v2/subscriptions/products/x`, { method: 'PUT', headers, body: '{' })).status).toBe(
        status,
      )
    }
    const [, line = ''] = await program.says(/From a shell +(.+)/)
    const { stdout } = await promisify(execFile)('bash', ['-c', line])
    expect(JSON.parse(stdout).data).toHaveLength(3)
    const signalled = performance.now()
    program.child.kill('SIGTERM')
    program.child.kill('SIGINT')
    expect(await program.exit).toBe(0)
    expect(performance.now() - signalled).toBeLessThan(10_000)
    expect(program.printed()).toContain('"msg":"stopped"')
  })

  test('a second process fails with the name of the process that has the data folder; the first goes on and its data persist', async () => {
    const first = start()
    const [, base = ''] = await first.says(/Address +(\S+)/)
    const second = start()
    expect(await second.exit).toBe(1)
    expect(second.printed()).toContain(String(first.child.pid))
    expect(second.printed()).not.toMatch(/\n\s+at /)
    expect((await fetch(`${base}/ready`)).status).toBe(200)
    first.child.kill('SIGINT')
    expect(await first.exit).toBe(0)
  })

  test('a signal during the startup ends the server with exit code 0, a closed database and a free data folder', async () => {
    const fresh = join(folder, 'fresh')
    const lock = join(fresh, 'lock')
    const moments: ((program: Program) => Promise<unknown>)[] = [
      () => expect.poll(() => existsSync(lock), { interval: 5, timeout: 120_000 }).toBe(true),
      (program) => program.says(/"msg":"loaded the demo store"/),
      (program) => program.says(/"msg":"listening"/),
    ]
    for (const moment of moments) {
      const program = start({ DATA_DIR: fresh })
      await moment(program)
      program.child.kill('SIGTERM')
      expect([await program.exit, existsSync(lock)]).toEqual([0, false])
      expect(program.printed()).toContain('"msg":"stopped"')
      expect(program.printed()).not.toContain('"level":50')
    }
  })

  test('a signal while the database is being opened does not wait for it, and leaves a free data folder', async () => {
    const held = join(folder, 'held')
    const never = `import { syncBuiltinESMExports } from 'node:module'
      import threads from 'node:worker_threads'
      threads.Worker = class extends threads.Worker { constructor() { super('setInterval(() => {}, 1000)', { eval: true }) } }
      syncBuiltinESMExports()`
    const program = start({
      DATA_DIR: held,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(never)}`,
    })
    await expect.poll(() => existsSync(join(held, 'lock')), { interval: 5, timeout: 120_000 }).toBe(true)
    program.child.kill('SIGTERM')
    expect([await program.exit, existsSync(join(held, 'lock'))]).toEqual([0, false])
    expect(program.printed()).toContain('"msg":"stopped"')
  })

  test('errors of an invalid configuration are all printed, without a stack and without secrets', async () => {
    const program = start({ PORT: 'x', AUTH_SECRET: 'hush', PAGE_LENGTH: '0' })
    expect(await program.exit).toBe(1)
    for (const name of ['PORT', 'AUTH_SECRET', 'PAGE_LENGTH']) expect(program.printed()).toContain(name)
    expect(program.printed()).not.toMatch(/hush|\n\s+at /)
  })

  test('a port in use is reported in a sentence, and the database is closed', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const program = start({ PORT: String((other.address() as AddressInfo).port) })
    expect(await program.exit).toBe(1)
    expect(program.printed()).toMatch(
      /^The server cannot listen: listen EADDRINUSE.*\. Set PORT and HOST to an address of this machine that is free\.\n$/,
    )
    expect(existsSync(join(folder, 'lock'))).toBe(false)
    other.close()
  })

  test.each([
    [
      'a data folder that is a file',
      { DATA_DIR: fileURLToPath(import.meta.url) },
      /^DATA_DIR must be a folder .*main\.e2e\.ts is not: EEXIST/m,
    ],
    [
      'a data folder under a file',
      { DATA_DIR: join(fileURLToPath(import.meta.url), 'x') },
      /^DATA_DIR must be a folder .*: ENOTDIR/m,
    ],
    [
      'a data folder that cannot be written, though no secret is made',
      { DATA_DIR: fileURLToPath(import.meta.url), AUTH_SECRET: 'x'.repeat(32) },
      /^DATA_DIR must be a folder/m,
    ],
    [
      'a data folder that the system refuses as if its parent were missing',
      { DATA_DIR: '/proc/x/y' },
      /^DATA_DIR must be a folder .*: ENOENT/m,
    ],
    [
      'a host that is not there',
      { HOST: 'no host' },
      /^The server cannot listen: getaddrinfo ENOTFOUND no host\. Set PORT and HOST/m,
    ],
    [
      'a server that is not there',
      { DATABASE_URL: 'postgres://me:hush@localhost:1/store' },
      /DATABASE_URL: connect ECONNREFUSED [^,]+:1/,
    ],
    ['documents that are not there', { PERSISTED_DOCUMENTS: '/nowhere' }, /^PERSISTED_DOCUMENTS must be .*: ENOENT/m],
    [
      'documents that are no JSON',
      { PERSISTED_DOCUMENTS: 'README.md' },
      /^PERSISTED_DOCUMENTS must be .*: Unexpected token/m,
    ],
  ])('a start with %s is reported in a sentence that names the variable', async (_, environment, sentence) => {
    const program = start(environment)
    expect(await program.exit).toBe(1)
    expect(program.printed()).toMatch(sentence)
    expect(program.printed()).not.toMatch(/hush|\n\s+at /)
  })

  test('token.demo-tokens-stay-local: in production no token is printed', async () => {
    const secrets = { AUTH_SECRET: 'x'.repeat(32), CLIENT_ID: 'id', CLIENT_SECRET: 'hush' }
    const program = start({ NODE_ENV: 'production', ...secrets })
    await program.says(/"msg":"listening"/)
    program.child.kill('SIGTERM')
    expect(await program.exit).toBe(0)
    expect(program.printed()).not.toMatch(/eyJ|hush|token/i)
  })
})
