import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FILTER_CLAUSES_MAX, type FilterClause, parseFilter } from '../../../src/domain/input/filter.ts'
import { isStorable } from '../../../src/domain/input/text.ts'
import { runs } from '../../support/effort.ts'

const rules = { eq: ['sku', 'name', 'mpn'], in: ['sku', 'id'], aliases: { manufacturer_part_num: 'mpn' } }
const clauses = (text: string): unknown => {
  const { clauses: parsed, violations } = parseFilter(text, rules)
  return violations.length > 0
    ? violations.map(({ code }) => code)
    : parsed.map(({ op, field, values }) => [op, field, ...values])
}

describe('filter.clauses-all-hold: valid filter expressions', () => {
  test.each([
    ['eq(sku,a)', [['eq', 'sku', 'a']]],
    ['in(sku,a)', [['in', 'sku', 'a']]],
    ['in(sku,a,b,c)', [['in', 'sku', 'a', 'b', 'c']]],
    [
      'eq(sku,a):in(id,b,c)',
      [
        ['eq', 'sku', 'a'],
        ['in', 'id', 'b', 'c'],
      ],
    ],
    [
      'eq(sku,a):eq(sku,a)',
      [
        ['eq', 'sku', 'a'],
        ['eq', 'sku', 'a'],
      ],
    ],
    ['eq(name,two words)', [['eq', 'name', 'two words']]],
    [
      ' eq ( sku , a b ) : in ( id , c ) ',
      [
        ['eq', 'sku', 'a b'],
        ['in', 'id', 'c'],
      ],
    ],
    ['eq(name,a:b)', [['eq', 'name', 'a:b']]],
    ['eq(name,Shirt (red, large))', [['eq', 'name', 'Shirt (red, large)']]],
    ['eq(name,"Shirt (red")', [['eq', 'name', 'Shirt (red']]],
    ['eq(name,"a,b)c:d")', [['eq', 'name', 'a,b)c:d']]],
    [`eq(name,'it"s')`, [['eq', 'name', 'it"s']]],
    [`eq(name,"it's")`, [['eq', 'name', "it's"]]],
    ['eq(name,"a\\"b\\\\c\\d")', [['eq', 'name', 'a"b\\cd']]],
    ["eq(name,'a\\'b')", [['eq', 'name', "a'b"]]],
    ["eq(name,O'Brien)", [['eq', 'name', "O'Brien"]]],
    ['eq(name,5" disk)', [['eq', 'name', '5" disk']]],
    ['eq(name,a\\b)', [['eq', 'name', 'a\\b']]],
    ['eq(name,"")', [['eq', 'name', '']]],
    ['eq(name,"  padded  ")', [['eq', 'name', '  padded  ']]],
    ['eq(name,a+b)', [['eq', 'name', 'a+b']]],
    ['eq(name,日本 🎈)', [['eq', 'name', '日本 🎈']]],
    ['eq(manufacturer_part_num,x)', [['eq', 'mpn', 'x']]],
    ['eq(mpn,x)', [['eq', 'mpn', 'x']]],
  ])('%s is a valid filter', (text, expected) => {
    expect(clauses(text)).toEqual(expected)
  })
})

describe('filter.clauses-all-hold: invalid filter expressions', () => {
  test.each([
    '',
    ' ',
    'eq',
    'eq(',
    'eq()',
    'eq(sku)',
    'eq(sku,)',
    'eq(sku,a',
    'eq(sku,a))',
    'eq(sku,a)x',
    'eq(sku,a):',
    ':eq(sku,a)',
    'eq(sku,a)::eq(sku,b)',
    'eq(sku,a);eq(sku,b)',
    'eq(,a)',
    '(sku,a)',
    'in(sku,a,)',
    'in(sku,,a)',
    'in(sku, ,a)',
    'eq(name,"a)',
    "eq(name,'a)",
    'eq(name,"a" b)',
    'eq(name,"a\\',
    'eq(name,a(b)',
    'eq(sku a)',
    'eq sku(a)',
    'eq(sku,a) eq(sku,b)',
  ])('the syntax error in the filter "%s" is INVALID_FORMAT', (text) => {
    expect(clauses(text)).toEqual(['INVALID_FORMAT'])
  })

  test.each([
    'gt(sku,a)',
    'EQ(sku,a)',
    'eq(price,a)',
    'eq(id,a)',
    'in(name,a)',
    'in(manufacturer_part_num,a)',
    'eq(__proto__,a)',
    'constructor(sku,a)',
  ])('the filter %s is INVALID_VALUE, and the message says what is allowed', (text) => {
    const { violations } = parseFilter(text, rules)
    expect(violations).toEqual([
      {
        code: 'INVALID_VALUE',
        path: ['filter'],
        message: expect.stringContaining('is not a filter here; allowed are eq(sku|name|mpn,...) and in(sku|id,...)'),
      },
    ])
  })

  test('several values for eq in a filter are TOO_MANY', () => {
    expect(clauses('eq(sku,a,b)')).toEqual(['TOO_MANY'])
  })

  test(`more than ${FILTER_CLAUSES_MAX} clauses of a filter are TOO_MANY`, () => {
    const many = (count: number): string => Array(count).fill('eq(sku,a)').join(':')
    expect(clauses(many(FILTER_CLAUSES_MAX))).toHaveLength(FILTER_CLAUSES_MAX)
    expect(clauses(many(FILTER_CLAUSES_MAX + 1))).toEqual(['TOO_MANY'])
  })

  test('U+0000 and lone surrogates in a filter are INVALID_TEXT', () => {
    expect(clauses('eq(sku,a\0)')).toEqual(['INVALID_TEXT'])
    expect(clauses('eq(sku,"\ud800")')).toEqual(['INVALID_TEXT'])
  })

  test('the message about a filter names the position of a syntax error', () => {
    expect(parseFilter('eq(sku;a)', rules).violations[0]?.message).toBe('has ";" at character 7 where , was expected')
    expect(parseFilter('eq(sku,a', rules).violations[0]?.message).toBe(
      'has the end at character 9 where ) was expected',
    )
  })
})

test('filter.clauses-all-hold: a filter clause may have as many values as fit into request headers of 64 KiB', () => {
  const ids = Array.from({ length: 5000 }, (_, index) => `id-${index}`)
  expect(parseFilter(`in(id,${ids.join(',')})`, rules).clauses[0]?.values).toEqual(ids)
})

const text = fc.string({ unit: 'binary', maxLength: 12 }).filter(isStorable)
const tricky = fc.stringMatching(/^[a ,:()"'\\]{0,10}$/)
const clause: fc.Arbitrary<FilterClause> = fc.oneof(
  fc.record({
    op: fc.constant('eq' as const),
    field: fc.constantFrom(...rules.eq),
    values: fc.tuple(fc.oneof(text, tricky)),
  }),
  fc.record({
    op: fc.constant('in' as const),
    field: fc.constantFrom(...rules.in),
    values: fc.array(fc.oneof(text, tricky), { minLength: 1 }),
  }),
)

/** The text that `parseFilter` parses into `clauses`, with every value quoted. */
function printFilter(clauses: readonly FilterClause[]): string {
  const quoted = (value: string): string => `"${value.replace(/["\\]/g, '\\$&')}"`
  return clauses.map(({ op, field, values }) => `${op}(${[field, ...values.map(quoted)].join(',')})`).join(':')
}

test('filter.clauses-all-hold: filter clauses that are printed parse back to the same clauses', () => {
  fc.assert(
    fc.property(fc.array(clause, { minLength: 1, maxLength: FILTER_CLAUSES_MAX }), (given) => {
      expect(parseFilter(printFilter(given), rules)).toEqual({ clauses: given, violations: [] })
    }),
    runs(2000),
  )
})

test('filter.clauses-all-hold: any text is parsed as a filter or rejected without throwing, and parsed clauses survive printing', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.stringMatching(/^(eq|in)\((sku|id),[a ,:()"'\\]{0,12}\)?$/)), (given) => {
      const { clauses: parsed, violations } = parseFilter(given, rules)
      expect(violations.length === 0).toBe(parsed.length > 0)
      if (parsed.length > 0) expect(parseFilter(printFilter(parsed), rules).clauses).toEqual(parsed)
    }),
    runs(2000),
  )
})
