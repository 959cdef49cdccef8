import type { TestServer } from './server.ts'

/** A graph's answer with the status that the facade would have given. */
export async function graphAsRest(server: TestServer, query: string): Promise<{ status: number; text: string }> {
  const { status, headers: _, ...body } = await server.gql(query)
  const code = body.errors?.[0].extensions.code
  return { status: code === 'SERVICE_UNAVAILABLE' ? 503 : code ? 500 : status, text: JSON.stringify(body) }
}
