/**
 * Compilation of operations and the bounds of its cache: compiled code takes more memory than the rest of a document.
 */
import { isObjectType, parse } from 'graphql'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { schema } from '../../../src/graphql/schema.ts'
import {
  COMPILED_FIELDS_CACHED,
  COMPILED_FIELDS_MAX,
  CONDITION_VARIABLES_MAX,
  compiler,
  RUNS_BEFORE_COMPILING,
  RUNS_BEFORE_COMPILING_MAX,
} from '../../../src/graphql/server/compiled.ts'
import { createExecutor } from '../../../src/graphql/server/executor.ts'
import { testContext } from '../../support/graph.ts'
import { frameSchema } from '../../support/graph-nouns.ts'

const compile = vi.fn(compiler(frameSchema()))
beforeEach(() => void compile.mockClear())

const fields = (count: number) => parse(`{ ${'hello '.repeat(count)} }`)
const execute = createExecutor(frameSchema(), compile)

async function run(document: ReturnType<typeof parse>, times: number): Promise<number> {
  const before = compile.mock.calls.length
  for (let time = 0; time < times; time++)
    expect((await execute({ document }, testContext())).data).toEqual({ hello: 'world' })
  return compile.mock.calls.length - before
}

test('an operation is compiled once, at its third run', async () => {
  const document = fields(COMPILED_FIELDS_MAX)
  expect(await run(document, RUNS_BEFORE_COMPILING - 1)).toBe(0)
  expect(await run(document, 1)).toBe(1)
  expect(await run(document, 5)).toBe(0)
})

test('an operation with too many fields, fragments counted at each spread, is never compiled', async () => {
  expect(await run(fields(COMPILED_FIELDS_MAX + 1), 5)).toBe(0)
  const half = 'hello '.repeat(COMPILED_FIELDS_MAX / 2)
  const spread = parse(
    `{ hello a: open { ...F } b: open { ...F } } fragment F on Open { ${half.replaceAll('hello', 'rank')} }`,
  )
  for (let time = 0; time < 5; time++) await execute({ document: spread }, testContext())
  expect(compile).not.toHaveBeenCalled()
})

test('mutations and introspection are never compiled', async () => {
  const documents = [
    'mutation { make(input: { name: "x", idempotencyKey: "key-1" }) { userErrors { code } } }',
    '{ __schema { queryType { name } } }',
  ]
  for (const text of documents) {
    const document = parse(text)
    for (let time = 0; time < 5; time++) await execute({ document }, testContext())
  }
  expect(compile).not.toHaveBeenCalled()
})

test('the least recently used compiled operations are evicted, and compiled again once they ran twice as often as before', async () => {
  const documents = Array.from({ length: COMPILED_FIELDS_CACHED / COMPILED_FIELDS_MAX }, () =>
    fields(COMPILED_FIELDS_MAX),
  )
  for (const document of documents) expect(await run(document, RUNS_BEFORE_COMPILING)).toBe(1)
  const [first = fields(1), second = fields(1)] = documents
  const last = documents.at(-1) ?? first
  expect(await run(last, 3)).toBe(0)
  expect(await run(first, 2 * RUNS_BEFORE_COMPILING - 1)).toBe(0)
  expect(await run(first, 1)).toBe(1)
  // In turns, none stays long: they are compiled more and more seldom.
  let compilations = 0
  for (let turn = 0; turn < 5 * RUNS_BEFORE_COMPILING_MAX; turn++)
    for (const document of [first, second, ...documents.slice(2)]) compilations += await run(document, 1)
  expect(compilations).toBeLessThan(documents.length * 15)
})

describe('the variants of an operation, by the values of its conditions', () => {
  const flags = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`)
  const operation = (count: number) =>
    parse(
      `query (${flags(count).map((flag) => `$${flag}: Boolean!`)}) { hello ${flags(count)
        .map((flag) => `${flag}: hello @include(if: $${flag})`)
        .join(' ')} }`,
    )
  const values = (count: number, bits: number) =>
    Object.fromEntries(flags(count).map((flag, at) => [flag, ((bits >> at) & 1) === 1]))

  /** How often the operation is compiled when each of its first `variants` runs `times` times, in turns. */
  async function compilations(
    document: ReturnType<typeof parse>,
    count: number,
    variants: number,
    times: number,
  ): Promise<number> {
    const before = compile.mock.calls.length
    for (let time = 0; time < times; time++)
      for (let bits = 0; bits < variants; bits++) {
        const variables = values(count, bits)
        const { data } = await execute({ document, variables }, testContext())
        const included = flags(count).filter((flag) => variables[flag])
        expect(data).toEqual({ hello: 'world', ...Object.fromEntries(included.map((flag) => [flag, 'world'])) })
      }
    return compile.mock.calls.length - before
  }

  test('the variants of an operation are compiled one by one, each at its third run', async () => {
    const document = operation(2)
    expect(await compilations(document, 2, 4, RUNS_BEFORE_COMPILING - 1)).toBe(0)
    expect(await compilations(document, 2, 4, 1)).toBe(4)
    expect(await compilations(document, 2, 4, 3)).toBe(0)
  })

  test('the variants of an operation are not compiled when each runs seldom', async () => {
    expect(await compilations(operation(10), 10, 1_000, RUNS_BEFORE_COMPILING - 1)).toBe(0)
  })

  test('an operation with too many conditions is interpreted, so that its variants are bounded', async () => {
    expect(await compilations(operation(CONDITION_VARIABLES_MAX), CONDITION_VARIABLES_MAX, 1, 5)).toBe(1)
    expect(await compilations(operation(CONDITION_VARIABLES_MAX + 1), CONDITION_VARIABLES_MAX + 1, 1, 5)).toBe(0)
  })
})

test('no two fields of the schema have the same name once their types are put before them, as in compiled code', () => {
  const names = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.keys(type.getFields()).map((field) => type.name + field))
  expect(new Set(names).size).toBe(names.length)
})
