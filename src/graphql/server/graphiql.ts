/**
 * GraphiQL page: example tabs, demo tokens (token.demo-tokens-stay-local), and a content security policy without other
 * origins but that of an identity provider.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { IssueToken } from '../../auth/issue.ts'
import type { Config } from '../../config/config.ts'
import { createIssueDemoTokens } from '../../demo/demo-tokens.ts'
import { createPrefersHtml, escapeHtml, fill, icon, readPage, sendPage } from '../../pages/html-response.ts'
import { noSignIn, type SignIn } from '../../pages/sign-in.ts'
import { FILE_METHODS, sendFile } from '../../pages/static-files.ts'
import type { RequestInfo } from '../../request/request-info.ts'
import { NO_STORE } from '../../response-cache/http-caching.ts'
import { examples, nameOf } from './examples.ts'
import { FILES_PATH, graphiqlFiles } from './graphiql-files.ts'
import { UnreadableRequest } from './params.ts'
import { graphqlTypes } from './respond.ts'

const wantsPage = createPrefersHtml(graphqlTypes)

/** Content security policy. GraphiQL's editor, Monaco, creates style elements and has its fonts as data URLs. */
const policyOf = (connect: string): string =>
  `script-src 'self'; worker-src 'self'; connect-src ${connect}; img-src 'self' data:; font-src 'self' data:; style-src 'self' 'unsafe-inline'`

/** Serves the page and its files. */
export interface Graphiql {
  /** Whether the request is for the page or one of its files. */
  readonly wants: (req: IncomingMessage, requestInfo: RequestInfo) => boolean
  readonly serve: (req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo) => Promise<void>
}

/** Without `issueToken`, or in production, the page has no demo tokens. */
export function createGraphiql(
  config: Pick<Config, 'production' | 'host'>,
  issueToken: IssueToken | null,
  signIn: SignIn | null,
): Graphiql {
  const issueTokens = createIssueDemoTokens(config, issueToken)
  return {
    wants: (req, { path }) => path.startsWith(FILES_PATH) || wantsPage(req),
    serve: async (req, res, { path, now }) => {
      const { folder, find } = await graphiqlFiles()
      if (path.startsWith(FILES_PATH)) {
        const file = find(path)
        if (await sendFile(req, res, file)) return
        if (!file)
          throw new UnreadableRequest(404, 'NOT_FOUND', 'There is nothing at this path', { 'cache-control': NO_STORE })
        throw new UnreadableRequest(405, 'METHOD_NOT_ALLOWED', `The methods of this path are ${FILE_METHODS}`, {
          allow: FILE_METHODS,
        })
      }
      const tokens = await issueTokens(req.headers.host, now)
      const { settings: given, connect } = (await signIn?.forPage()) ?? noSignIn
      const settings = escapeHtml(JSON.stringify({ folder, tabs, tokens, signIn: given }))
      const html = fill(readPage('graphiql.html'), { folder, settings, icon })
      sendPage(res, html, policyOf(connect))
    },
  }
}

/** The tabs, each with the role that runs it. */
const tabs = examples.map((example) => ({
  name: nameOf(example),
  query: example.query,
  variables: JSON.stringify(example.variables, null, 2),
  role: example.right === 'anyone' ? 'shopper' : 'admin',
}))
