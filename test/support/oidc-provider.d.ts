/** As much of oidc-provider as the tests use; it has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Configuration {
    readonly clients: readonly object[]
    readonly clientBasedCORS: () => boolean
    readonly cookies: { readonly keys: readonly string[] }
    readonly findAccount: (ctx: unknown, id: string) => { readonly accountId: string; readonly claims: () => object }
    readonly issueRefreshToken: () => Promise<boolean>
    readonly jwks: { readonly keys: readonly object[] }
    readonly routes: { readonly jwks: string }
    /** Seconds. */
    readonly ttl: Readonly<Record<string, number>>
    readonly features: Readonly<Record<string, object>>
    readonly formats: {
      readonly customizers: {
        readonly jwt: (
          ctx: unknown,
          token: { readonly clientId?: string; readonly accountId?: string; readonly gty?: string },
          parts: { readonly payload: Record<string, unknown> },
        ) => void
      }
    }
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    readonly Client: { readonly prototype: object }
    callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>
  }
}
