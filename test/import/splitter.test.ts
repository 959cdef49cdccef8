import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OBJECT_BYTES_MAX, type ParsedObject } from '../../src/import/parsed-object.ts'
import { Splitter } from '../../src/import/splitter.ts'

/** The objects and problems of a text that arrives in pieces of `size` bytes: `[line, value]` or `[line, problem]`. */
function split(text: string | Buffer, size = Number.POSITIVE_INFINITY): [number, unknown][] {
  const bytes = Buffer.from(text)
  const splitter = new Splitter()
  const found: ParsedObject[] = []
  for (let at = 0; at < bytes.length; at += size)
    found.push(...splitter.push(bytes.subarray(at, Math.min(bytes.length, at + size))))
  found.push(...splitter.end())
  return found.map((one) => [one.line, 'value' in one ? one.value : one.problem])
}

describe('Splitter', () => {
  it('import.objects-one-after-another: the splitter finds one object per line, with its first line', () => {
    expect(split('{"a":1}\n{"b":2}\r\n\n  {"c":3}')).toEqual([
      [1, { a: 1 }],
      [2, { b: 2 }],
      [4, { c: 3 }],
    ])
  })

  it('import.objects-one-after-another: the splitter finds pretty-printed objects one after another', () => {
    const text = `${JSON.stringify({ a: { b: ['{', '}'] } }, null, 2)}\n${JSON.stringify({ c: '\\"' }, null, 4)}{"d":"\\\\"}`
    expect(split(text)).toEqual([
      [1, { a: { b: ['{', '}'] } }],
      [9, { c: '\\"' }],
      [11, { d: '\\' }],
    ])
  })

  it('the splitter reads an object with inner braces at the beginning of lines', () => {
    expect(split('{"data":\n{"type":\n"x"}}\n{"a":1}')).toEqual([
      [1, { data: { type: 'x' } }],
      [4, { a: 1 }],
    ])
  })

  it.each([
    [
      '[{"data":{"a":1}},{"b":2}]',
      [
        [1, { data: { a: 1 } }],
        [1, { data: { b: 2 } }],
      ],
    ],
    [
      '\n[\n  {"data": {"a": 1}},\n  {"data": {}}\n]\n',
      [
        [3, { data: { a: 1 } }],
        [4, { data: {} }],
      ],
    ],
    ['[]', []],
    [
      '[{"a":1}',
      [
        [1, { data: { a: 1 } }],
        [1, 'the file ends inside an array'],
      ],
    ],
    [
      '[{"a":1},',
      [
        [1, { data: { a: 1 } }],
        [1, 'the file ends inside an array'],
      ],
    ],
    ['[', [[1, 'the file ends inside an array']]],
    [
      '[{"a":1},]',
      [
        [1, { data: { a: 1 } }],
        [1, 'is not a JSON object'],
      ],
    ],
    ['[,{"a":1}]', [[1, 'is not a JSON object']]],
    [
      '[{"a":1} {"b":2}]',
      [
        [1, { data: { a: 1 } }],
        [1, 'is not a JSON object'],
      ],
    ],
    [
      '[{"a":1},\nx,\n{"b":2}]',
      [
        [1, { data: { a: 1 } }],
        [2, 'is not a JSON object'],
        [3, { data: { b: 2 } }],
      ],
    ],
    [
      '[{"a":1}]\n{"b":2}',
      [
        [1, { data: { a: 1 } }],
        [2, 'is not a JSON object'],
      ],
    ],
    ['[1]', [[1, 'is not a JSON object']]],
    ['[[{"a":1}]]', [[1, 'is not a JSON object']]],
  ])('import.objects-one-after-another: the splitter reads the array %j in pieces of any size', (text, expected) => {
    for (const size of [undefined, 1, 2, 3]) expect(split(text, size)).toEqual(expected)
  })

  it('the splitter skips a byte order mark and finds nothing in an empty file', () => {
    expect(split('\ufeff{"a":1}')).toEqual([[1, { a: 1 }]])
    expect(split('')).toEqual([])
    expect(split(' \n\n')).toEqual([])
  })

  it.each([
    ['a bare word', 'null\n{"b":2}', [1, 'is not a JSON object'], 2],
    ['a comma between objects', '{"a":0}\n,\n{"b":2}', [2, 'is not a JSON object'], 3],
    ['a text that is not closed', '{"a":"x}\n{"b":2}', [1, 'a text is not closed on its line'], 2],
    ['a missing brace', '{"a":{"x":1}\n{"b":2}', [1, 'the file ends inside an object'], 2],
    [
      'a missing brace that a later line makes up for',
      '{"a":{"x":1}\n{"b":2}\n}',
      [1, expect.stringContaining('is not JSON')],
      2,
    ],
  ])('the splitter reports the line of %s and continues with the next line', (_, text, problem, line) => {
    const found = split(text)
    expect(found).toContainEqual(problem)
    expect(found).toContainEqual([line, { b: 2 }])
  })

  it('the splitter finds the objects between lines that open one and never close it, and reports each such line', () => {
    const unclosed = '{"a":{"x":1}\n'
    const problem = 'the file ends inside an object'
    const text = `{"b":1}\n${unclosed}{"b":3}\n${unclosed}${unclosed}{"b":\n{"c":6}}\n{"b":8}\n${unclosed}{"b":10}`
    for (const size of [1, 7, text.length]) {
      expect(split(text, size)).toEqual([
        [1, { b: 1 }],
        [2, problem],
        [3, { b: 3 }],
        [4, problem],
        [5, problem],
        [6, { b: { c: 6 } }],
        [8, { b: 8 }],
        [9, problem],
        [10, { b: 10 }],
      ])
    }
  })

  it('the splitter reports the same problem for two objects that are open when a text is not closed, and not that the file ends', () => {
    expect(split('{\n{}\n  {\n{"b":"\n{"c":3}')).toEqual([
      [1, 'a text is not closed on its line'],
      [2, {}],
      [3, 'a text is not closed on its line'],
      [4, 'a text is not closed on its line'],
      [5, { c: 3 }],
    ])
  })

  it('the splitter reports a text whose line ends with a backslash, and continues with the next line', () => {
    expect(split('{"a":"x\\\n{"b":2}\n{"b":3}')).toEqual([
      [1, 'a text is not closed on its line'],
      [2, { b: 2 }],
      [3, { b: 3 }],
    ])
  })

  it('the splitter reports a malformed object of several lines and continues with the next object', () => {
    expect(split('{\n  "a": 1,\n}\n{\n  "b": 2\n}')).toEqual([
      [1, expect.stringMatching(/^is not JSON: /)],
      [4, { b: 2 }],
    ])
  })

  it('the splitter refuses an object that is not UTF-8', () => {
    expect(split(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n{"b":2}')]))).toEqual([
      [1, 'is not UTF-8'],
      [2, { b: 2 }],
    ])
  })

  it('value.numbers-never-rounded: the splitter does not round a fraction to an integer', () => {
    expect(split('{"a":4503599627370497.5}')).toEqual([[1, { a: Number.POSITIVE_INFINITY }]])
  })

  it('the splitter accepts an object of exactly the maximum number of bytes, and refuses a longer one', () => {
    const ofBytes = (count: number): string => `{"a":"${'x'.repeat(count - 8)}"}\n{"b":2}`
    // Texts of this length are not for a report.
    const outline = (text: string) =>
      split(text, 1 << 20).map(([line, value]) => [
        line,
        typeof value === 'string' ? value : Object.keys(value as object),
      ])
    expect(outline(ofBytes(OBJECT_BYTES_MAX))).toEqual([
      [1, ['a']],
      [2, ['b']],
    ])
    const problem = `an object has more than ${OBJECT_BYTES_MAX} bytes`
    expect(outline(ofBytes(OBJECT_BYTES_MAX + 1))).toEqual([
      [1, problem],
      [2, ['b']],
    ])
    expect(outline(ofBytes(OBJECT_BYTES_MAX + (1 << 21)))).toEqual([
      [1, problem],
      [2, ['b']],
    ])
  })

  it('the splitter finds the same objects however the stream is cut into pieces', () => {
    const objects = fc.array(
      fc.tuple(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(0, 1, 2),
        fc.constantFrom('\n', '\r\n', ' ', ''),
      ),
      {
        maxLength: 8,
      },
    )
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 40 }), (list, size) => {
        const text = list.map(([object, indent, after]) => JSON.stringify(object, null, indent) + after).join('')
        const whole = split(text)
        expect(split(text, size)).toEqual(whole)
        expect(whole.map(([, value]) => value)).toEqual(list.map(([object]) => JSON.parse(JSON.stringify(object))))
        let line = 1
        for (const [index, [object, indent, after]] of list.entries()) {
          expect(whole[index]?.[0]).toBe(line)
          line += (JSON.stringify(object, null, indent) + after).split('\n').length - 1
        }
      }),
      { numRuns: 150 },
    )
  })
})
