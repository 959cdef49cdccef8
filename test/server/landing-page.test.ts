import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadDemo } from '../../src/demo/demo-store.ts'
import { examples, nameOf } from '../../src/graphql/server/examples.ts'
import { documentedRoutes } from '../../src/rest/routes.ts'
import { useDatabase } from '../support/database.ts'
import { type RestReply, type TestServer, testAuth, useServer } from '../support/server.ts'

const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const open = (server: TestServer, headers: Record<string, string> = {}) =>
  server.rest('GET', '/', { token: null, headers: { ...browser, ...headers } })

/** The code blocks of the page as a reader copies them. */
function blocksOf({ text }: RestReply): string[] {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  const blocks = [...text.matchAll(/<pre tabindex="0"><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, block = '']) => block)
  return blocks.map((block) => block.replace(/&(#?\w+);/g, (_, name: string) => entities[name] ?? ''))
}

describe('the landing page', () => {
  const database = useDatabase()
  const server = useServer(database)
  const production = useServer(database, { config: { production: true } })
  const everywhere = useServer(database, { config: { host: '0.0.0.0' } })
  const calledFrom = useServer(database, { config: { corsOrigins: ['*'] } })
  const foreign = useServer(database, { config: { auth: { ...testAuth, kind: 'jwks', url: 'http://127.0.0.1:9/' } } })
  beforeAll(async () => {
    server.now = Date.now()
    await loadDemo(server.services)
  })

  test('http.open-routes: at / a browser gets a page, a program JSON, and neither needs a token', async () => {
    const page = await open(server)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const data = await server.rest('GET', '/', { token: null, headers: { accept: '*/*' } })
    for (const accept of ['text/html;q=0, */*', 'application/json, text/html;q=0.9', 'text/htmlx']) {
      const { body } = await server.rest('GET', '/', { token: null, headers: { accept } })
      expect([accept, body.graphql]).toEqual([accept, '/graphql'])
    }
    expect([data.status, data.headers.get('content-type'), data.body.graphql]).toEqual([
      200,
      'application/json',
      '/graphql',
    ])
    for (const { headers } of [page, data]) expect(headers.get('vary')).toBe('Accept, Accept-Encoding')
    const head = await server.rest('HEAD', '/', { token: null, headers: browser })
    expect([head.headers.get('content-length'), head.text]).toEqual([String(Buffer.byteLength(page.text)), ''])
    expect((await server.rest('POST', '/', { token: null, headers: browser })).status).toBe(405)
  })

  test('the landing page links every example of GraphiQL, which opens as a tab', async () => {
    const { text } = await open(server)
    const links = [...text.matchAll(/href="\/graphql\?examples&amp;example=(\w+)"/g)].map(([, name]) => name)
    expect(links).toEqual(examples.map((example) => nameOf(example)))
    expect(links).toEqual(expect.arrayContaining(['Category', 'Search', 'Price', 'Timeline', 'Bundle']))
  })

  test('the landing page loads no resources, runs its own script alone, and cannot be framed, cached or read by another site', async () => {
    const { headers, text } = await open(calledFrom, { origin: 'https://elsewhere.example' })
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? ''
    const script = /<script type="module">([\s\S]*?)<\/script>/.exec(text)?.[1] ?? ''
    const [styleHash, scriptHash] = [style, script].map(
      (one) => `'sha256-${createHash('sha256').update(one).digest('base64')}'`,
    )
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; img-src 'self' data:; style-src ${styleHash}; script-src ${scriptHash}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(
      text.replace(script, '').match(/<script(?! type="module">)|style="|\son\w+=|(?:src|href)="(?!\/|#|data:)/g) ?? [],
    ).toEqual([])
  })

  test('token.demo-tokens-stay-local: the landing page shows tokens only on a local address and outside of production', async () => {
    expect((await open(server)).text).toMatch(TOKEN)
    for (const other of [production, everywhere, foreign]) expect((await open(other)).text).not.toMatch(TOKEN)
  })

  test('the landing page in production shows the paths and nothing of a demo store', async () => {
    const { text } = await open(production)
    expect(text).not.toMatch(/demo|c0ffee/)
    for (const { paths } of documentedRoutes) expect(text).toContain(paths[0])
  })

  test('every REST route with a JSON response that the demo store can serve has a curl command, and every command works as it is copied', async () => {
    const [, , preparation = '', ...lines] = blocksOf(await open(server))
    // Files are not: refused objects are of an import, which the demo store lacks, and an export is long.
    const withLines = documentedRoutes.filter(({ document }) => !document.content?.response)
    expect(documentedRoutes.length - withLines.length).toBe(2)
    expect(lines).toHaveLength(withLines.length + 1)
    for (const line of lines) {
      const script = `${preparation}\n${line}`
      const { stdout } = await promisify(execFile)('bash', ['-c', script])
      if (line.startsWith('api -i')) expect(stdout, line).toMatch(/^HTTP\/1\.1 204 /)
      else
        expect(JSON.parse(stdout), line).toSatisfy((response: object) => 'data' in response && !('errors' in response))
    }
  })

  test('the landing page does not repeat a malformed Host header', async () => {
    const { request } = await import('node:http')
    const { port } = new URL(server.url)
    const text = await new Promise<string>((resolve) => {
      const sent = request({ port, host: '127.0.0.1', headers: { ...browser, host: 'a"$(id)<b>' } }, async (res) => {
        resolve(Buffer.concat(await res.toArray()).toString())
      })
      sent.end()
    })
    expect(text).not.toContain('$(id)')
    expect(text).not.toMatch(TOKEN)
  })
})

describe('the files of GraphiQL', () => {
  const server = useServer(useDatabase())

  test('the files of GraphiQL are linked by the page, cacheable forever, compressed on request, and need no token', async () => {
    const page = await server.rest('GET', '/graphql', { token: null, headers: browser })
    const paths = [...page.text.matchAll(/(?:src|href)="(\/graphql\/graphiql\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(paths.map((path) => path.replace(/[0-9a-f]{16}/, '-'))).toEqual(
      ['graphiql.css', 'page.css', 'graphiql.js', 'page.mjs'].map((name) => `/graphql/graphiql/-/${name}`),
    )
    const folder = paths[0]?.replace('/graphiql.css', '')
    for (const path of [
      ...paths,
      `${folder}/graphql.worker.js`,
      `${folder}/json.worker.js`,
      `${folder}/editorWorkerService.worker.js`,
    ]) {
      const plain = await server.rest('GET', path, { token: null, headers: { 'accept-encoding': 'identity' } })
      expect([plain.status, plain.headers.get('content-type')]).toEqual([
        200,
        `text/${path.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      ])
      expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(plain.headers.get('x-content-type-options')).toBe('nosniff')
      const zipped = await server.rest('GET', path, { token: null, headers: { 'accept-encoding': 'gzip' } })
      expect([zipped.headers.get('content-encoding'), zipped.text === plain.text]).toEqual(['gzip', true])
      expect(Number(zipped.headers.get('content-length'))).toBeLessThan(Number(plain.headers.get('content-length')))
      const refused = await server.rest('GET', path, { token: null, headers: { 'accept-encoding': 'gzip;q=0' } })
      expect(refused.headers.get('content-encoding')).toBeNull()
    }
  })

  test.each(['/graphql/graphiql/0000000000000000/page.mjs', '/graphql/graphiql/', '/graphql/graphiql/../page.mjs'])(
    '%s is no file of GraphiQL',
    async (path) => {
      expect((await server.rest('GET', path, { token: null })).status).toBe(404)
    },
  )
})
