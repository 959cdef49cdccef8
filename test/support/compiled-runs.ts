/** Runs of an operation on a server: what they respond, against graphql-js alone. */
import { type ExecutionResult, execute, type GraphQLError, parse } from 'graphql'
import { expect } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'
import { forClient } from '../../src/graphql/server/executor.ts'
import { contextOf } from './price-books.ts'
import type { TestServer } from './server.ts'

/** Runs of each operation: it is compiled at the third. */
export const RUNS = 6

export interface RunRequest {
  readonly query: string
  readonly operationName?: string
  readonly variables?: Record<string, unknown>
  readonly role?: 'admin' | 'shopper'
}

/** What graphql-js responds. */
export async function interpreted(server: TestServer, { query, operationName, variables, role = 'admin' }: RunRequest) {
  const document = parse(query)
  const ctx = contextOf(server.services, server.now, role)
  const result = await execute({ schema, document, operationName, variableValues: variables, contextValue: ctx })
  return forClient(result, ctx, document.loc?.source)
}

/** What refuses operations that are too large, before they run. */
const LIMITS: ReadonlySet<unknown> = new Set(['QUERY_TOO_COSTLY', 'TOO_MANY_DIRECTIVES'])

/**
 * Whether the size of the operation is refused: then it is not compared. Fails if a run responds otherwise than
 * graphql-js.
 */
export async function expectSameRuns(server: TestServer, request: RunRequest): Promise<'same' | 'refused'> {
  const { query, operationName, variables, role = 'admin' } = request
  const expected = comparable(await interpreted(server, request))
  let extensions: unknown
  for (let run = 1; run <= RUNS; run++) {
    const { body } = await server.rest('POST', '/graphql', {
      body: { query, operationName, variables },
      token: server[role],
    })
    if (body.errors?.some(({ extensions }: GraphQLError) => LIMITS.has(extensions.code))) return 'refused'
    if (run === 1) extensions = body.extensions
    expect(body.extensions).toEqual(extensions)
    expect(comparable(body), `run ${run}, ${role}, ${operationName} ${JSON.stringify(variables)}\n${query}`).toBe(
      expected,
    )
  }
  return 'same'
}

/**
 * Data and errors as one text. Errors come in any order. Of several in a parent that became null for them graphql-js
 * tells those that were first, so here it only counts that there are any.
 */
function comparable({ data, errors = [] }: ExecutionResult): string {
  const lost = errors.filter(({ path = [] }) => isBelowNull(data, path))
  const kept = errors.filter((error) => !lost.includes(error))
  return JSON.stringify({ data, errors: kept.map((error) => JSON.stringify(error)).sort(), lost: lost.length > 0 })
}

function isBelowNull(data: unknown, path: readonly (string | number)[]): boolean {
  let parent = data
  return path.some((key) => {
    if (parent == null) return true
    parent = (parent as Record<string | number, unknown>)[key]
    return false
  })
}
