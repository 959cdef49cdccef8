/** input.unknown-members-refused: the members of a value that its schema does not list. */
import { describe, expect, test } from 'vitest'
import { formatPath, VIOLATIONS_MAX } from '../../../src/domain/input/errors.ts'
import * as schema from '../../../src/domain/input/json-schema.ts'
import { unknownMembers } from '../../../src/domain/input/unknown-members.ts'

const tier = schema.closed({ minimum_quantity: schema.integer(1), 'amount?': schema.integer(0) })
const price = schema.closed({
  'amount?': schema.integer(),
  'includes_tax?': schema.boolean,
  'tiers?': schema.nullable(schema.map(tier)),
})
const whole = schema.closed({
  'name?': schema.text(),
  'prices?': schema.nullable(schema.map(price)),
  'list?': schema.list({ anyOf: [schema.uuid, schema.closed({ id: schema.uuid })] }),
  'meta?': { readOnly: true },
})

describe('input.unknown-members-refused', () => {
  test.each<[string, unknown, string[]]>([
    ['nothing in a value that is no object', 'text', []],
    ['a member of the object itself', { colour: 1 }, ['colour UNKNOWN_FIELD']],
    [
      'one behind a map key, which itself is free',
      { prices: { any: { amount: 1, tax: 2 } } },
      ['prices.any.tax UNKNOWN_FIELD'],
    ],
    ['one two maps deep', { prices: { a: { tiers: { b: { from: 1 } } } } }, ['prices.a.tiers.b.from UNKNOWN_FIELD']],
    ['one in an element of a list', { list: ['id', { id: 1, note: 2 }] }, ['list.1.note UNKNOWN_FIELD']],
    ['nothing within what the server sets', { meta: { colour: { deep: [{ x: 1 }] } } }, []],
    [
      'nothing where a list or text stands in the place of an object',
      { prices: [{ x: 1 }], list: { x: 1 }, name: { x: 1 } },
      [],
    ],
    [
      'names of the prototype of objects',
      { constructor: 1, toString: 2 },
      ['constructor UNKNOWN_FIELD', 'toString UNKNOWN_FIELD'],
    ],
    ['__proto__', JSON.parse('{"__proto__":{"name":1}}'), ['__proto__ UNKNOWN_FIELD']],
  ])('unknown members are found: %s', (_, value, expected) => {
    expect(unknownMembers(whole, value).map(({ code, path }) => `${formatPath(path)} ${code}`)).toEqual(expected)
  })

  test.each([
    ['includesTax', 'is unknown, did you mean includes_tax?'],
    ['tier', 'is unknown, did you mean tiers?'],
    ['AMOUNT', 'is unknown, did you mean amount?'],
    ['ammount', 'is unknown, did you mean amount?'],
    ['colour', 'is unknown, allowed are amount, includes_tax, tiers'],
    ['x'.repeat(100_000), 'is unknown, allowed are amount, includes_tax, tiers'],
  ])('the message about the unknown member %.20s names the nearest known one', (name, message) => {
    expect(unknownMembers(price, { [name]: 1 })[0]?.message).toBe(message)
  })

  test('the nearest member is looked for only where it is shown, so that many unknown ones cost little', () => {
    const many = Object.fromEntries(Array.from({ length: VIOLATIONS_MAX + 1 }, (_, at) => [`amount_${at}`, 1]))
    const messages = unknownMembers(price, many).map(({ message }) => message)
    expect(messages.length).toBe(VIOLATIONS_MAX + 1)
    expect(messages.slice(VIOLATIONS_MAX - 1)).toEqual(['is unknown, did you mean amount?', 'is unknown'])
  })
})
