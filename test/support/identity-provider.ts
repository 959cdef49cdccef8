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
}

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
export async function startIdentityProvider({ path, keys, clients }: ProviderShape): Promise<IdentityProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const secret = 'a secret of the clients'
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = await makeProvider(issuer, {
    clients: Object.keys(clients).map((client_id) => ({
      client_id,
      client_secret: secret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_post',
    })),
    jwks: { keys: [await exportJWK(privateKey)] },
    routes: { jwks: keys },
    ttl: { ClientCredentials: 600 },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'urn:shop',
        getResourceServerInfo: () => ({ scope: '', accessTokenFormat: 'jwt' }),
      },
    },
    formats: {
      customizers: {
        jwt: (_, { clientId }, { payload }) => {
          for (const [name, value] of Object.entries(clients[clientId ?? ''] ?? {})) {
            if (value === null) delete payload[name]
            else payload[name] = value
          }
        },
      },
    },
  })
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
