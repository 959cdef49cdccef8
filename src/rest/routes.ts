/** Table of all REST routes (http.paths-and-aliases, http.open-routes). New routes are added here and nowhere else. */
import type { IssueToken } from '../auth/issue.ts'
import { defaultClaims } from '../config/auth-config.ts'
import type { Config } from '../config/config.ts'
import { mayIssueDemoTokens } from '../demo/demo-tokens.ts'
import { object, text } from '../domain/input/json-schema.ts'
import { hierarchyProductRoutes } from './catalog/hierarchy-product.ts'
import { exportRoutes } from './exports/export.ts'
import { HttpFailure } from './http/errors.ts'
import { openApiDocument } from './http/openapi.ts'
import type { OpenRoute, Route } from './http/route.ts'
import { importRoutes } from './imports/import.ts'
import { productPriceRoutes } from './pricing/product-price.ts'
import { subscriptionRoutes } from './subscriptions/subscription.ts'
import { subscriptionProductRoutes } from './subscriptions/subscription-product.ts'
import { tokenRoute } from './token.ts'

/** Collaborators of the routes. */
export interface RoutesParts {
  readonly config: Pick<Config, 'auth' | 'production' | 'host'>
  /**
   * Null when an external identity provider issues the tokens: then there is no token endpoint
   * (token.issued-with-own-secret).
   */
  readonly issue: IssueToken | null
  /** Whether the database responds and is migrated, the signing keys were fetched, and no stop was requested. */
  readonly isReady: () => Promise<boolean>
}

const tag = 'Server'
const openGet = { method: 'GET', right: 'open' } as const
const status = object({ status: text() })

/** The routes of the store's API, which the landing page lists; the others are the server's own. */
export const documentedRoutes: readonly Route[] = [
  ...subscriptionProductRoutes,
  ...hierarchyProductRoutes,
  ...productPriceRoutes,
  ...subscriptionRoutes,
  ...importRoutes,
  ...exportRoutes,
]

/** Creates the table. The OpenAPI document of its routes is made when it is first requested. */
export function createRoutes(parts: RoutesParts): Route[] {
  const described = describedRoutes(parts)
  let document: ReturnType<typeof openApiDocument> | undefined
  const about = { id: 'getOpenApi', tag, summary: 'This document', status: 200 } as const
  const handle = () => {
    document ??= openApiDocument(described)
    return { status: 200, body: document }
  }
  return [...described, { ...openGet, paths: ['/openapi.json'], document: about, handle }]
}

/** src/rest/openapi.json as text: the document of a server that issues tokens, which has every route. */
export function openApiText(): string {
  const rules = { issuer: null, audience: null, claims: defaultClaims }
  const auth = { kind: 'secret', secret: '', clientId: '', clientSecret: '', ...rules } as const
  const config = { auth, production: true, host: '' }
  const parts = { config, issue: async () => ({ token: '', expires: 0 }), isReady: async () => true }
  return `${JSON.stringify(openApiDocument(describedRoutes(parts)), null, 2)}\n`
}

function describedRoutes({ config, issue, isReady }: RoutesParts): Route[] {
  const { auth } = config
  const isDemo = (hostHeader: string | undefined) => mayIssueDemoTokens(config, hostHeader)
  const tokens = auth.kind === 'secret' && issue ? [tokenRoute({ auth, issue, mayIssueDemoTokens: isDemo })] : []
  return [...documentedRoutes, ...tokens, ...stateRoutes(isReady)]
}

function stateRoutes(isReady: RoutesParts['isReady']): OpenRoute[] {
  const start = {
    name: 'commerce-graph',
    graphql: '/graphql',
    openapi: '/openapi.json',
    health: '/health',
    ready: '/ready',
  }
  return [
    {
      ...openGet,
      paths: ['/'],
      document: {
        id: 'getStart',
        tag,
        summary: 'Where things are',
        status: 200,
        response: object(Object.fromEntries(Object.keys(start).map((name) => [name, text()]))),
        failures: [503],
        example: { response: start },
      },
      // Browsers get the landing page instead (server/landing-page.ts).
      handle: () => ({ status: 200, body: start, headers: { Vary: 'Accept' } }),
    },
    {
      ...openGet,
      paths: ['/health'],
      document: {
        id: 'getHealth',
        tag,
        summary: 'Whether the server is alive',
        status: 200,
        response: status,
        example: { response: { status: 'ok' } },
      },
      handle: () => ({ status: 200, body: { status: 'ok' } }),
    },
    {
      ...openGet,
      paths: ['/ready'],
      document: {
        id: 'getReady',
        tag,
        summary: 'Whether the server can do its work',
        status: 200,
        response: status,
        failures: [503],
        example: { response: { status: 'ready' } },
      },
      async handle() {
        if (await isReady()) return { status: 200, body: { status: 'ready' } }
        throw new HttpFailure(
          503,
          'The database does not respond, the keys of AUTH_JWKS_URL were not there yet, or the server is stopping',
          { 'Retry-After': '1' },
        )
      },
    },
  ]
}
