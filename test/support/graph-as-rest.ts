import type { TestServer } from './server.ts'

/** Sends a GraphQL query and returns its response with the status that REST would have. */
export async function graphAsRest(server: TestServer, query: string): Promise<{ status: number; text: string }> {
  const { status, headers: _, ...body } = await server.gql(query)
  const code = body.errors?.[0].extensions.code
  return { status: code === 'SERVICE_UNAVAILABLE' ? 503 : code ? 500 : status, text: JSON.stringify(body) }
}
