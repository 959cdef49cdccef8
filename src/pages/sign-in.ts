/** Signing in from pages: what the server tells them of the identity provider (token.pages-sign-in). */
import { readFileSync } from 'node:fs'
import { createDiscovery } from '../auth/discovery.ts'
import type { Config } from '../config/config.ts'
import type { Logger } from '../lib/log.ts'
import { createStaticFiles, type StaticFiles } from './static-files.ts'

/** The page to which the provider leads back: the redirect URI of the client. */
export const SIGN_IN_PATH = '/sign-in'
/** The prefix of its files. */
export const SIGN_IN_FILES = `${SIGN_IN_PATH}/files/`

/** What a page gets. */
export interface PageSignIn {
  /** For the settings of the page; `provider` is null while it was never reached. Null when pages don't sign in. */
  readonly settings: object | null
  /** The sources of `connect-src` in the page's policy: this server, and where codes are exchanged for tokens. */
  readonly connect: string
}

/** How pages sign in. */
export interface SignIn {
  /** The script, which pages import when they need it. */
  readonly files: () => StaticFiles
  readonly forPage: () => Promise<PageSignIn>
}

/** What a page gets where pages don't sign in. */
export const noSignIn: PageSignIn = { settings: null, connect: "'self'" }

/** Null without OIDC_CLIENT_ID. Begins to look for the provider. */
export function createSignIn({ signIn, proxies }: Pick<Config, 'signIn' | 'proxies'>, log: Logger): SignIn | null {
  if (signIn === null) return null
  const { issuer, ...client } = signIn
  const discover = createDiscovery(issuer, proxies, log)
  void discover()
  let loaded: StaticFiles | undefined
  const files = (): StaticFiles => {
    loaded ??= createStaticFiles(SIGN_IN_FILES, {
      'main.js': readFileSync(new URL('sign-in/main.js', import.meta.url), 'utf8'),
    })
    return loaded
  }
  return {
    files,
    forPage: async () => {
      const provider = await discover()
      const token = provider && new URL(provider.token_endpoint).origin
      return {
        settings: { ...client, provider, module: `${files().folder}/main.js` },
        connect: token ? `'self' ${token}` : "'self'",
      }
    },
  }
}
