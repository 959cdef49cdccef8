import { describe, expect, test } from 'vitest'
import type { InputReader } from '../../../src/domain/input/input-reader.ts'
import { readInput } from '../../../src/domain/input/read-input.ts'
import { checkSelection } from '../../../src/domain/pricing/selection.ts'
import { jsonViolations } from '../../../src/domain/products/extension.ts'

const paramsOf = (value: unknown, read: (reader: InputReader) => unknown) =>
  readInput({ value }, read).violations.map(({ code, params }) => [
    code,
    ...(params ?? []).map((one) => `${one.name} ${one.value}`),
  ])

describe('graph.errors-carry-limits: a violation has the limits and words of its sentence', () => {
  test.each([
    [
      'a text that is too long',
      'abcd',
      (reader: InputReader) => reader.text('value', { max: 3 }),
      ['TOO_LONG', 'max 3'],
    ],
    [
      'a text that is too short',
      'a',
      (reader: InputReader) => reader.text('value', { min: 2, max: 3 }),
      ['TOO_SHORT', 'min 2', 'max 3'],
    ],
    [
      'a text without an upper limit',
      '',
      (reader: InputReader) => reader.text('value', { min: 1 }),
      ['TOO_SHORT', 'min 1'],
    ],
    [
      'a number below its range',
      -1,
      (reader: InputReader) => reader.integer('value', { min: 0, max: 9 }),
      ['OUT_OF_RANGE', 'min 0', 'max 9'],
    ],
    [
      'a word that is not allowed',
      'c',
      (reader: InputReader) => reader.oneOf('value', ['a', 'b']),
      ['INVALID_VALUE', 'allowed a', 'allowed b'],
    ],
    [
      'a list that is too long',
      [1, 2],
      (reader: InputReader) => reader.list('value', () => 0, { max: 1 }),
      ['TOO_MANY', 'max 1'],
    ],
    [
      'a map with too many keys',
      { a: 1, b: 2 },
      (reader: InputReader) => reader.map('value', () => 0, { max: 1 }),
      ['TOO_MANY', 'max 1'],
    ],
  ])("the limits and words of a violation's sentence are its params: %s", (_, value, read, expected) => {
    expect(paramsOf(value, read)).toEqual([expected])
  })

  test('a violation whose sentence has no figures has no params', () => {
    expect(readInput({}, (reader) => reader.text('value', { required: true })).violations).toEqual([
      { code: 'REQUIRED', path: ['value'], message: 'must be given' },
    ])
  })

  test('the violation of a JSON value that nests too deep has the number of levels as a param', () => {
    let value: unknown = 0
    for (let depth = 0; depth < 65; depth++) value = [value]
    expect(jsonViolations(value).map(({ params }) => params)).toEqual([[{ name: 'max', value: '64' }]])
  })

  test("a violation of an unfinished choice has the component's bounds and key as params, one of a wrong quantity the option's own", () => {
    const component = (min: number, max: number) => ({
      name: 'Main',
      min,
      max,
      options: [{ id: 'a', quantity: 2 }, { id: 'b' }],
    })
    const choices = [
      {
        component: 'one',
        options: [
          { productId: 'a', quantity: 3 },
          { productId: 'b', quantity: null },
        ],
      },
    ]
    const { issues } = checkSelection({ one: component(0, 1), two: component(1, 2) }, choices)
    expect(
      issues.map(({ code, params }) => [code, ...(params ?? []).map(({ name, value }) => `${name} ${value}`)]),
    ).toEqual([
      ['INVALID_VALUE', 'allowed 2'],
      ['TOO_MANY', 'min 0', 'max 1'],
      ['INVALID_STRUCTURE', 'min 1', 'max 2', 'key two'],
    ])
  })
})
