/**
 * The key set (JWKS) of an identity provider. It is fetched through the proxy at the start, and again when it is older
 * than ten minutes.
 */
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey } from 'jose'
import type { Logger } from '../lib/log.ts'
import { OutgoingAgents } from '../lib/outgoing-agents.ts'
import { noProxies, type Proxies } from '../lib/proxies.ts'

/** Milliseconds for one fetch from the provider. */
export const FETCH_MS = 3_000
/** Milliseconds before a failed first fetch is retried: the first delay doubles each time, up to the last. */
const RETRY_MS = { first: 500, last: 10_000 }

/** The keys that verify tokens. */
export interface KeySet {
  /** The key for a token's header. Fetches the set when it lacks the key or is too old. */
  readonly find: JWTVerifyGetKey
  /** Whether the set was ever fetched; a later outage does not change that (token.keys-before-ready). */
  readonly isKnown: () => boolean
  /** Fetches the set, and retries until it succeeds. */
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
        if (wait === RETRY_MS.first)
          log.warn({ reason: reasonOf(error) }, 'the keys of AUTH_JWKS_URL cannot be fetched: trying again')
        await pause(wait, undefined, { ref: false })
      }
    }
    log.info('the keys of AUTH_JWKS_URL are there')
  }
  return { find, isKnown, load }
}

/** GET through these agents: the part of `fetch` that is needed here. Redirects are not followed. */
export function fetchThrough(agents: OutgoingAgents): FetchImplementation {
  return (address, { headers, signal }) =>
    new Promise((resolve, reject) => {
      const url = new URL(address)
      const request = url.protocol === 'https:' ? requestHttps : requestHttp
      const options = { agent: agents.for(url), headers: Object.fromEntries(headers), signal }
      // A request that waits for a proxy does not report an abort.
      signal.addEventListener('abort', () => reject(signal.reason))
      const req = request(url, options, async (res) => {
        const chunks: Buffer[] = []
        try {
          for await (const chunk of res) chunks.push(chunk as Buffer)
          const { statusCode: status = 0, headers: given } = res
          const type = { 'content-type': given['content-type'] ?? '' }
          resolve(new Response(status === 200 ? Buffer.concat(chunks) : null, { status, headers: type }))
        } catch (error) {
          reject(error)
        }
      })
      req.on('error', reject)
      req.end()
    })
}

/** The system's error code, or the message of a library or the proxy: none of them names an address or a password. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code === undefined || /^(ERR|OAUTH)_/.test(code) ? message : code
}
