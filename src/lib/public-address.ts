/** Public addresses: IP addresses outside this network and every reserved range. */
import dns from 'node:dns'
import ipaddr from 'ipaddr.js'

/**
 * The only part of IPv6 that is routed between networks (RFC 4291). All other forms that hold an IPv4 address lie
 * outside of it.
 */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** The name resolves to a private address. Clients don't learn which one. */
export class NotPublicError extends Error {
  override readonly name = 'NotPublicError'
  constructor() {
    super('the address is not public')
  }
}

/**
 * Whether an IP address is public. It is not when it is private, loopback, link-local, multicast or reserved. Nor is an
 * IPv6 address that holds an IPv4 address, which a gateway may unwrap: mapped, compatible, translated (NAT64), 6to4 and
 * Teredo.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
}

/**
 * Whether the host of a URL may be public, as far as its text shows: false for `localhost` and for an IP address that
 * is not public. `publicAddresses` checks what a name resolves to, on connecting.
 */
export function mayBePublic(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (/(^|\.)localhost$/i.test(host)) return false
  return !ipaddr.isValid(host) || isPublicAddress(host)
}

/**
 * The addresses that a name resolves to, or the address itself. Rejects with NotPublicError when one of them is not
 * public.
 */
export async function publicAddresses(hostname: string, options: dns.LookupOptions = {}): Promise<dns.LookupAddress[]> {
  const addresses = await dns.promises.lookup(hostname, { ...options, all: true })
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new NotPublicError()
  return addresses
}
