/** Identity provider: oidc-provider, with the addresses and claims of another product. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import type { Configuration } from 'oidc-provider'
import { vi } from 'vitest'

/** How a provider looks. */
export interface ProviderShape {
  /** The path of its issuer, such as `/realms/shop`, or `/`. */
  readonly path: string
  /** The path of its keys below that. */
  readonly keys: string
  /** The claims of the tokens that each client gets. */
  readonly clients: Readonly<Record<string, object>>
  /**
   * The claims of the tokens that each person gets, by the name under which one logs in. `refreshed` tells whether it
   * is a later token of the same sign-in.
   */
  readonly people?: Readonly<Record<string, (refreshed: boolean) => object>>
}

/** The public client that pages are. */
export const PAGES = 'pages'

/** A running provider. */
export interface IdentityProvider {
  readonly issuer: string
  /** The address of its keys. */
  readonly keysUrl: string
  /** The secret of each client. */
  readonly secret: string
  /** A new token of a client. */
  tokenOf(client: string): Promise<string>
  stop(): Promise<void>
}

/** Starts a provider on a free port; its tokens are JWTs by RS256, and its keys name no algorithm. */
export async function startIdentityProvider({
  path,
  keys,
  clients,
  people = {},
}: ProviderShape): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const secret = 'a secret of the clients'
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = await makeProvider(issuer, {
    clients: [
      ...Object.keys(clients).map((client_id) => ({
        client_id,
        client_secret: secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        token_endpoint_auth_method: 'client_secret_post',
      })),
      {
        client_id: PAGES,
        grant_types: ['authorization_code', 'refresh_token'],
        // Those of the server, whose port is known later, are allowed below.
        redirect_uris: ['http://127.0.0.1/sign-in'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ],
    clientBasedCORS: () => true,
    cookies: { keys: [secret] },
    issueRefreshToken: () => Promise.resolve(true),
    jwks: { keys: [await exportJWK(privateKey)] },
    routes: { jwks: keys },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ttl: {
      ...{ ClientCredentials: 600, AccessToken: 600, IdToken: 600, RefreshToken: 3_600 },
      ...{ Interaction: 600, Session: 3_600, Grant: 3_600 },
    },
    features: {
      clientCredentials: { enabled: true },
      // Its own pages to log in: any password will do.
      devInteractions: { enabled: Object.keys(people).length > 0 },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:shop',
        useGrantedResource: () => Promise.resolve(true),
        getResourceServerInfo: () => ({ scope: '', accessTokenFormat: 'jwt' }),
      },
    },
    formats: {
      customizers: {
        jwt: (_, { clientId, accountId, gty }, { payload }) => {
          const person = people[accountId ?? '']?.(gty?.includes('refresh_token') ?? false)
          for (const [name, value] of Object.entries(person ?? clients[clientId ?? ''] ?? {})) {
            if (value === null) delete payload[name]
            else payload[name] = value
          }
        },
      },
    },
  })
  const isPages = (address: string): boolean => /^http:\/\/127\.0\.0\.1:\d+\/sign-in$/.test(address)
  Object.assign(provider.Client.prototype, { redirectUriAllowed: isPages, postLogoutRedirectUriAllowed: isPages })
  const handle = provider.callback()
  const prefix = path === '/' ? '' : path
  server.on('request', (req: IncomingMessage & { originalUrl?: string }, res) => {
    req.originalUrl = req.url ?? ''
    req.url = req.originalUrl.slice(prefix.length)
    void handle(req, res)
  })
  return {
    issuer,
    keysUrl: `${issuer.replace(/\/$/, '')}${keys}`,
    secret,
    async tokenOf(client) {
      const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: client, client_secret: secret })
      const response = await fetch(`${issuer.replace(/\/$/, '')}/token`, { method: 'POST', body })
      return ((await response.json()) as { access_token: string }).access_token
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** It warns of Node 20, on which it runs, and of keeping everything in memory, which is meant here. */
async function makeProvider(issuer: string, configuration: Configuration) {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  try {
    const { Provider } = await import('oidc-provider')
    return new Provider(issuer, configuration)
  } finally {
    warn.mockRestore()
  }
}
