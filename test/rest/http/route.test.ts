/** http.paths-and-aliases, http.first-failure-wins: paths, their members, and methods. */
import { describe, expect, test } from 'vitest'
import { sendRaw } from '../../support/raw-http.ts'
import { ID, useFrame } from '../../support/rest-frame.ts'

const frame = useFrame()

describe('http.paths-and-aliases, http.first-failure-wins: paths and their members', () => {
  test('aliases of a path reach the same handler', async () => {
    expect((await frame.ask('POST', `/alias/${ID}`, { body: '{}' })).status).toBe(200)
    expect(frame.seen?.id('pricebookID')).toBe(ID)
  })

  test('ids in paths are compared without case and percent-decoded', async () => {
    await frame.ask('POST', `/alias/${ID.toUpperCase().replace('F', '%46')}`, { body: '{}' })
    expect(frame.seen?.id('pricebookID')).toBe(ID)
    await frame.ask('GET', '/rele%61ses/l%61test')
    expect(frame.seen?.id('release_id')).toBe('latest')
  })

  test.each([
    '/',
    '/books',
    '/books/',
    `/books//prices`,
    `/books/${ID}/prices/`,
    `/books/${ID}/PRICES`,
    `//books/${ID}/prices`,
    '/releases/a/../latest%2F..',
  ])('no route serves %s', async (path) => {
    const response = await sendRaw(frame.base, [
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${frame.admin}\r\nConnection: close\r\n\r\n`,
    ])
    expect(response).toMatch(/^HTTP\/1\.1 404 /)
  })

  test('a malformed id in a path is 404, a malformed product_uuid 400', async () => {
    expect((await frame.ask('GET', '/releases/newest')).body.errors[0]).toMatchObject({
      status: '404',
      code: 'NOT_FOUND',
    })
    expect((await frame.ask('GET', '/books/latest/prices')).status).toBe(404)
    for (const path of ['/products/x', '/products/%E0%A4']) {
      expect((await frame.ask('PUT', path, { body: '{}' })).body.errors).toEqual([
        { title: 'Bad Request', status: '400', detail: 'product_uuid: must be a UUID', code: 'INVALID_FORMAT' },
      ])
    }
    expect((await frame.ask('GET', '/releases/%E0%A4')).status).toBe(404)
    expect((await frame.ask('GET', '/releases/%00')).status).toBe(404)
  })

  test('HEAD is GET without a body', async () => {
    const get = await frame.ask('GET', '/releases/latest')
    const head = await frame.ask('HEAD', '/releases/latest')
    expect([head.status, head.body]).toEqual([200, undefined])
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    const missing = await frame.ask('HEAD', '/releases/x')
    expect([missing.status, missing.body]).toEqual([404, undefined])
    expect((await frame.ask('HEAD', '/free')).status).toBe(405)
  })

  test('http.open-routes: OPTIONS needs no token and lists the methods', async () => {
    const response = await frame.ask('OPTIONS', `/books/${ID}/prices`, { token: null })
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'POST, GET, HEAD, OPTIONS'])
    expect((await frame.ask('OPTIONS', '/nowhere', { token: null })).status).toBe(404)
  })
})
