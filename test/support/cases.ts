/**
 * Input cases: a table of valid and invalid inputs per operation, sent through both edges.
 *
 * Both edges must have the same outcome, the same violations at the same paths in the same order, and the same stored
 * state afterwards.
 */
import { expect, it } from 'vitest'
import { camelCase } from '../../src/graphql/schema/graph-input.ts'
import { keyedPath } from './input-path.ts'
import type { RestReply } from './server.ts'

/**
 * A violation: its code and its path in REST without `data.`; the graph's path is derived from it unless it is given.
 */
export type ExpectedViolation = readonly [code: string, path: string, graphPath?: string]

/** One input and its expected outcome. */
export interface Case<Input> {
  /** The title of the test. With the prefix `limit:` the stored record is also compared with the input. */
  readonly title: string
  readonly input: Input
  /** The expected violations, in order; absent: the input is valid. */
  readonly violations?: readonly ExpectedViolation[]
  /** GraphQL itself refuses the input (wrong type, null or absent); then only the stored state is compared. */
  readonly refusedByGraphql?: true
}

/** The operation under test. */
export interface Operation<Input> {
  /** Resets the database to the state in which every case starts. */
  readonly prepare: () => Promise<void>
  readonly rest: (input: Input) => Promise<RestReply>
  /** Returns the response to the mutation, with data or errors. */
  readonly graph: (input: Input) => Promise<GraphReply>
  /** The mutation's own input for the same. */
  readonly graphInput: (input: Input) => unknown
  /** The stored state without generated ids and instants. */
  readonly stored: () => Promise<unknown>
  /** The row written last, in the form of the input. */
  readonly readBack: () => Promise<object>
  /** REST's status of success. */
  readonly success: number
}

// biome-ignore lint/suspicious/noExplicitAny: results of every shape
export type GraphReply = any

/**
 * The codes of conflicts with what is stored: 409 in REST, the message alone in the detail
 * (http.fixed-statuses-and-titles).
 */
const conflicts = new Set([
  'PRICE_EXISTS',
  'EXTERNAL_REF_TAKEN',
  'NAME_TAKEN',
  'SKU_TAKEN',
  'SLUG_TAKEN',
  'ID_TAKEN',
  'ACTION_REFUSED',
  'STALE',
])

/** Defines one test per case. `mutation` is the name of the mutation in the graph. */
export function runCases<Input extends object>(
  cases: readonly Case<Input>[],
  mutation: string,
  operation: () => Operation<Input>,
): void {
  it.each(cases)('$title', async ({ title, input, violations = [], refusedByGraphql = false }) => {
    const { prepare, rest, graph, graphInput, stored, readBack, success } = operation()
    const isLimit = violations.length === 0 && title.startsWith('limit:')
    await prepare()
    const before = await stored()
    const reply = await rest(input)
    const afterRest = await stored()
    if (isLimit) expect(await readBack()).toMatchObject(input)
    await prepare()
    const response = await graph(input)
    const afterGraph = await stored()
    if (isLimit) expect(await readBack()).toMatchObject(input)

    expectRest(reply, violations, success)
    if (refusedByGraphql) {
      expect(response.data ?? null).toBeNull()
      expect(response.errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT')
    } else {
      expect(response.errors).toBeUndefined()
      const userErrors: { code: string; path: string[] }[] = response.data[mutation].userErrors
      expect(userErrors.map(({ code, path }) => [code, keyedPath(path, graphInput(input), keyedLists)])).toEqual(
        violations.map(([code, path, graphPath]) => [code, graphPath ?? graphPathOf(path)]),
      )
    }
    if (violations.length > 0) expect(afterRest).toEqual(before)
    expect(afterGraph).toEqual(refusedByGraphql && violations.length === 0 ? before : afterRest)
  })
}

function expectRest(reply: RestReply, violations: readonly ExpectedViolation[], success: number): void {
  if (violations.length === 0) {
    expect(reply.body?.errors).toBeUndefined()
    expect(reply.status).toBe(success)
    return
  }
  const conflict = violations.every(([code]) => conflicts.has(code))
  const errors: { code: string; detail: string; status: string }[] = reply.body.errors
  const shown = errors.map(({ code, detail }, index) => {
    const path = violations[index]?.[1] ?? ''
    return [code, conflict || detail.startsWith(`${path === '' ? 'data' : `data.${path}`}: `) ? path : detail]
  })
  expect(shown).toEqual(violations.map(([code, path]) => [code, path]))
  expect(reply.status).toBe(conflict ? 409 : 422)
  expect(errors.map(({ status }) => status)).toEqual(errors.map(() => String(reply.status)))
}

const keyedLists = new Set(['prices', 'tiers', 'sales', 'adminAttributes', 'shopperAttributes'])

const renamed: Readonly<Record<string, string>> = {
  price: 'prices',
  currencies: 'prices',
  customer_id: 'customerRef',
  card_id: 'cardRef',
}

/** The graph's name for a member of REST: in camelCase, with the names of the lists that replace maps. */
export function graphName(name: string): string {
  return renamed[name] ?? camelCase(name)
}

/**
 * The graph's path for a path of REST, in the form of `keyedPath`: without wrappers, in camelCase, with the names of
 * the lists that replace maps.
 */
function graphPathOf(path: string): string {
  const segments = path.replace(/^(attributes|relationships)\.?/, '').split('.')
  return segments.map(graphName).join('.')
}

/** A text of `count` code points outside the basic plane: twice as many UTF-16 units. */
export function astral(count: number): string {
  return '\u{1F600}'.repeat(count)
}
