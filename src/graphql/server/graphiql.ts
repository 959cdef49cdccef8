/** GraphiQL page: example tabs, demo tokens (token.demo-tokens-stay-local), and a content security policy without other origins. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IssueToken } from '../../auth/issue.ts'
import type { Config } from '../../config/config.ts'
import { createIssueDemoTokens, type DemoTokens } from '../../demo/demo-tokens.ts'
import { createPrefersHtml, escapeHtml, fill, icon, readPage, sendPage } from '../../pages/html-response.ts'
import type { RequestInfo } from '../../request/request-info.ts'
import { examples } from './examples.ts'
import { FILES_PATH, graphiqlFiles, sendFile } from './graphiql-files.ts'
import { graphqlTypes } from './respond.ts'

const wantsPage = createPrefersHtml(graphqlTypes)

/** Content security policy. GraphiQL's editor, Monaco, creates style elements and has its fonts as data URLs. */
const policy =
  "script-src 'self'; worker-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; style-src 'self' 'unsafe-inline'"

/** Serves the page and its files. */
export interface Graphiql {
  /** Whether the request is for the page or one of its files. */
  readonly wants: (req: IncomingMessage, requestInfo: RequestInfo) => boolean
  readonly serve: (req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo) => Promise<void>
}

/** Without `issueToken`, or in production, the page has no demo tokens. */
export function createGraphiql(config: Pick<Config, 'production' | 'host'>, issueToken: IssueToken | null): Graphiql {
  const issueTokens = createIssueDemoTokens(config, issueToken)
  return {
    wants: (req, { path }) => path.startsWith(FILES_PATH) || wantsPage(req),
    serve: async (req, res, { path, now }) => {
      if (path.startsWith(FILES_PATH)) return sendFile(req, res, path)
      const { folder } = await graphiqlFiles()
      const settings = escapeHtml(JSON.stringify({ folder, tabs, ...tokenSettings(await issueTokens(req.headers.host, now)) }))
      sendPage(req, res, fill(readPage('graphiql.html'), { folder, settings, icon }), policy)
    },
  }
}

const tabs = examples.map(({ query, variables }) => ({ query, variables: JSON.stringify(variables, null, 2) }))

/** Settings of the page. `headers` is the initial text of a tab's headers, with an empty token where there are no demo tokens. */
function tokenSettings(tokens: DemoTokens | null): { tokens: DemoTokens | null; headers: string } {
  return { tokens, headers: JSON.stringify({ Authorization: `Bearer ${tokens?.admin ?? ''}` }, null, 2) }
}
