/**
 * Agents of outgoing requests. Connections are kept open, and lead directly or through a proxy. The URL of a proxy may
 * hold a password, so no error here names it.
 */
import { type Agent, type ClientRequest, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { checkServerIdentity } from 'node:tls'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { type Proxies, proxyFor } from './proxies.ts'
import { NotPublicError, publicAddresses } from './public-address.ts'

/** Milliseconds for a connection through a proxy. */
export const TUNNEL_MS = 5_000

/** A proxy can't be reached, or refuses a connection. The message names neither the proxy nor the address. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
}

/** Options of the agents. */
export interface OutgoingOptions {
  readonly proxies: Proxies
  /** Connects only to public addresses. This has no effect on http: through a proxy, so callers must refuse http:. */
  readonly publicOnly?: boolean
}

/** The agents of one purpose, made when they are first used. */
export class OutgoingAgents {
  private readonly agents = new Map<string, Agent>()

  constructor(private readonly options: OutgoingOptions) {}

  /** The agent for requests to `url`. */
  for(url: URL): Agent {
    const proxy = proxyFor(url, this.options.proxies)
    const key = `${url.protocol} ${proxy}`
    const agent = this.agents.get(key) ?? this.make(url.protocol, proxy)
    this.agents.set(key, agent)
    return agent
  }

  /** Closes all connections. */
  close(): void {
    for (const agent of this.agents.values()) agent.destroy()
  }

  private make(protocol: string, proxy: string | null): Agent {
    const publicOnly = this.options.publicOnly ?? false
    if (proxy !== null)
      return protocol === 'https:' ? new Tunnel(proxy, publicOnly) : new HttpProxyAgent(proxy, { keepAlive: true })
    const Direct = protocol === 'https:' ? HttpsAgent : HttpAgent
    return new Direct({ keepAlive: true, ...(publicOnly && { lookup: publicLookup }) })
  }
}

/** Node's lookup, which fails for an address that is not public. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  publicAddresses(hostname, options).then(
    (addresses) => {
      const [first] = addresses
      if (options.all) done(null, addresses)
      else done(null, first?.address ?? '', first?.family)
    },
    (error: NodeJS.ErrnoException) => done(error, ''),
  )
}

type Target = Parameters<HttpsProxyAgent<string>['connect']>[1]

/**
 * A connection by CONNECT. With `publicOnly` the name is resolved and checked here, and the proxy gets the address: the
 * proxy might resolve the name to another one.
 */
class Tunnel extends HttpsProxyAgent<string> {
  constructor(
    proxy: string,
    private readonly publicOnly: boolean,
  ) {
    super(proxy, { keepAlive: true })
  }

  override async connect(req: ClientRequest, target: Target): Promise<never> {
    const host = target.host ?? ''
    if (!this.publicOnly) return this.open(req, target)
    let failure: unknown = new NotPublicError()
    for (const { address } of await publicAddresses(host)) {
      try {
        const identity = {
          checkServerIdentity: (_: string, cert: Parameters<typeof checkServerIdentity>[1]) =>
            checkServerIdentity(host, cert),
        }
        return await this.open(req, { ...target, ...identity, host: address } as Target)
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /**
   * Limits the wait and checks the status: the library would wait forever, and take a refusal of the proxy for a
   * response of the target.
   */
  private async open(req: ClientRequest, target: Target): Promise<never> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), TUNNEL_MS)
    // Each connection gets a signal of its own. The library reads the options before it waits for anything.
    this.connectOpts = { ...this.connectOpts, signal: late.signal } as typeof this.connectOpts
    let status: number | undefined
    const connected = (answer: { readonly statusCode: number }): void => {
      status = answer.statusCode
    }
    req.once('proxyConnect', connected)
    let socket: Duplex
    try {
      socket = await super.connect(req, target)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new ProxyError(
        late.signal.aborted ? 'the proxy does not respond' : `the proxy cannot be reached: ${code ?? 'it ended'}`,
      )
    } finally {
      clearTimeout(timer)
      req.off('proxyConnect', connected)
    }
    if (status === 200) return socket as never
    socket.destroy()
    throw new ProxyError(`the proxy responded with status ${status}`)
  }
}
