import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JSON_DEPTH_MAX, parseJson } from '../../src/lib/json.ts'
import { JsonKeyTwice, JsonRefused } from '../../src/lib/json-refused.ts'
import { runs } from '../support/effort.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('value.numbers-never-rounded: a number that a double would round to an integer is not parsed as an integer', () => {
  test.each([
    ['4503599627370497.5', Number.POSITIVE_INFINITY],
    ['-4503599627370497.5', Number.NEGATIVE_INFINITY],
    ['1.00000000000000000001', Number.POSITIVE_INFINITY],
    ['0.99999999999999999999', Number.POSITIVE_INFINITY],
    ['1e-400', Number.POSITIVE_INFINITY],
    ['90071992547409.91234567e2', Number.POSITIVE_INFINITY],
    ['1e400', Number.POSITIVE_INFINITY],
  ])('a double would round %s, which is not parsed as an integer', (text, read) => {
    expect(parseJson(text)).toBe(read)
    expect(parseJson(`{"a":[${text}]}`)).toEqual({ a: [read] })
  })

  test.each([
    ['0', 0],
    ['-0', -0],
    ['0.0', 0],
    ['0e-999', 0],
    ['1.0', 1],
    ['1.50e1', 15],
    ['100e-2', 1],
    ['1e3', 1000],
    ['0.1', 0.1],
    ['1.5', 1.5],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9007199254740991.0', Number.MAX_SAFE_INTEGER],
  ])('the JSON number %s is parsed as it is', (text, read) => {
    expect(parseJson(text)).toBe(read)
  })

  test.each(['9007199254740993', '9007199254740992', '-9007199254740993'])(
    'the integer %s stays beyond 2^53-1',
    (text) => {
      expect(Number.isSafeInteger(parseJson(text))).toBe(false)
    },
  )

  test('numbers and brackets inside strings of JSON are text', () => {
    const text = '{"1e-400":"4503599627370497.5 [[ \\" 1e-400 \\\\","b":"\\\\"}'
    expect(parseJson(text)).toEqual({ '1e-400': '4503599627370497.5 [[ " 1e-400 \\', b: '\\' })
  })
})

test('value.numbers-never-rounded: a JSON text with millions of escapes is parsed', () => {
  const text = '\n'.repeat(4_500_000)
  expect(parseJson(JSON.stringify({ text, amount: 1.5 }))).toEqual({ text, amount: 1.5 })
})

test('value.numbers-never-rounded: a JSON number of 1,000 characters is read exactly', () => {
  const zeros = (length: number) => '0'.repeat(1_000 - length)
  expect(parseJson(`[1.${zeros(3)}1,1.${zeros(2)},-0.${zeros(4)}1,1e-${zeros(4)}1,1e-${'9'.repeat(997)}]`)).toEqual([
    Number.POSITIVE_INFINITY,
    1,
    Number.NEGATIVE_INFINITY,
    0.1,
    Number.POSITIVE_INFINITY,
  ])
})

test.each(['1', '-', '0.', '1e-'])('a JSON number of 1,001 characters that begins with %s is refused', (start) => {
  const text = (length: number) => `[${start}${'0'.repeat(length - start.length - 1)}1]`
  const refused = new JsonRefused('has a number of more than 1000 characters')
  expect(() => parseJson(text(1_001))).toThrow(refused)
  expect(() => parseJson(text(1_000))).not.toThrow(refused)
})

test('every JSON value made of doubles is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
    runs(1000),
  )
})

test('a decimal in JSON is parsed as an integer exactly if it is one', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.integer({ min: -25, max: 3 }), (digits, exponent) => {
      const read = parseJson(`${digits}e${exponent}`)
      const whole =
        exponent >= 0
          ? digits * 10n ** BigInt(exponent)
          : digits % 10n ** BigInt(-exponent) === 0n
            ? digits / 10n ** BigInt(-exponent)
            : null
      if (whole !== null && whole >= -(2n ** 53n) + 1n && whole <= 2n ** 53n - 1n)
        expect(BigInt(read as number)).toBe(whole)
      else expect(Number.isSafeInteger(read)).toBe(false)
    }),
    runs(2000),
  )
})

describe('the nesting of JSON', () => {
  test(`the nesting of JSON may have ${JSON_DEPTH_MAX} levels and no more`, () => {
    expect(parseJson(nested(JSON_DEPTH_MAX))).toBeInstanceOf(Array)
    expect(() => parseJson(nested(JSON_DEPTH_MAX + 1))).toThrow(SyntaxError)
  })

  test('the nesting of JSON is too deep for a megabyte of brackets, open or closed', () => {
    expect(() => parseJson(nested(500_000))).toThrow(SyntaxError)
    expect(() => parseJson('['.repeat(1_000_000))).toThrow(SyntaxError)
    expect(() => parseJson('{"a":'.repeat(200_000))).toThrow(SyntaxError)
  })

  test('the nesting of JSON is checked before the text is parsed', () => {
    expect(() => parseJson(`${'['.repeat(JSON_DEPTH_MAX + 1)} no JSON`)).toThrow(
      `nested deeper than ${JSON_DEPTH_MAX} levels`,
    )
    expect(() => parseJson(`${'['.repeat(JSON_DEPTH_MAX)} no JSON`)).toThrow(/not valid JSON/)
  })

  test('the nesting of JSON does not count brackets inside strings, wherever a string ends', () => {
    const text = ['[', '\\', '\\"[', '\\\\"[', '"[', '{\n'].flatMap((one) => Array<string>(JSON_DEPTH_MAX).fill(one))
    expect(parseJson(JSON.stringify(text))).toEqual(text)
    expect(() => parseJson(`["\\\\",${nested(JSON_DEPTH_MAX)}]`)).toThrow(`nested deeper than ${JSON_DEPTH_MAX} levels`)
  })

  test('the nesting of JSON does not count arrays side by side', () => {
    expect(parseJson(`[${Array(1000).fill('[]').join(',')}]`)).toHaveLength(1000)
  })

  test('the nesting of JSON is checked in a string with a megabyte of escapes', () => {
    expect(parseJson(`"${'\\n'.repeat(500_000)}"`)).toHaveLength(500_000)
  })
})

describe('http.bodies-are-bounded: the values of JSON', () => {
  test.each<[text: string, values: number]>([
    ['1', 1],
    ['"a:b,c"', 1],
    ['[]', 1],
    ['{}', 1],
    ['[[],{},[]]', 4],
    ['[1.5,-2e3,true,false,null,"x"]', 7],
    ['{"a":1,"b":{"c":[2]}}', 8],
    ['{"a:":"[1,2","b\\"{":"\\\\"}', 5],
    [' { "a" : [ 1 , 2 ] } ', 5],
  ])('the values of JSON of %s may be %i and no more', (text, values) => {
    expect(parseJson(text, { valuesMax: values })).toEqual(JSON.parse(text))
    const refused = () => parseJson(text, { valuesMax: values - 1 })
    // A single value is the whole of a text, which no limit is below.
    if (values > 1) expect(refused).toThrow(new JsonRefused(`has more than ${values - 1} values: send fewer at once`))
  })

  test('the values of JSON are counted before the text is parsed, also in what is no JSON', () => {
    expect(() => parseJson('[1,2,3,oops', { valuesMax: 3 })).toThrow('has more than 3 values')
    expect(() => parseJson('[1,2,3,oops', { valuesMax: 9 })).toThrow(/not valid JSON/)
  })

  test('different keys are counted over all objects, and a key that comes again is not counted again', () => {
    const text = '[{"a":{"b":1,"c":2}},{"a":{"\\u0062":3}},{"b":4}]'
    expect(parseJson(text, { keysMax: 3 })).toEqual(JSON.parse(text))
    expect(() => parseJson(text, { keysMax: 2 })).toThrow('has more than 2 different keys')
  })
})

describe('a key that an object gives twice', () => {
  test.each<[text: string, path: unknown[]]>([
    ['{"a":1,"a":2}', ['a']],
    ['{"a":1,"\\u0061":2}', ['a']],
    ['{"a":[0,{"b":{"c":1,"d":2,"c":3}}]}', ['a', 1, 'b', 'c']],
    ['[{"":1},{"":1,"":1}]', [1, '']],
    ['{"__proto__":1,"__proto__":1}', ['__proto__']],
  ])('input.keys-once: a key that an object gives twice is refused with its path, of %s', (text, path) => {
    let refusal: unknown
    try {
      parseJson(text)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(JsonKeyTwice)
    expect((refusal as JsonKeyTwice).path).toEqual(path)
  })

  test('a key that an object gives twice is named by the beginning of its path, however long it is', () => {
    const long = 'x'.repeat(100_000)
    expect(() => parseJson(`{"${long}":1,"${long}":2}`)).toThrow(/^gives x{200} twice$/)
  })

  test.each(['{"a":{"a":{"a":1}}}', '[{"a":1},{"a":1}]', '{"a":"a","b":"b"}', '{"a":["a","a"],"A":1}'])(
    'no key is given twice in %s',
    (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text))
    },
  )

  test.each(['{"a"', '{:1,:1}', ']{"a":1', '{"\\x":1,"\\x":1}', '"a":1,"a":1'])(
    'a key given twice in %s, which is no JSON, is not what is wrong',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError)
    },
  )
})

test('the JSON member __proto__ is parsed like any other', () => {
  const value = parseJson('{"__proto__":{"admin":true},"a":1e-400}') as object
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(Object.keys(value)).toEqual(['__proto__', 'a'])
})
