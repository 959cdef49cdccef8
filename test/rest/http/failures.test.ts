/** http.first-failure-wins: the order of failures, and what each says. */
import { describe, expect, test } from 'vitest'
import { conflict, DomainError, key, notFound, Unavailable } from '../../../src/domain/input/errors.ts'
import { BODY_MAX } from '../../../src/rest/http/body.ts'
import { type FrameRequest, ID, useFrame } from '../../support/rest-frame.ts'

const frame = useFrame()

const tooLong = `{"data":"${'x'.repeat(BODY_MAX)}"}`

describe('http.first-failure-wins: the first failure wins against all later ones', () => {
  // Every row breaks its own step and, as far as one request can, each step after it.
  const bad = { body: tooLong, type: 'text/plain' }
  const steps: [string, number, string, string, FrameRequest][] = [
    ['no such route', 404, 'DELETE', '/nowhere', { ...bad, token: null }],
    ['no such method', 405, 'DELETE', '/books/x/prices', { ...bad, token: 'x.y.z' }],
    ['no token', 401, 'POST', '/books/x/prices', { ...bad, token: null }],
    ['a bad token', 401, 'POST', '/books/x/prices', { ...bad, token: 'x.y.z' }],
    ['no right', 403, 'POST', '/books/x/prices?a=1&a=2', { ...bad, token: 'shopper' }],
    ['a body too long', 413, 'POST', '/books/x/prices?a=1&a=2', bad],
    ['another content type', 415, 'POST', '/books/x/prices?a=1&a=2', { body: '{', type: 'text/plain' }],
    ['a body that is not JSON', 400, 'POST', '/books/x/prices', { body: '{' }],
    ['a parameter given twice', 400, 'POST', '/books/x/prices?a=1&a=2', { body: '{}' }],
    ['an id that names nothing', 404, 'POST', '/books/x/prices', { body: '[]' }],
  ]
  test.each(steps)('the first failure of a request wins: %s is %i', async (_, status, method, path, sent) => {
    const response = await frame.ask(method, path, sent)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.body).toEqual({
      errors: [
        { title: expect.any(String), status: String(status), detail: expect.any(String), code: expect.any(String) },
      ],
    })
    expect(frame.seen).toBeUndefined()
  })

  test('429 comes after 404, 405 and 401 and before 403, with Retry-After', async () => {
    frame.limited = 7
    expect((await frame.ask('GET', '/nowhere')).status).toBe(404)
    expect((await frame.ask('DELETE', '/books/x/prices')).status).toBe(405)
    expect((await frame.ask('POST', '/books/x/prices', { token: null })).status).toBe(401)
    const response = await frame.ask('POST', '/books/x/prices', { token: 'shopper' })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('7')
    expect(response.body.errors[0]).toMatchObject({ title: 'Too Many Requests', code: 'THROTTLED' })
  })

  test('401 carries WWW-Authenticate, 405 carries Allow', async () => {
    expect((await frame.ask('GET', '/books/x/prices', { token: null })).headers.get('www-authenticate')).toBe('Bearer')
    for (const token of ['admin', null]) {
      const response = await frame.ask('DELETE', `/books/${ID}/prices`, { token })
      expect([response.headers.get('allow'), response.headers.get('www-authenticate')]).toEqual([
        'POST, GET, HEAD, OPTIONS',
        null,
      ])
    }
  })
})

describe('http.first-failure-wins: errors of operations become responses', () => {
  const violation = {
    code: 'TOO_SHORT',
    path: ['attributes', 'price', key('USD'), 0, 'amount'],
    message: 'must be more',
  } as const
  const thrown: [string, () => unknown, number, object[]][] = [
    [
      'validation: one element per rule, in order, under data',
      () => new DomainError('validation', [violation, { code: 'REQUIRED', path: [], message: 'must be given' }]),
      422,
      [
        {
          title: 'Failed Validation',
          status: '422',
          detail: 'data.attributes.price.USD.0.amount: must be more',
          code: 'TOO_SHORT',
        },
        { title: 'Failed Validation', status: '422', detail: 'data: must be given', code: 'REQUIRED' },
      ],
    ],
    [
      'conflict: the sentence alone',
      () => conflict('PRICE_EXISTS', ['attributes', 'sku'], 'The price already exists'),
      409,
      [{ title: 'Conflict', status: '409', detail: 'The price already exists', code: 'PRICE_EXISTS' }],
    ],
    [
      'notFound',
      () => notFound(['id'], 'No such price book'),
      404,
      [{ title: 'Not Found', status: '404', detail: 'No such price book', code: 'NOT_FOUND' }],
    ],
    [
      'badRequest of the idempotency key, under the name of its header',
      () =>
        new DomainError('badRequest', [
          { code: 'TOO_LONG', path: ['idempotencyKey'], message: 'must be 1 to 255 characters' },
        ]),
      400,
      [
        {
          title: 'Bad Request',
          status: '400',
          detail: 'Idempotency-Key: must be 1 to 255 characters',
          code: 'TOO_LONG',
        },
      ],
    ],
    [
      'forbidden: the sentence alone',
      () => new DomainError('forbidden', 'The token lacks the role admin'),
      403,
      [{ title: 'Forbidden', status: '403', detail: 'The token lacks the role admin', code: 'FORBIDDEN' }],
    ],
    [
      'forbidden by a place that says no more',
      () => new DomainError('forbidden'),
      403,
      [
        {
          title: 'Forbidden',
          status: '403',
          detail: 'The token does not give the right to do this',
          code: 'FORBIDDEN',
        },
      ],
    ],
    [
      'a database that is away',
      () => new Unavailable('postgres://user:secret@host is away'),
      503,
      [
        {
          title: 'Service Unavailable',
          status: '503',
          detail: 'The service is not available at the moment, try again',
          code: 'SERVICE_UNAVAILABLE',
        },
      ],
    ],
    [
      'anything else, masked',
      () => new Error('SELECT secret FROM postgres://user:secret@host'),
      500,
      [
        {
          title: 'Internal Server Error',
          status: '500',
          detail: 'An unexpected error occurred',
          code: 'INTERNAL_SERVER_ERROR',
        },
      ],
    ],
    [
      'even what is no error',
      () => 'a string',
      500,
      [
        {
          title: 'Internal Server Error',
          status: '500',
          detail: 'An unexpected error occurred',
          code: 'INTERNAL_SERVER_ERROR',
        },
      ],
    ],
  ]
  test.each(thrown)('an error of an operation becomes a response: %s', async (_, error, status, errors) => {
    frame.outcome = () => {
      throw error()
    }
    const response = await frame.ask('POST', `/books/${ID}/prices`, { body: '{}' })
    expect(response.status).toBe(status)
    expect(response.body).toEqual({ errors })
    expect(frame.logged).toHaveLength(status >= 500 ? 1 : 0)
  })
})
