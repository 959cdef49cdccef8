/** Storefront: the page in test/browser/storefront, served from an origin of its own, beside a server with the demo store. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { projectRoot } from '../../src/config/project-root.ts'
import { compileErrors } from './compile.ts'
import { startProgram } from './program.ts'
import { copyClient } from './typed-client.ts'

/** A running storefront. */
export interface Storefront {
  readonly url: string
  /** The address of the server that it asks. */
  readonly graph: string
  /** What the latest release answers a shopper in euros. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  latest(fields: string, variables?: Readonly<Record<string, unknown>>, declared?: string): Promise<any>
  /** The errors of its sources against schema.graphql. */
  compile(): Promise<string[]>
  stop(): Promise<void>
}

const source = join(projectRoot, 'test/browser/storefront')
const types: Readonly<Record<string, string>> = { '/': 'text/html', '/style.css': 'text/css', '/main.js': 'text/javascript' }

/** Bundles the page, and starts both servers. */
export async function startStorefront(): Promise<Storefront> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-storefront-'))
  const files = new Map<string, string>()
  const pages = createServer(({ url = '' }, res) => {
    const text = files.get(url)
    res.writeHead(text === undefined ? 404 : 200, { 'content-type': `${types[url] ?? 'text/plain'}; charset=utf-8` }).end(text)
  })
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  const program = startProgram(['npm', 'start'], { DATA_DIR: join(folder, 'data'), CORS_ORIGINS: url })
  const [, graph = ''] = await program.says(/Address +(\S+)/)
  const bundled = await build({ entryPoints: [join(source, 'main.ts')], bundle: true, format: 'esm', target: 'es2022', write: false })
  files.set('/main.js', bundled.outputFiles[0]?.text ?? '')
  files.set('/style.css', readFileSync(join(source, 'style.css'), 'utf8'))
  files.set('/', readFileSync(join(source, 'index.html'), 'utf8').replace('{{server}}', graph))
  const token = await shopperToken(graph)
  return {
    url,
    graph,
    async latest(fields, variables = {}, declared = '') {
      const query = `query Expected${declared} @inContext(currency: "EUR", locale: "en-US") { storefront { latestRelease { ${fields} } } }`
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      const response = await fetch(`${graph}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
      const { data, errors } = (await response.json()) as { data: { storefront: { latestRelease: unknown } }; errors?: unknown }
      if (errors) throw new Error(JSON.stringify(errors))
      return data.storefront.latestRelease
    },
    compile() {
      const client = join(folder, 'client')
      copyClient(source, client)
      return compileErrors(client)
    },
    async stop() {
      pages.close()
      program.child.kill('SIGTERM')
      await program.exit
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function shopperToken(server: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'implicit', client_id: 'demo' })
  const response = await fetch(`${server}/oauth/access_token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}
