/** What the OpenAPI document says before its operations, in CommonMark. */
import { FILTER_CLAUSES_MAX } from '../../domain/input/filter.ts'
import { PAGE_LIMIT_MAX, PAGE_OFFSET_MAX } from '../../domain/input/page.ts'

export const introduction = `The REST facade; the whole store is in the graph, at \`/graphql\`.

**Tokens.** A request carries \`Authorization: Bearer …\`. \`POST /oauth/access_token\` issues a token: with
\`grant_type=client_credentials\`, \`client_id\` and \`client_secret\` for an administrator, with \`grant_type=implicit\` and
\`client_id\` for a shopper. Where an identity provider issues tokens, ask it instead. On the page /docs, "Authorize"
takes another token than the one that is filled in.

**Filters.** \`filter=eq(name,Coffee)\` keeps what equals a value, \`filter=in(sku,A-1,A-2)\` one of several. Up to
${FILTER_CLAUSES_MAX} clauses are joined by a colon and hold together. Each list names the fields that it takes.

**Pages.** \`page[limit]\`, 1 to ${PAGE_LIMIT_MAX}, and \`page[offset]\`, 0 to ${PAGE_OFFSET_MAX}, choose a page. \`meta.results.total\` counts all
records, and \`links\` has the neighbouring pages.

**Errors.** Every failure is \`{ "errors": [{ title, status, detail, code }] }\`, one element per broken rule. \`code\` is
for programs; \`detail\` begins with the member's path where a rule of a member is broken. 429 and 503 carry
\`Retry-After\`.
`
