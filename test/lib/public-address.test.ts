import { expect, test } from 'vitest'
import { isPublicAddress, mayBePublic } from '../../src/lib/public-address.ts'

/** The forms in which an address of IPv6 holds one of IPv4 (RFC 4291, 6052, 8215, 3056, 4380, 5214). */
const forms: readonly (readonly [string, (bytes: readonly string[]) => string])[] = [
  ['compatible', ([a, b]) => `::${a}:${b}`],
  ['mapped', ([a, b]) => `::ffff:${a}:${b}`],
  ['translated', ([a, b]) => `::ffff:0:${a}:${b}`],
  ['NAT64', ([a, b]) => `64:ff9b::${a}:${b}`],
  ['local NAT64', ([a, b]) => `64:ff9b:1::${a}:${b}`],
  ['6to4', ([a, b]) => `2002:${a}:${b}::1`],
  ['Teredo', ([a, b]) => `2001:0:${a}:${b}::1`],
]
const hidden = [
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
]

/** The two groups of an address of IPv4. */
function groupsOf(address: string): string[] {
  const bytes = address.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'))
  return [bytes.slice(0, 2).join(''), bytes.slice(2).join('')]
}

test.each(forms)(
  'webhook.public-addresses-only: no private address of IPv4 is public in the form %s of IPv6',
  (_, form) => {
    const addresses = hidden.map((address) => form(groupsOf(address)))
    expect(addresses.filter(isPublicAddress)).toEqual([])
    expect(addresses.filter((address) => mayBePublic(`[${address}]`))).toEqual([])
  },
)

test('webhook.public-addresses-only: of IPv6 only addresses are public that are routed between networks', () => {
  const isPublic = ['2606:4700::1111', '2a00:1450:4001:82b::200e', '2000::1', '3ffd::1'].filter(isPublicAddress)
  expect(isPublic).toEqual(['2606:4700::1111', '2a00:1450:4001:82b::200e', '2000::1', '3ffd::1'])
  const others = [
    '::',
    '::1',
    '1fff::1',
    '4000::1',
    '100::1',
    '5f00::1',
    '2001:db8::1',
    '3fff::1',
    'fc00::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ]
  expect(others.filter(isPublicAddress)).toEqual([])
})

test('webhook.public-addresses-only: the host of a URL may be public unless it is localhost or a private address', () => {
  const hosts = ['shop.example', '8.8.8.8', '[2606:4700::1111]', 'localhost.example']
  expect(hosts.filter(mayBePublic)).toEqual(hosts)
  expect(
    ['localhost', 'a.LOCALHOST.', '127.0.0.1.', '[::127.0.0.1]', '[::7f00:1]', '10.0.0.1'].filter(mayBePublic),
  ).toEqual([])
})
