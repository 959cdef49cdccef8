/** A server whose pages sign in at a started identity provider, opened in a browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { type Browser, openBrowser } from './browser.ts'
import { copyDemoStore } from './demo-store.ts'
import { type IdentityProvider, PAGES, startIdentityProvider } from './identity-provider.ts'
import { startProgram } from './program.ts'
import { startCommand } from './start-command.ts'

const AUDIENCE = 'urn:commerce'
const admin = { aud: AUDIENCE, realm_access: { roles: ['shop-admin'] } }
const late = { exp: Math.floor(Date.now() / 1_000) - 600 }

/** Who can log in, and how the server takes them. */
const people: Readonly<Record<string, (refreshed: boolean) => object>> = {
  'an administrator': () => admin,
  'a shopper': () => ({ aud: AUDIENCE, realm_access: { roles: [] }, account_id: demoIds.account }),
  'someone without a role': () => ({ aud: AUDIENCE }),
  'who gets an expired token first': (refreshed) => ({ ...admin, ...(!refreshed && late) }),
  'who gets expired tokens': () => ({ ...admin, ...late }),
}

/** A running server with the demo store, and the provider at which its pages sign in. */
interface SignInServer {
  readonly base: string
  readonly browser: Browser
  readonly provider: IdentityProvider
  /** What the server has printed: its log. */
  printed(): string
  stop(): Promise<void>
}

async function startSignInServer(): Promise<SignInServer> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-sign-in-'))
  const provider = await startIdentityProvider({ path: '/', keys: '/keys', clients: {}, people })
  const dataDir = join(folder, 'data')
  copyDemoStore(dataDir)
  const program = startProgram(startCommand(), {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    AUTH_JWKS_URL: provider.keysUrl,
    AUTH_ISSUER: provider.issuer,
    AUTH_AUDIENCE: AUDIENCE,
    AUTH_ROLE_CLAIM: 'realm_access.roles',
    AUTH_ADMIN_ROLES: 'shop-admin',
    OIDC_CLIENT_ID: PAGES,
  })
  const [, base = ''] = await program.says(/Address +(\S+)/)
  const browser = await openBrowser()
  return {
    base,
    browser,
    provider,
    printed: program.printed,
    async stop() {
      await browser.close()
      program.child.kill('SIGTERM')
      await program.exit
      await provider.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The server of a test file, and how its browser opens a page of it. */
export function useSignInServer() {
  let running: SignInServer | undefined
  const server = (): SignInServer => {
    if (!running) throw new Error('the server of the test has not started')
    return running
  }
  beforeAll(async () => {
    running = await startSignInServer()
  })
  afterEach(async ({ task }) => running?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))
  afterAll(() => running?.stop())
  const open = async (path: string): Promise<Page> => {
    const page = await server().browser.open()
    await page.goto(`${server().base}${path}`)
    return page
  }
  return { server, open }
}

/** Presses the page's button, and logs in at the provider as one of the people; it asks no one twice. */
export async function signIn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await logIn(page, name)
}

/** Fills in the provider's pages. */
export async function logIn(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}
