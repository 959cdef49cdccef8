/**
 * Token endpoint, POST /oauth/access_token (token.endpoint-for-clients): grants `client_credentials` (admin) and
 * `implicit` (an anonymous shopper, or one with an account where demo tokens are given; token.demo-tokens-stay-local).
 */
import { randomUUID } from 'node:crypto'
import { type IssueToken, sameSecret, TOKEN_SECONDS } from '../auth/issue.ts'
import type { SecretAuth } from '../config/auth-config.ts'
import { assertValid } from '../domain/input/errors.ts'
import { uuid as uuidFormat } from '../domain/input/formats.ts'
import { integer, object, text, uuid, word } from '../domain/input/json-schema.ts'
import { readInput } from '../domain/input/read-input.ts'
import { isObject } from '../lib/json-object.ts'
import { NO_STORE } from '../response-cache/http-caching.ts'
import { HttpFailure } from './http/errors.ts'
import type { OpenRoute } from './http/route.ts'

const grants = ['client_credentials', 'implicit'] as const

const NO_ACCOUNT =
  'A token with an account_id is given here only for tries: outside production, on a loopback address, to a request that names one. Elsewhere sign it with AUTH_SECRET, or have an identity provider do it'

/** Collaborators of the token endpoint. */
export interface TokenParts {
  readonly auth: SecretAuth
  readonly issue: IssueToken
  /** Whether a request with the `Host` header gets demo tokens. */
  readonly mayIssueDemoTokens: (hostHeader: string | undefined) => boolean
}

/**
 * The route of the token endpoint. Its handler fails with 401 for wrong credentials, 422 for a malformed grant, and 403
 * for an account where demo tokens are not given.
 */
export function tokenRoute({ auth, issue, mayIssueDemoTokens }: TokenParts): OpenRoute {
  return {
    method: 'POST',
    paths: ['/oauth/access_token'],
    right: 'open',
    body: true,
    document: {
      id: 'getAccessToken',
      tag: 'Authentication',
      summary: 'Get an access token',
      description:
        '`client_credentials` gives an admin, `implicit` a shopper. With `account_id` the shopper has that account: for tries alone, outside production and on a loopback address; elsewhere it is 403.',
      request: object({
        grant_type: word(...grants),
        client_id: text(),
        'client_secret?': text(),
        'account_id?': uuid,
      }),
      status: 200,
      response: object({
        access_token: text(),
        token_type: word('Bearer'),
        expires_in: integer(),
        expires: integer(),
        identifier: word(...grants),
      }),
      failures: [401, 403, 503],
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
    async handle({ body, now, host }) {
      const { grant, clientId, clientSecret, accountId } = readGrant(body)
      // Both are always compared, so that the response time does not reveal which one is wrong.
      const right = [
        sameSecret(clientId, auth.clientId),
        grant === 'implicit' || sameSecret(clientSecret, auth.clientSecret),
      ]
      if (right.includes(false))
        throw new HttpFailure(401, 'The client is not known, or its secret is wrong', { 'WWW-Authenticate': 'Bearer' })
      if (accountId !== null && !mayIssueDemoTokens(host)) throw new HttpFailure(403, NO_ACCOUNT)
      // Each anonymous shopper gets a subject of its own, since idempotency keys are scoped to subjects
      // (write.idempotency-key).
      const viewer =
        grant === 'implicit'
          ? ({ subject: `shopper:${randomUUID()}`, role: 'shopper', accountId } as const)
          : ({ subject: auth.clientId, role: 'admin' } as const)
      const { token, expires } = await issue(viewer, now)
      const response = {
        access_token: token,
        token_type: 'Bearer',
        expires_in: TOKEN_SECONDS,
        expires,
        identifier: grant,
      }
      return { status: 200, body: response, headers: { 'Cache-Control': NO_STORE } }
    },
  }
}

interface Grant {
  readonly grant: (typeof grants)[number]
  readonly clientId: string
  readonly clientSecret: string
  readonly accountId: string | null
}

function readGrant(body: unknown): Grant {
  const { value, violations } = readInput(isObject(body) ? body : {}, (reader) => {
    const grant = reader.oneOf('grant_type', grants, { required: true }) ?? 'implicit'
    const clientId = reader.text('client_id', { required: true }) ?? ''
    const isImplicit = grant === 'implicit'
    const clientSecret = reader.text('client_secret', { required: !isImplicit, nullable: isImplicit }) ?? ''
    const accountId = reader.text('account_id', { nullable: true, format: uuidFormat }) ?? null
    if (accountId !== null && !isImplicit)
      reader.addViolation('account_id', 'INVALID_VALUE', 'is for the grant implicit alone')
    return { grant, clientId, clientSecret, accountId }
  })
  assertValid(violations)
  return value as Grant
}
