/** http.first-failure-wins: request bodies. */
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { BODY_MAX } from '../../../src/rest/http/body.ts'
import { sendRaw } from '../../support/raw-http.ts'
import { type FrameRequest, ID, useFrame } from '../../support/rest-frame.ts'

const frame = useFrame()

const stream = (length: number): ReadableStream =>
  new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < length; sent += 65_536)
        controller.enqueue(new Uint8Array(Math.min(65_536, length - sent)).fill(32))
      controller.close()
    },
  })

describe('http.first-failure-wins: bodies', () => {
  const post = (sent: FrameRequest) => frame.ask('POST', `/books/${ID}/prices`, sent)

  test('a REST body of 1 MiB is accepted, one byte more is 413', async () => {
    const body = (length: number): string => `{"data":"${'x'.repeat(length - 11)}"}`
    expect((await post({ body: body(BODY_MAX) })).status).toBe(200)
    expect((await post({ body: body(BODY_MAX + 1) })).status).toBe(413)
  })

  test('a streamed REST body of unknown length is limited too, and 413 wins against 415', async () => {
    expect((await post({ body: stream(BODY_MAX) })).status).toBe(400)
    expect((await post({ body: stream(BODY_MAX + 1) })).status).toBe(413)
    expect((await post({ body: stream(BODY_MAX * 3), type: 'text/plain' })).status).toBe(413)
  })

  test('the connection stays usable after a 413', async () => {
    const head = (length: number): string =>
      `POST /books/${ID}/prices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${frame.admin}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
    const response = await sendRaw(
      frame.base,
      [head(BODY_MAX + 5), 'x'.repeat(BODY_MAX + 5), head(2), '{}'],
      /413[\s\S]*HTTP\/1\.1 200/,
    )
    expect(response).toMatch(/^HTTP\/1\.1 413 /)
    expect(response).toContain('HTTP/1.1 200 OK')
  })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;Charset="UTF-8"',
    'application/vnd.api+json',
  ])('a REST body with Content-Type %s is read as JSON', async (type) => {
    expect((await post({ body: '{"data":1}', type })).body).toEqual({ data: 1 })
  })

  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json; charset=utf-16',
    'application/json, text/plain',
    'json',
    'x',
  ])('a REST body with Content-Type %s is 415', async (type) => {
    expect((await post({ body: '{"data":1}', type })).status).toBe(415)
  })

  test('a byte order mark may precede JSON in a REST body', async () => {
    expect((await post({ body: '\uFEFF{"data":1}' })).body).toEqual({ data: 1 })
  })

  test('a compressed REST body is 415, a body without Content-Type is 415, and no body is 400', async () => {
    expect((await post({ body: '{}', headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
    expect((await post({ body: new TextEncoder().encode('{}'), type: null })).status).toBe(415)
    expect((await post({})).status).toBe(400)
    expect((await post({ body: '' })).status).toBe(400)
  })

  test.each(['{', "{'a':1}", 'NaN', '{"a":1,}', '{}{}', '﻿﻿{}', '\u0000'])(
    'the REST body %o is not JSON: 400',
    async (body) => {
      expect((await post({ body })).body.errors).toEqual([
        { title: 'Bad Request', status: '400', detail: 'The body is not JSON', code: 'BAD_REQUEST' },
      ])
    },
  )

  test('a REST body that is not UTF-8 is 400, and so is JSON that nests too deep', async () => {
    expect((await post({ body: new Uint8Array([0x22, 0xff, 0x22]) })).body.errors[0].detail).toBe(
      'The body is not UTF-8',
    )
    expect((await post({ body: '['.repeat(500_000) + ']'.repeat(500_000) })).body.errors[0].detail).toBe(
      'The body is nested deeper than 64 levels',
    )
  })

  test.each(['[]', '"x"', '1', 'null', 'true', '{}', '{"dta":{}}', '{"__proto__":{"data":1}}'])(
    'the REST body %s has no data, so the operation gets undefined',
    async (body) => {
      expect((await post({ body })).status).toBe(200)
      expect(frame.seen?.data).toBeUndefined()
    },
  )

  test('data: null in a REST body is passed on as null, and __proto__ does no harm', async () => {
    await post({ body: '{"data":null}' })
    expect(frame.seen?.data).toBeNull()
    await post({ body: '{"data":{"__proto__":{"admin":true}}}' })
    expect(Object.getPrototypeOf(frame.seen?.data)).toBe(Object.prototype)
    expect(frame.seen?.data).not.toHaveProperty('admin')
  })

  test('a GET may carry a Content-Type, even a body', async () => {
    expect((await frame.ask('GET', '/releases/latest', { headers: { 'content-type': 'text/plain' } })).status).toBe(200)
    const head = `GET /releases/latest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${frame.admin}\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx`
    expect(await sendRaw(frame.base, [head])).toContain('200 OK')
  })

  test('a client that disconnects in the middle of its body causes no response and no log line', async () => {
    const head = `POST /books/${ID}/prices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${frame.admin}\r\nContent-Length: 100\r\n\r\nhalf`
    const { hostname, port } = new URL(frame.base)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(head, () => setTimeout(() => socket.destroy(), 50)),
      )
      socket.on('close', () => resolve())
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(frame.logged).toEqual([])
    expect((await frame.ask('GET', '/releases/latest')).status).toBe(200)
  })
})
