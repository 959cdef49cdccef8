/**
 * The key set (JWKS) of an identity provider: fetched at the start and then when it is older than ten minutes, through
 * the proxy.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose'
import type { Logger } from '../lib/log.ts'
import { OutgoingAgents } from '../lib/outgoing-agents.ts'
import { noProxies, type Proxies } from '../lib/proxies.ts'

/** Milliseconds for one fetch. */
const FETCH_MS = 3_000
/** Milliseconds until a failed first fetch is tried again: the first, then twice as many each time, up to the last. */
const RETRY_MS = { first: 500, last: 10_000 }

/** The keys that verify tokens. */
export interface KeySet {
  /** The key of a token's header; fetches the set when it is not there or too old. */
  readonly find: JWTVerifyGetKey
  /** Whether the set was there once; no later outage changes that (token.keys-before-ready). */
  readonly isKnown: () => boolean
  /** Fetches the set, again and again until it is there. */
  readonly load: (log: Logger) => Promise<void>
}

/** Makes the key set at `url`; nothing is fetched yet. */
export function createKeySet(url: string, proxies: Proxies = noProxies): KeySet {
  const options = { timeoutDuration: FETCH_MS, [customFetch]: fetchThrough(new OutgoingAgents({ proxies })) }
  const find = createRemoteJWKSet(new URL(url), options)
  const isKnown = (): boolean => find.jwks() !== undefined
  const load = async (log: Logger): Promise<void> => {
    for (let wait = RETRY_MS.first; !isKnown(); wait = Math.min(2 * wait, RETRY_MS.last)) {
      try {
        await find.reload()
      } catch (error) {
        if (wait === RETRY_MS.first) log.warn({ reason: reasonOf(error) }, 'the keys of AUTH_JWKS_URL cannot be fetched: trying again')
        await pause(wait, undefined, { ref: false })
      }
    }
    log.info('the keys of AUTH_JWKS_URL are there')
  }
  return { find, isKnown, load }
}

/** GET over connections of these agents, as much of `fetch` as jose needs. A redirect is not followed. */
function fetchThrough(agents: OutgoingAgents): FetchImplementation {
  return (address, { headers, signal }) =>
    new Promise((resolve, reject) => {
      const url = new URL(address)
      const request = url.protocol === 'https:' ? requestHttps : requestHttp
      const options = { agent: agents.for(url), headers: Object.fromEntries(headers), signal }
      // A request that waits for a proxy does not tell that it was given up.
      signal.addEventListener('abort', () => reject(signal.reason))
      const req = request(url, options, async (res) => {
        const chunks: Buffer[] = []
        try {
          for await (const chunk of res) chunks.push(chunk as Buffer)
          const { statusCode = 0 } = res
          resolve(new Response(statusCode === 200 ? Buffer.concat(chunks) : null, { status: statusCode }))
        } catch (error) {
          reject(error)
        }
      })
      req.on('error', reject)
      req.end()
    })
}

/** A code of the system, or what jose or the proxy said: none of them names an address or a password. */
function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code?.startsWith('ERR_') || code === undefined ? message : code
}
