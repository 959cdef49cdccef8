/**
 * The tokens that newcomers are handed without asking for them: in GraphiQL, on the start page, on the terminal
 * (token.demo-tokens-stay-local).
 */

import type { IssueToken } from '../auth/issue.ts'
import type { Config } from '../config/config.ts'
import { demoIds } from './demo-ids.ts'

export interface DemoTokens {
  readonly admin: string
  /** Of the demo store's account, so that its subscriptions are there to see. */
  readonly shopper: string
}

type Rules = Pick<Config, 'production' | 'host'>

/** Tokens for a page that is asked for by `hostHeader` at `now` (epoch milliseconds); null where none may be handed out. */
export type IssueDemoTokens = (hostHeader: string | undefined, now: number) => Promise<DemoTokens | null>

export function createIssueDemoTokens(rules: Rules, issue: IssueToken | null): IssueDemoTokens {
  return async (hostHeader, now) => (issue && mayIssueDemoTokens(rules, hostHeader) ? issueDemoTokens(issue, now) : null)
}

export async function issueDemoTokens(issue: IssueToken, now: number): Promise<DemoTokens> {
  const [admin, shopper] = await Promise.all([
    issue({ subject: 'admin', role: 'admin' }, now),
    issue({ subject: 'shopper', role: 'shopper', accountId: demoIds.account }, now),
  ])
  return { admin: admin.token, shopper: shopper.token }
}

/**
 * token.demo-tokens-stay-local: outside production, on a server that listens to its own machine only, asked for by a name of that machine.
 */
export function mayIssueDemoTokens({ production, host }: Rules, hostHeader: string | undefined): boolean {
  return !production && isLoopback(host) && isLoopback((hostHeader ?? '').replace(/:\d+$/, ''))
}

function isLoopback(name: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(name)
}
