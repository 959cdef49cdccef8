/**
 * Proxies of outgoing requests, as HTTPS_PROXY, HTTP_PROXY and NO_PROXY name them (http.proxies-of-the-environment).
 */
import ipaddr from 'ipaddr.js'

/** The proxies of a process; null where requests of that scheme go out directly. */
export interface Proxies {
  /** URL of the proxy for requests to http: addresses. It may hold a user and a password. */
  readonly http: string | null
  /** URL of the proxy for requests to https: addresses. */
  readonly https: string | null
  /** Hosts that are reached directly, as NO_PROXY lists them (`isExcepted`). */
  readonly except: readonly string[]
}

/** All requests go out directly. */
export const noProxies: Proxies = { http: null, https: null, except: [] }

const ports: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/** The URL of the proxy for a request to `url`; null when it goes out directly. */
export function proxyFor(url: URL, proxies: Proxies): string | null {
  const proxy = url.protocol === 'https:' ? proxies.https : proxies.http
  return proxy !== null && proxies.except.some((entry) => isExcepted(url, entry)) ? null : proxy
}

/**
 * Whether an entry of NO_PROXY names the host of a URL. `*` names all hosts; a name names itself and all names below
 * it, also when it begins with `.` or `*.`; an IP address names itself; a range such as 10.0.0.0/8 names the addresses
 * in it. A port at the end limits the entry to that port.
 */
function isExcepted({ protocol, hostname, port }: URL, entry: string): boolean {
  if (entry === '*') return true
  const [, name = entry, limit] = /^([^:]+|\[.+\]):(\d+)$/.exec(entry) ?? []
  if (limit !== undefined && limit !== (port || ports[protocol])) return false
  const host = unwrapped(hostname).replace(/\.$/, '')
  const excepted = unwrapped(name.toLowerCase())
  if (ipaddr.isValid(host)) return holds(excepted, host)
  const domain = excepted.replace(/^\*?\./, '').replace(/\.$/, '')
  return host === domain || host.endsWith(`.${domain}`)
}

/** An IPv6 address without its brackets. */
function unwrapped(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

/** Whether a range, or an address, holds the address. */
function holds(range: string, address: string): boolean {
  const given = ipaddr.isValid(range) ? `${range}/${ipaddr.parse(range).kind() === 'ipv4' ? 32 : 128}` : range
  if (!ipaddr.isValidCIDR(given)) return false
  const [network, bits] = ipaddr.parseCIDR(given)
  const parsed = ipaddr.process(address)
  return parsed.kind() === network.kind() && parsed.match(network, bits)
}
