import { describe, expect, test } from 'vitest'
import { noProxies, proxyFor } from '../../src/lib/proxies.ts'

const [http, https] = ['http://one:3128', 'http://two:3128']
const through = (url: string, ...except: string[]) => proxyFor(new URL(url), { http, https, except })

describe('http.proxies-of-the-environment', () => {
  test('the scheme of the address chooses the proxy', () => {
    expect([through('http://shop.example/'), through('https://shop.example/')]).toEqual([http, https])
    expect(proxyFor(new URL('http://shop.example/'), { ...noProxies, https })).toBeNull()
    expect(proxyFor(new URL('https://shop.example/'), { ...noProxies, http })).toBeNull()
  })

  test.each([
    ['*', 'https://shop.example/'],
    ['shop.example', 'https://shop.example/'],
    ['SHOP.example', 'https://shop.example/'],
    ['shop.example', 'https://api.shop.example/'],
    ['.shop.example', 'https://api.shop.example/'],
    ['*.shop.example', 'https://api.shop.example/'],
    ['shop.example.', 'https://shop.example/'],
    ['shop.example', 'https://shop.example./'],
    ['shop.example:443', 'https://shop.example/'],
    ['collector:4318', 'http://collector:4318/'],
    ['127.0.0.1', 'http://127.0.0.1:4318/'],
    ['127.0.0.1:4318', 'http://127.0.0.1:4318/'],
    ['10.0.0.0/8', 'https://10.1.2.3/'],
    ['::1', 'http://[::1]/'],
    ['[::1]:4318', 'http://[::1]:4318/'],
    ['fd00::/8', 'http://[fd00::7]/'],
    ['10.0.0.0/8', 'http://[::ffff:10.1.2.3]/'],
  ])('NO_PROXY %s leads directly to %s', (entry, url) => {
    expect(through(url, 'other.example', entry)).toBeNull()
  })

  test.each([
    ['shop.example', 'https://myshop.example/'],
    ['api.shop.example', 'https://shop.example/'],
    ['shop.example:8443', 'https://shop.example/'],
    ['shop.example:80', 'https://shop.example/'],
    ['10.0.0.0/8', 'https://11.1.2.3/'],
    ['10.0.0.0/8', 'https://10.example/'],
    ['0.1', 'https://10.0.0.1/'],
    ['::1', 'http://[::2]/'],
    ['10.0.0.0/33', 'https://10.1.2.3/'],
  ])('NO_PROXY %s does not name %s', (entry, url) => {
    expect(through(url, entry)).not.toBeNull()
  })
})
