import { describe, expect, test } from 'vitest'
import { useGraph } from '../../support/graph.ts'
import { frameSchema } from '../../support/graph-nouns.ts'

const graph = useGraph(frameSchema)

async function echo(literal: string) {
  const { body } = await graph.post({ query: `{ echo(${literal}) }` })
  return body.errors ? body.errors[0].extensions.code : JSON.parse(body.data.echo)
}

async function echoed(name: string, type: string, value: unknown) {
  const { body } = await graph.post({ query: `query($value: ${type}) { echo(${name}: $value) }`, variables: { value } })
  return body.errors ? body.errors[0].extensions.code : JSON.parse(body.data.echo)[name]
}

const REFUSED = 'GRAPHQL_VALIDATION_FAILED'
const BAD = 'BAD_USER_INPUT'

describe('value.numbers-never-rounded: Long', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['9007199254740992', REFUSED],
    ['9007199254740993', REFUSED],
    ['-9007199254740992', REFUSED],
    ['1.0', REFUSED],
    ['1e3', REFUSED],
    ['"1"', REFUSED],
    ['true', REFUSED],
  ])('the literal %s as a Long', async (literal, expected) => {
    const response = await echo(`long: ${literal}`)
    expect(typeof response === 'string' ? response : response.long).toBe(expected)
  })

  test.each([
    [0, 0],
    [9007199254740991, 9007199254740991],
    [2 ** 53, BAD],
    [-(2 ** 53), BAD],
    [1.5, BAD],
    ['1', BAD],
    [true, BAD],
    [[1], BAD],
    [null, null],
  ])('the variable %j as a Long', async (value, expected) => {
    expect(await echoed('long', 'Long', value)).toBe(expected)
  })
})

describe('value.instants-cut-to-milliseconds: DateTime', () => {
  test.each([
    ['2026-01-31T10:00:00Z', Date.UTC(2026, 0, 31, 10)],
    ['2026-01-31T10:00:00', Date.UTC(2026, 0, 31, 10)],
    ['2026-01-31T10:00:00.9999+02:00', Date.UTC(2026, 0, 31, 8, 0, 0, 999)],
    ['2026-01-31', BAD],
    ['2026-02-30T10:00:00Z', BAD],
    ['2026-01-31T10:00:60Z', BAD],
    ['', BAD],
    [1, BAD],
    [null, null],
  ])('the variable %j as a DateTime', async (value, expected) => {
    expect(await echoed('at', 'DateTime', value)).toBe(expected)
  })

  test('a DateTime literal must be a string', async () => {
    expect((await echo('at: "2026-01-31T10:00:00Z"')).at).toBe(Date.UTC(2026, 0, 31, 10))
    expect(await echo('at: 5')).toBe(REFUSED)
    expect(await echo('at: "yesterday"')).toBe(REFUSED)
  })

  test('a DateTime in a response is UTC with milliseconds', async () => {
    expect((await graph.post({ query: '{ instant }' })).body.data.instant).toBe('2026-01-15T12:00:00.000Z')
  })
})

test.each(['long: 9007199254740992', 'long: 1.5', 'at: "yesterday"', 'at: 5'])(
  'the error of the literal %s has its place in the document',
  async (argument) => {
    const { errors } = (await graph.post({ query: `{ echo(${argument}) }` })).body
    expect(errors[0].locations).toEqual([{ line: 1, column: '{ echo('.length + argument.indexOf(':') + 3 }])
  },
)
