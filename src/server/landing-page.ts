/**
 * Landing page at `/` for browsers: ways in, the shop, demo tokens and curl commands to copy. Other clients get
 * JSON there (rest/routes.ts).
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IssueToken } from '../auth/issue.ts'
import type { Config } from '../config/config.ts'
import { graphqlExample, shellSetup } from '../demo/curl-examples.ts'
import { demoIds } from '../demo/demo-ids.ts'
import { createIssueDemoTokens, type DemoTokens } from '../demo/demo-tokens.ts'
import { examples, nameOf } from '../graphql/server/examples.ts'
import { imageSources } from '../pages/demo-files.ts'
import { escapeHtml, fill, icon, readPage, sendPage } from '../pages/html-response.ts'
import { curlLine } from '../rest/http/example.ts'
import { documentedRoutes } from '../rest/routes.ts'

/** Sends the page. `now`, in epoch milliseconds, is for the tokens. */
export type LandingPage = (req: IncomingMessage, res: ServerResponse, now: number) => Promise<void>

const demoNames: Readonly<Record<keyof typeof demoIds, string>> = {
  catalog: 'Catalog “Storefront”',
  hierarchy: 'Hierarchy “Coffee”',
  priceBook: 'Price book “Retail”',
  subscriptionProduct: 'Subscription product “Filter Coffee Club”',
  offering: 'Offering “Coffee at home”',
  plan: 'Plan “Monthly”',
  giftPlan: 'Plan “A year as a gift”',
  account: 'Account of the shopper',
  subscription: 'Subscription of that account',
}

/** In production the page lists only paths: no tokens, and nothing of the demo store. */
export function createLandingPage(config: Config, issue: IssueToken | null): LandingPage {
  const issueTokens = createIssueDemoTokens(config, issue)
  return async (req, res, now) => {
    const page = readPage('landing.html')
    const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? ''
    const tokens = await issueTokens(req.headers.host, now)
    const content = config.production ? paths(false) : demo(addressFor(req, config), tokens, issue !== null)
    const script = readPage('landing.mjs')
    const policy = `img-src ${imageSources(config)}; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; connect-src 'self'`
    sendPage(res, fill(page, { icon, content: `${content}\n    <script type="module">${script}</script>` }), policy)
  }
}

/** A source of a content security policy: the text with this hash. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/**
 * The server's address for the commands: the Host header if it is a plain host name or address, otherwise that of the
 * configuration.
 */
function addressFor({ headers: { host = '' } }: IncomingMessage, config: Config): string {
  return `http://${/^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? host : `${config.host}:${config.port}`}`
}

function demo(address: string, tokens: DemoTokens | null, issues: boolean): string {
  const source = issues ? 'POST /oauth/access_token gives one' : 'tokens come from your identity provider'
  return `${tokens ? `<section id="shop" data-token="${tokens.shopper}"></section>` : ''}
    <h2>Queries that run</h2>
    <p>Each opens in GraphiQL, on the demo store as it is. A shopper may run those without a mark; the others are for an admin.</p>
    <table>${examples.map((example) => exampleRow(nameOf(example), example.title, example.right)).join('')}</table>
    ${folded(
      'From a shell',
      `<p id="rest">Each path with a line that works on the demo store. A click takes a whole block.</p>
    ${tokens ? tokenSection(tokens) : ''}
    <h3>First</h3>
    <p>Paste this once; each line below needs it.</p>
    ${block(shellSetup(address, tokens?.admin ?? `"…" # ${source}`))}
    ${paths(true)}`,
    )}
    ${folded(
      'Ids of the demo store',
      `<p>A coffee roaster's shop. These ids never change; GraphiQL's tabs use the same ids.</p>
    <table>${Object.entries(demoIds)
      .map(([name, id]) => tableRow(demoNames[name as keyof typeof demoIds], id))
      .join('')}</table>`,
    )}`
}

/** A part of the page that a reader unfolds; a link to an id in it does too. */
function folded(title: string, content: string): string {
  return `<details><summary><h2>${title}</h2></summary>${content}</details>`
}

function tokenSection({ admin, shopper }: DemoTokens): string {
  return `<h3>Tokens</h3>
    <p>Made for this visit and good for an hour. GraphiQL has its own filled in.</p>
    <ul class="paths">${item('An admin’s', '', admin)}${item('A shopper’s', '', shopper)}</ul>`
}

/** The list of /graphql and the documented REST routes; with `withLines` each has a curl command for the demo store. */
function paths(withLines: boolean): string {
  const rest = documentedRoutes.map((route) =>
    item(
      route.document.summary,
      `<code><b>${route.method}</b> ${escapeHtml(route.paths[0])}</code>`,
      // The demo store has no import whose file could be fetched.
      withLines && !route.document.content?.response ? curlLine(route) : undefined,
    ),
  )
  const graph = item('Query the graph', '<code><b>POST</b> /graphql</code>', withLines ? graphqlExample : undefined)
  return `${withLines ? '<h3>Paths</h3>' : '<h2 id="rest">Paths</h2>'}<ul class="paths">${[graph, ...rest].join('\n')}</ul>`
}

function item(title: string, address: string, line: string | undefined): string {
  return `<li>${escapeHtml(title)}${address}${line === undefined ? '' : block(line)}</li>`
}

function block(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`
}

function exampleRow(name: string, title: string, right: 'admin' | 'anyone'): string {
  return `<tr><td><a href="/graphql?examples&amp;example=${name}">${name}</a></td><td>${escapeHtml(title)}${right === 'admin' ? ' (admin)' : ''}</td></tr>`
}

function tableRow(name: string, id: string): string {
  return `<tr><td>${name}</td><td><code>${id}</code></td></tr>`
}
