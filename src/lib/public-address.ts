/** Public addresses: IP addresses that lead out of this network. */
import ipaddr from 'ipaddr.js'

/**
 * Whether the host of a URL is, as far as it tells itself, no private place: false for an IP address of a private, loopback, link-local,
 * multicast or otherwise reserved range, also one inside an IPv6 address, and for `localhost`. What a name resolves to is checked by who
 * connects.
 */
export function mayBePublic(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (/(^|\.)localhost$/i.test(host)) return false
  return !ipaddr.isValid(host) || ipaddr.parse(host).range() === 'unicast'
}
