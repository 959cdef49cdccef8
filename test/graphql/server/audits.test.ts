/**
 * GraphQL over HTTP, as graphql-http audits it: the app that is served, over sockets, with the tokens it checks.
 * Warnings count as failures.
 */
import { serverAudits } from 'graphql-http'
import { describe, expect, test } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

interface Audited {
  readonly total: number
  readonly failures: readonly string[]
  /** The status of each request that the audits sent. */
  readonly statuses: ReadonlySet<number>
}

/** Every audit, with `authorization`. */
async function audit(authorization: string | null): Promise<Audited> {
  const statuses = new Set<number>()
  const fetchFn = async (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    if (authorization !== null) headers.set('authorization', authorization)
    const response = await fetch(url, { ...init, headers })
    statuses.add(response.status)
    return response
  }
  const audits = serverAudits({ url: () => `${server.url}/graphql`, fetchFn })
  const results = []
  for (const one of audits) results.push(await one.fn())
  const failures = results
    .filter(({ status }) => status !== 'ok')
    .map(({ id, name, status }) => `${status} ${id} ${name}`)
  return { total: audits.length, failures, statuses }
}

describe('graphql-http audits of the served app', () => {
  test.each(['admin', 'shopper'] as const)(
    'the graphql-http audits pass without changes, with the token of the %s',
    async (role) => {
      const { total, failures, statuses } = await audit(`Bearer ${server[role]}`)
      expect([total, failures]).toEqual([61, []])
      expect(statuses).not.toContain(401)
    },
  )

  test.each([
    ['no token', () => null],
    ['the token of another secret', () => `Bearer ${server.admin.slice(0, -6)}AAAAAA`],
  ])('http.first-failure-wins: with %s every request of the graphql-http audits gets 401', async (_, authorization) => {
    expect((await audit(authorization())).statuses).toEqual(new Set([401]))
  })
})
