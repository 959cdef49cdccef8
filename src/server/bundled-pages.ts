/**
 * Pages that the build bundles beside the program: /explore, a client of the public graph, with /sign-in, and /docs,
 * the OpenAPI document in Swagger UI; and the files of the demo store (demo.files-of-its-own).
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IssueToken } from '../auth/issue.ts'
import type { Config } from '../config/config.ts'
import { demoIds } from '../demo/demo-ids.ts'
import { createIssueDemoTokens } from '../demo/demo-tokens.ts'
import { unusualDecimals } from '../domain/input/currency.ts'
import { DEMO_FILES_PATH, demoFiles, hasDemoFiles, imageSources } from '../pages/demo-files.ts'
import { createPrefersHtml, escapeHtml, fill, icon, readPage, sendPage } from '../pages/html-response.ts'
import { noSignIn, SIGN_IN_FILES, SIGN_IN_PATH, type SignIn } from '../pages/sign-in.ts'
import { createStaticFiles, FILE_METHODS, type StaticFiles, sendFile } from '../pages/static-files.ts'
import type { RequestInfo } from '../request/request-info.ts'
import { NO_STORE } from '../response-cache/http-caching.ts'
import { failure } from '../rest/http/errors.ts'
import { send } from '../rest/server.ts'

const prefersHtml = createPrefersHtml([])
const METHODS = 'GET, HEAD, OPTIONS'
// Files have other names after an upgrade, so no cache may remember that one is missing.
const noFile = failure(404, 'There is nothing at this path', { 'Cache-Control': NO_STORE })
const refusedFile = failure(405, `The methods of this path are ${FILE_METHODS}`, { Allow: FILE_METHODS })
const refused = failure(405, `The methods of this path are ${METHODS}`, { Allow: METHODS })

/** Serves the pages and their files. */
export interface BundledPages {
  /** Whether the request is for a page or for one of its files. */
  readonly wants: (req: IncomingMessage, requestInfo: RequestInfo) => boolean
  readonly serve: (req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo) => Promise<void>
}

/** A page, and the files below its path. */
interface BundledPage {
  readonly html: string
  readonly path: string
  readonly filesPath: string
  readonly files: () => StaticFiles
  /** The folder of the files that its HTML names. */
  readonly folder: () => string
}

/** Without `issue`, or in production, the pages have no demo tokens. */
export function createBundledPages(
  config: Pick<Config, 'production' | 'host' | 'filesUrl' | 'storeTimeZone'>,
  issue: IssueToken | null,
  signIn: SignIn | null,
): BundledPages {
  const issueTokens = createIssueDemoTokens(config, issue)
  // The page's own script and style.
  const policy = `script-src 'self'; img-src ${imageSources(config)}; style-src 'self'`
  const pages = ['explore', 'docs'].map((name): BundledPage => {
    const filesPath = `/${name}/files/`
    let loaded: StaticFiles | undefined
    const load = (): StaticFiles => {
      const texts = ['main.js', 'main.css'].map((file) => [
        file,
        readFileSync(new URL(`${name}/${file}`, import.meta.url), 'utf8'),
      ])
      return createStaticFiles(filesPath, Object.fromEntries(texts))
    }
    const files = () => (loaded ??= load())
    return { html: `${name}.html`, path: `/${name}`, filesPath, files, folder: () => files().folder }
  })
  const [explore] = pages
  // The script of /explore shows /sign-in too, and imports the one that signs in.
  if (signIn && explore) pages.push({ ...explore, path: SIGN_IN_PATH, filesPath: SIGN_IN_FILES, files: signIn.files })
  const find = (path: string) => pages.find((page) => path === page.path || path.startsWith(page.filesPath))
  const isDemoFile = (path: string): boolean => path.startsWith(DEMO_FILES_PATH) && hasDemoFiles(config)
  return {
    wants: (req, { path }) => {
      const page = find(path)
      if (isDemoFile(path)) return true
      return page !== undefined && (path !== page.path || prefersHtml(req) || req.method !== 'GET')
    },
    serve: async (req, res, { path, now }) => {
      const page = find(path)
      if (!page || path !== page.path) {
        const file = (page?.files() ?? demoFiles()).find(path)
        if (!(await sendFile(req, res, file))) send(res, file ? refusedFile : noFile)
        return
      }
      if (req.method !== 'GET')
        return send(res, req.method === 'OPTIONS' ? { status: 204, headers: { Allow: METHODS } } : refused)
      const tokens = await issueTokens(req.headers.host, now)
      const { settings: given, connect } = (await signIn?.forPage()) ?? noSignIn
      const account = tokens && demoIds.account
      const decimals = Object.fromEntries(unusualDecimals)
      const shop = { account, timeZone: config.storeTimeZone, decimals }
      const settings = escapeHtml(JSON.stringify({ tokens, ...shop, signIn: given }))
      const html = fill(readPage(page.html), { folder: page.folder(), settings, icon })
      sendPage(res, html, `${policy}; connect-src ${connect}`)
    },
  }
}
