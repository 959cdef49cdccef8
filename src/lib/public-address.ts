/** Public addresses: IP addresses that lead out of this network. */
import ipaddr from 'ipaddr.js'

/**
 * Whether the host of a URL may be public, as far as its text shows: false for `localhost` and for an IP address of a private, loopback,
 * link-local, multicast or otherwise reserved range, also inside an IPv6 address. What a name resolves to is checked on connecting
 * (server/webhooks/post.ts).
 */
export function mayBePublic(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (/(^|\.)localhost$/i.test(host)) return false
  return !ipaddr.isValid(host) || ipaddr.parse(host).range() === 'unicast'
}
