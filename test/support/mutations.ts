/** Mutations of the graph for tests. */
import type { RestReply, TestServer } from './server.ts'

type Options = NonNullable<Parameters<TestServer['gql']>[2]>

/**
 * Runs a mutation and returns its payload with `selected` and the userErrors, or the whole response when it has errors.
 */
export async function mutate(
  server: Pick<TestServer, 'gql'>,
  name: string,
  input: object,
  selected: string,
  options: Options = {},
): Promise<RestReply['body']> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  const text = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selected} userErrors { code path message } } }`
  const reply = await server.gql(text, { input }, options)
  return reply.errors ? reply : reply.data[name]
}
