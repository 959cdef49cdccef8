/**
 * One table of good and bad inputs per operation, run through both edges (issue 2): the same outcome, the same codes at the same places in
 * the same order, and the same stored state afterwards, read back from the database.
 */
import { expect, it } from 'vitest'
import { camelCase } from '../../src/graphql/schema/rest-document.ts'
import type { RestReply } from './server.ts'

/** A broken rule: its code, and the path of the member as REST spells it after `data.`; the graph's path follows, or is given. */
export type ExpectedViolation = readonly [code: string, path: string, graphPath?: string]

export interface Case<Input> {
  /** With the law's id. `limit:` in front: what is taken there is also read back and compared with what was given. */
  readonly title: string
  readonly input: Input
  /** What it breaks, in order; absent: it is taken. */
  readonly violations?: readonly ExpectedViolation[]
  /**
   * The GraphQL language itself refuses the input (wrong type, null or absent where it must not be): there only the stored state is
   * compared.
   */
  readonly refusedByGraphql?: true
}

export interface Operation<Input> {
  /** Brings the database to the state from which every case starts. */
  readonly prepare: () => Promise<void>
  readonly rest: (input: Input) => Promise<RestReply>
  /** Answers the mutation's payload (`data.<mutation>`) or the errors of the request. */
  readonly graph: (input: Input) => Promise<GraphReply>
  /** What is stored, without what differs from run to run (ids, instants). */
  readonly stored: () => Promise<unknown>
  /** The row written last, read back from the database and spelled as the input is. */
  readonly readBack: () => Promise<object>
  /** REST's statuses of success, of a broken rule (422) and of a conflict (409) are told apart by code. */
  readonly success: number
}

// biome-ignore lint/suspicious/noExplicitAny: results of every shape
export type GraphReply = any

/** The codes of conflicts with what is stored: 409 in REST, the message alone in the detail (http.fixed-statuses-and-titles). */
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

/** One test per case. `payloadOf` is the mutation's name in the graph's answer. */
export function runCases<Input extends object>(cases: readonly Case<Input>[], mutation: string, operation: () => Operation<Input>): void {
  it.each(cases)('$title', async ({ title, input, violations = [], refusedByGraphql = false }) => {
    const { prepare, rest, graph, stored, readBack, success } = operation()
    const takenAtLimit = violations.length === 0 && title.startsWith('limit:')
    await prepare()
    const before = await stored()
    const reply = await rest(input)
    const afterRest = await stored()
    if (takenAtLimit) expect(await readBack()).toMatchObject(input)
    await prepare()
    const answer = await graph(input)
    const afterGraph = await stored()
    if (takenAtLimit) expect(await readBack()).toMatchObject(input)

    expectRest(reply, violations, success)
    if (refusedByGraphql) {
      expect(answer.data ?? null).toBeNull()
      expect(answer.errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT')
    } else {
      expect(answer.errors).toBeUndefined()
      const userErrors: { code: string; path: string[] }[] = answer.data[mutation].userErrors
      expect(userErrors.map(({ code, path }) => [code, path.join('.')])).toEqual(
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

/** The contract's path as the graph spells it: no wrapper, camelCase, maps that became lists under their other name. */
function graphPathOf(path: string): string {
  const segments = path.replace(/^(attributes|relationships)\.?/, '').split('.')
  return segments.map((name) => (name === 'price' || name === 'currencies' ? 'prices' : camelCase(name))).join('.')
}

/** A text of `count` code points outside the basic plane: twice as many UTF-16 units. */
export function astral(count: number): string {
  return '\u{1F600}'.repeat(count)
}
