/**
 * Startup banner: addresses, demo tokens, an example query and a curl command, printed when the server listens; never
 * in production.
 */
import type { AddressInfo } from 'node:net'
import type { IssueToken } from '../auth/issue.ts'
import { pageQuery } from '../demo/curl-examples.ts'
import { demoIds } from '../demo/demo-ids.ts'
import { issueDemoTokens } from '../demo/demo-tokens.ts'

/** The server's URL for a browser on this machine; `localhost` when it listens on all interfaces. */
export function addressOf(bound: AddressInfo | string | null, host: string): string {
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/**
 * The text of the banner. It shows tokens only if this server issues them (token.demo-tokens-stay-local). `now` is in
 * epoch milliseconds.
 */
export async function startupBanner(address: string, issue: IssueToken | null, now: number): Promise<string> {
  const tokens = issue && (await issueDemoTokens(issue, now))
  const shopper = tokens?.shopper ?? '$TOKEN'
  const curl = `curl -g '${address}/catalog/hierarchies/${demoIds.hierarchy}/products?page[limit]=3' -H 'Authorization: Bearer ${shopper}'`
  return [
    '',
    `Address        ${address}`,
    `GraphiQL       ${address}/graphql`,
    `Console        ${address}/explore`,
    `Docs           ${address}/docs`,
    ...(tokens ? ['', `Admin token    ${tokens.admin}`, `Shopper token  ${tokens.shopper}`] : []),
    '',
    `A query        ${pageQuery}`,
    '',
    `From a shell   ${curl}`,
    '',
  ].join('\n')
}
