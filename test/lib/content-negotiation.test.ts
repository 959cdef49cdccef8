import { describe, expect, test } from 'vitest'
import { ACCEPT_MAX, createNegotiation } from '../../src/lib/content-negotiation.ts'

const JSON_TYPE = 'application/json'
const HTML = 'text/html'
const STREAM = 'text/event-stream'
const offered = [JSON_TYPE, STREAM, HTML]
const negotiate = createNegotiation(offered)

describe('content negotiation by an Accept header (RFC 9110)', () => {
  test.each([
    ['absent', undefined, offered],
    ['empty', ' ', offered],
    ['of everything', '*/*', offered],
    ['of one type', 'application/json', [JSON_TYPE]],
    ['in capitals', 'Application/JSON', [JSON_TYPE]],
    ['of a type and its charset', 'application/json; charset="UTF-8"', [JSON_TYPE]],
    ['of another charset', 'application/json; charset=latin1', []],
    ['of another parameter', 'application/json; profile=x', []],
    ['of a range', 'text/*', [STREAM, HTML]],
    ['in the order given', 'text/html, application/json', [HTML, JSON_TYPE]],
    [
      'in the order of q values',
      'text/html;q=0.8, application/json;q=0.9, text/event-stream',
      [STREAM, JSON_TYPE, HTML],
    ],
    ['with a q of three digits', 'text/html;q=0.001', [HTML]],
    ['that refuses one type', 'application/json;q=0, */*', [STREAM, HTML]],
    ['that refuses a range, save one type', 'text/*;q=0.0, text/html', [HTML]],
    ['that refuses a range after the type that it spares', 'text/html, text/*;q=0', [HTML]],
    ['that refuses all', '*/*;q=0', []],
    ['where a type counts before the range that holds it', 'text/*, text/html;q=0.1', [STREAM, HTML]],
    ['of a q that is no number', 'application/json;q=high', []],
    ['of nothing offered', 'image/png', []],
    ['of no media type', 'json', []],
    ['with empty members', ', application/json,,', [JSON_TYPE]],
  ])('content negotiation by Accept: %s', (_, accept, allowed) => {
    expect(negotiate(accept)).toEqual(allowed)
    expect(negotiate(accept)).toEqual(allowed)
  })

  test('content negotiation reads an Accept header of the maximum length, and treats a longer one as absent', () => {
    const header = `${HTML},`.padEnd(ACCEPT_MAX, 'x')
    expect(negotiate(header)).toEqual([HTML])
    expect(negotiate(`${header}x`)).toEqual(offered)
  })
})
