/** The command `npm run token`, as a process of its own. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createAuthenticate } from '../../src/auth/verify.ts'
import { defaultClaims } from '../../src/config/auth-config.ts'
import { projectRoot } from '../../src/config/project-root.ts'

const account = '0198f3c1-0000-7000-8000-00000000000a'

async function run(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const { AUTH_SECRET: _, ...inherited } = process.env
  const env = { ...inherited, NODE_ENV: 'development', ...environment }
  const command = promisify(execFile)(process.execPath, ['src/tools/run.mjs', 'auth/main', ...args], {
    cwd: projectRoot,
    env,
  })
  return command.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

test('token.made-by-hand: the token has what was asked for, and is signed with the secret in DATA_DIR', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-token-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { code, stdout, stderr } = await run(['--account', account, '--channel', 'web', '--tag', 'member'], {
    DATA_DIR: folder,
  })
  expect(code).toBe(0)
  expect(stderr).toContain(`Signed with the secret in ${folder}.`)
  const secret = readFileSync(join(folder, 'auth-secret'), 'utf8').trim()
  const rules = { issuer: null, audience: null, claims: defaultClaims }
  const authenticate = createAuthenticate({ kind: 'secret', secret, ...rules })
  const viewer = { subject: 'shopper', role: 'shopper', accountId: account, channel: 'web', tags: ['member'] }
  expect(await authenticate(`Bearer ${stdout.trim()}`, Date.now())).toMatchObject(viewer)
})

test('token.made-by-hand: a server with an identity provider makes none, and says so', async () => {
  const { code, stdout, stderr } = await run([], { AUTH_JWKS_URL: 'https://id.example/keys' })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain('the identity provider makes them')
})
