/** The scan of JSON compared with walks through the whole value, on texts that are drawn at random. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../src/lib/json.ts'
import { JsonKeyTwice, JsonRefused } from '../../src/lib/json-refused.ts'
import { runs } from '../support/effort.ts'

/** A JSON text as a tree: the text of a value alone, the values of an array, or the members of an object. */
type Tree = string | readonly Tree[] | { readonly members: readonly (readonly [key: string, value: Tree])[] }

const blank = fc.constantFrom('', ' ', '\n\t', '  \r\n')
const digits = fc.stringMatching(/^(0|[1-9]\d{0,20})$/)
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits,
    fc.option(fc.stringMatching(/^(\d{1,20}|0{15,25}\d)$/), { nil: null }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.integer({ min: 0, max: 400 })), { nil: null }),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent?.join('') ?? ''}`,
  )
const stringText = fc.oneof(
  fc.string().map((text) => JSON.stringify(text)),
  fc
    .array(fc.constantFrom('\\"', '\\\\', '\\u005b', '[', '{', '}', ':', ',', '1.5', '-', 'e'))
    .map((pieces) => `"${pieces.join('')}"`),
)
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(numberText, stringText, fc.constantFrom('true', 'false', 'null')),
    fc.array(tie('tree')),
    fc
      .array(fc.tuple(fc.constantFrom('"a"', '"b"', '"\\u0061"', '"1"', '""', '"__proto__"'), tie('tree')))
      .map((members) => ({ members })),
  ),
}))

const isList = (given: Tree): given is readonly Tree[] => Array.isArray(given)

/** The text, with blanks between everything. */
function textOf(given: Tree, space: string): string {
  if (typeof given === 'string') return `${space}${given}${space}`
  if (isList(given)) return `${space}[${space}${given.map((one) => textOf(one, space)).join(',')}]${space}`
  return `${space}{${space}${given.members.map(([key, value]) => `${space}${key}${space}:${textOf(value, space)}`).join(',')}}`
}

function countOf(given: Tree): number {
  if (typeof given === 'string') return 1
  if (isList(given)) return given.reduce((sum, one) => sum + countOf(one), 1)
  return given.members.reduce((sum, [, value]) => sum + 1 + countOf(value), 1)
}

/** The value by the plain way: each number exactly, by its digits. */
function plainValue(given: Tree): unknown {
  if (isList(given)) return given.map(plainValue)
  if (typeof given !== 'string')
    return given.members.reduce((object, [key, value]) => {
      Object.defineProperty(object, JSON.parse(key), {
        value: plainValue(value),
        enumerable: true,
        writable: true,
        configurable: true,
      })
      return object
    }, {})
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(given) ?? []
  if (whole === '') return JSON.parse(given)
  const power = Number(exponent) - fraction.length
  const isInteger = power >= 0 || BigInt(whole + fraction) % 10n ** BigInt(-power) === 0n
  return !isInteger && Number.isInteger(Number(given)) ? Number(`${sign}Infinity`) : Number(given)
}

/** The path of the first key in the text that its object gave before; null without one. */
function firstTwice(given: Tree, path: readonly (string | number)[] = []): readonly (string | number)[] | null {
  if (typeof given === 'string') return null
  const keys = new Set<string>()
  const entries = isList(given)
    ? given.map((one, index) => [index, one] as const)
    : given.members.map(([key, one]) => [JSON.parse(key) as string, one] as const)
  for (const [place, one] of entries) {
    const here = [...path, place]
    if (typeof place === 'string') {
      if (keys.has(place)) return here
      keys.add(place)
    }
    const inside = firstTwice(one, here)
    if (inside) return inside
  }
  return null
}

test('value.numbers-never-rounded, http.bodies-are-bounded: one scan finds what a walk through the whole value finds', () => {
  fc.assert(
    fc.property(tree, blank, (given, space) => {
      const text = textOf(given, space)
      const count = countOf(given)
      if (count > 1) expect(() => parseJson(text, { valuesMax: count - 1 })).toThrow(JsonRefused)
      const twice = firstTwice(given)
      if (twice) expect(() => parseJson(text)).toThrow(new JsonKeyTwice(twice))
      else expect(parseJson(text, { valuesMax: count })).toEqual(plainValue(given))
    }),
    runs(5_000),
  )
})
