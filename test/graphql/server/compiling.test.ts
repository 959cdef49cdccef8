/** Compilation of operations and the bounds of its cache: compiled code takes more memory than the rest of a document. */
import { isInputObjectType, isNonNullType, parse } from 'graphql'
import { beforeEach, expect, test, vi } from 'vitest'
import { schema } from '../../../src/graphql/schema.ts'
import { COMPILED_FIELDS_CACHED, COMPILED_FIELDS_MAX, compiler, RUNS_BEFORE_COMPILING } from '../../../src/graphql/server/compiled.ts'
import { createExecutor } from '../../../src/graphql/server/executor.ts'
import { testContext } from '../../support/graph.ts'
import { frameSchema } from '../../support/graph-nouns.ts'

const compile = vi.fn(compiler(frameSchema()))
beforeEach(() => void compile.mockClear())

const fields = (count: number) => parse(`{ ${'hello '.repeat(count)} }`)
const execute = createExecutor(frameSchema(), compile)

async function run(document: ReturnType<typeof parse>, times: number): Promise<number> {
  const before = compile.mock.calls.length
  for (let time = 0; time < times; time++) expect((await execute({ document }, testContext())).data).toEqual({ hello: 'world' })
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
  const spread = parse(`{ hello a: open { ...F } b: open { ...F } } fragment F on Open { ${half.replaceAll('hello', 'rank')} }`)
  for (let time = 0; time < 5; time++) await execute({ document: spread }, testContext())
  expect(compile).not.toHaveBeenCalled()
})

test('the least recently used compiled operations are evicted, and compiled again when they run again', async () => {
  const documents = Array.from({ length: COMPILED_FIELDS_CACHED / COMPILED_FIELDS_MAX }, () => fields(COMPILED_FIELDS_MAX))
  for (const document of documents) expect(await run(document, RUNS_BEFORE_COMPILING)).toBe(1)
  const [first = fields(1)] = documents
  const last = documents.at(-1) ?? first
  expect(await run(last, 3)).toBe(0)
  expect(await run(first, RUNS_BEFORE_COMPILING - 1)).toBe(0)
  expect(await run(first, 1)).toBe(1)
})

test('an input field with a default is nullable, since compiled code refuses variables without a required one', () => {
  const required = Object.values(schema.getTypeMap())
    .filter(isInputObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ path: `${type.name}.${field.name}`, field })))
    .filter(({ field }) => field.defaultValue !== undefined && isNonNullType(field.type))
  expect(required.map(({ path }) => path)).toEqual([])
})
