/**
 * Demo tokens, which GraphiQL, the landing page and the terminal show without being asked
 * (token.demo-tokens-stay-local).
 */
import type { IssueToken } from '../auth/issue.ts'
import type { Config } from '../config/config.ts'
import { demoIds } from './demo-ids.ts'

/** An admin's and a shopper's token. */
export interface DemoTokens {
  readonly admin: string
  /** For the account of the demo store, so that its subscriptions are visible. */
  readonly shopper: string
}

type Rules = Pick<Config, 'production' | 'host'>

/**
 * Issues tokens for a page requested with a `Host` header at `now` (epoch milliseconds); null where none may be issued.
 */
export type IssueDemoTokens = (hostHeader: string | undefined, now: number) => Promise<DemoTokens | null>

/** Makes the issuer of demo tokens. `issue` is null when an identity provider issues tokens. */
export function createIssueDemoTokens(rules: Rules, issue: IssueToken | null): IssueDemoTokens {
  return async (hostHeader, now) =>
    issue && mayIssueDemoTokens(rules, hostHeader) ? issueDemoTokens(issue, now) : null
}

/** Issues both tokens without any check. */
export async function issueDemoTokens(issue: IssueToken, now: number): Promise<DemoTokens> {
  const [admin, shopper] = await Promise.all([
    issue({ subject: 'admin', role: 'admin' }, now),
    issue({ subject: 'shopper', role: 'shopper', accountId: demoIds.account }, now),
  ])
  return { admin: admin.token, shopper: shopper.token }
}

/**
 * Whether demo tokens may be issued: outside production, on a server that listens on a loopback address, for a `Host`
 * that is a loopback name (token.demo-tokens-stay-local).
 */
export function mayIssueDemoTokens({ production, host }: Rules, hostHeader: string | undefined): boolean {
  return !production && isLoopback(host) && isLoopback((hostHeader ?? '').replace(/:\d+$/, ''))
}

function isLoopback(name: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(name)
}
