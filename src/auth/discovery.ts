/**
 * The addresses of an identity provider (OpenID Connect Discovery), at which pages sign in (token.pages-sign-in). They
 * are fetched through the proxy, and again in the background when they are older than ten minutes.
 */
import {
  type AuthorizationServer,
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from 'oauth4webapi'
import type { Logger } from '../lib/log.ts'
import { OutgoingAgents } from '../lib/outgoing-agents.ts'
import type { Proxies } from '../lib/proxies.ts'
import { SingleFlight } from '../lib/single-flight.ts'
import { FETCH_MS, fetchThrough, reasonOf } from './key-set.ts'

/** Milliseconds after which they are fetched again. */
const FRESH_MS = 10 * 60_000

/** What a page has to know of a provider, by the names of its metadata (RFC 8414). */
const members = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'end_session_endpoint',
  'authorization_response_iss_parameter_supported',
  'id_token_signing_alg_values_supported',
] as const

/** A provider at which a person can sign in. */
export type Provider = Pick<AuthorizationServer, (typeof members)[number]> & {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
}

/** The provider; null while it was never reached. Each call then tries again, and those at once share one fetch. */
export type Discover = () => Promise<Provider | null>

/** Makes the discovery of the provider `issuer`, an http or https URL; nothing is fetched yet. */
export function createDiscovery(issuer: string, proxies: Proxies, log: Logger): Discover {
  const send = fetchThrough(new OutgoingAgents({ proxies }))
  let known: Provider | null = null
  let fetchedAt = Number.NEGATIVE_INFINITY
  const flight = new SingleFlight<string, void>()

  async function look(): Promise<void> {
    try {
      known = await discover(issuer, send)
      fetchedAt = performance.now()
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, 'the addresses of the provider of AUTH_ISSUER cannot be fetched')
    }
  }
  return async () => {
    const fetching = performance.now() - fetchedAt >= FRESH_MS ? flight.run(issuer, look) : undefined
    if (known === null) await fetching
    return known
  }
}

async function discover(issuer: string, send: ReturnType<typeof fetchThrough>): Promise<Provider> {
  const url = new URL(issuer)
  const signal = AbortSignal.timeout(FETCH_MS)
  const response = await discoveryRequest(url, {
    [customFetch]: (address, { headers }) =>
      send(address, { headers: new Headers(headers), method: 'GET', redirect: 'manual', signal }),
    // AUTH_ISSUER decides whether the provider is called by https.
    [allowInsecureRequests]: url.protocol === 'http:',
  })
  const metadata = await processDiscoveryResponse(url, response)
  for (const name of ['authorization_endpoint', 'token_endpoint', 'end_session_endpoint'] as const) {
    const address = metadata[name]
    if (address === undefined ? name !== 'end_session_endpoint' : !isAddress(address, url.protocol))
      throw new Error(`its ${name} is missing or no ${url.protocol.replace(':', '')} address`)
  }
  return Object.fromEntries(members.map((name) => [name, metadata[name]])) as unknown as Provider
}

function isAddress(text: string, protocol: string): boolean {
  return URL.canParse(text) && [protocol, 'https:'].includes(new URL(text).protocol)
}
