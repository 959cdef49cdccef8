/**
 * Token endpoint, POST /oauth/access_token: grants `client_credentials` (admin) and `implicit` (anonymous shopper);
 * token.endpoint-for-clients.
 */
import { randomUUID } from 'node:crypto'
import { type IssueToken, sameSecret, TOKEN_SECONDS } from '../auth/issue.ts'
import type { SecretAuth } from '../config/auth-config.ts'
import { assertValid } from '../domain/input/errors.ts'
import { isObject, readInput } from '../domain/input/input-reader.ts'
import { integer, object, text, word } from '../domain/input/json-schema.ts'
import { NO_STORE } from '../response-cache/http-caching.ts'
import { HttpFailure } from './http/errors.ts'
import type { OpenRoute } from './http/route.ts'

const grants = ['client_credentials', 'implicit'] as const

/** The route of the token endpoint. Its handler fails with 401 for wrong credentials and 422 for a malformed grant. */
export function tokenRoute(auth: SecretAuth, issue: IssueToken): OpenRoute {
  return {
    method: 'POST',
    paths: ['/oauth/access_token'],
    right: 'open',
    body: true,
    document: {
      id: 'getAccessToken',
      tag: 'Authentication',
      summary: 'Get an access token',
      description: '`client_credentials` gives an admin, `implicit` a shopper.',
      request: object({ grant_type: word(...grants), client_id: text(), 'client_secret?': text() }),
      status: 200,
      response: object({
        access_token: text(),
        token_type: word('Bearer'),
        expires_in: integer(),
        expires: integer(),
        identifier: word(...grants),
      }),
      failures: [401, 503],
      example: {
        body: { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' },
        response: {
          access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYWRtaW4ifQ.signature',
          token_type: 'Bearer',
          expires_in: TOKEN_SECONDS,
          expires: 1768482000,
          identifier: 'client_credentials',
        },
      },
    },
    async handle({ body, now }) {
      const { grant, clientId, clientSecret } = readGrant(body)
      // Both are always compared, so that the response time does not reveal which one is wrong.
      const right = [sameSecret(clientId, auth.clientId), grant === 'implicit' || sameSecret(clientSecret, auth.clientSecret)]
      if (right.includes(false))
        throw new HttpFailure(401, 'The client is not known, or its secret is wrong', { 'WWW-Authenticate': 'Bearer' })
      // Each anonymous shopper gets a subject of its own, since idempotency keys are scoped to subjects (write.idempotency-key).
      const viewer =
        grant === 'implicit'
          ? ({ subject: `shopper:${randomUUID()}`, role: 'shopper' } as const)
          : ({ subject: auth.clientId, role: 'admin' } as const)
      const { token, expires } = await issue(viewer, now)
      const response = { access_token: token, token_type: 'Bearer', expires_in: TOKEN_SECONDS, expires, identifier: grant }
      return { status: 200, body: response, headers: { 'Cache-Control': NO_STORE } }
    },
  }
}

function readGrant(body: unknown): { grant: (typeof grants)[number]; clientId: string; clientSecret: string } {
  const { value, violations } = readInput(isObject(body) ? body : {}, (reader) => {
    const grant = reader.oneOf('grant_type', grants, { required: true })
    const clientId = reader.text('client_id', { required: true })
    const clientSecret = reader.text('client_secret', {
      required: grant === 'client_credentials',
      nullable: grant !== 'client_credentials',
    })
    return { grant: grant ?? 'implicit', clientId: clientId ?? '', clientSecret: clientSecret ?? '' }
  })
  assertValid(violations)
  return value ?? { grant: 'implicit', clientId: '', clientSecret: '' }
}
