/** HTML responses: content negotiation between pages and JSON, security headers, and templates. */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { projectRoot } from '../config/project-root.ts'
import { createNegotiation } from '../lib/content-negotiation.ts'
import { NO_STORE } from '../response-cache/http-caching.ts'

/** The pages' icon, percent-encoded for `data:image/svg+xml,`. */
export const icon = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" stroke="#0a7d6c" fill="#0a7d6c" stroke-width="2.5"><path d="M8 9 24 13 12 25Z" fill="none"/><circle cx="8" cy="9" r="4"/><circle cx="24" cy="13" r="4"/><circle cx="12" cy="25" r="4"/></svg>',
)

/** The text of a file in src/pages. */
export function readPage(name: string): string {
  return readFileSync(join(projectRoot, 'src/pages', name), 'utf8')
}

/** Content negotiation: whether a GET request prefers HTML to the media types `others` of the same path. */
export function createPrefersHtml(others: readonly string[]): (req: IncomingMessage) => boolean {
  const negotiate = createNegotiation([...others, 'text/html'])
  return ({ method, headers }) => method === 'GET' && negotiate(headers.accept)[0] === 'text/html'
}

/**
 * Sends a page with its security headers. `policy` is what Content-Security-Policy allows besides `default-src 'none'`.
 */
export function sendPage(res: ServerResponse, html: string, policy: string): void {
  const body = Buffer.from(html)
  // No other origin may read a page, whatever CORS_ORIGINS allows, since it may hold a token.
  for (const header of ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers']) res.removeHeader(header)
  res.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': NO_STORE,
    // Clients that do not prefer HTML get JSON at the same path.
    Vary: 'Accept',
    'Content-Security-Policy': `default-src 'none'; ${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
  })
  res.end(body)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** Fills a template: replaces each `{{name}}` by its value, or removes it. */
export function fill(page: string, values: Readonly<Record<string, string>>): string {
  return page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
}
