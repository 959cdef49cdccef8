/**
 * Examples of operations: a request to the demo store and its response. The OpenAPI document shows both; the landing
 * page shows the request as a line for curl.
 */

/** A request to the demo store and its response. Ids and instants that differ between runs are those of one run. */
export interface RouteExample {
  /** Values of the path's members. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  /** The body of a route with `file`, as application/json. */
  readonly file?: string
  /** The body of the response; absent when it has none. */
  readonly response?: object
}

/** The address of an example's request: the path with its members and the query. */
function exampleTarget(path: string, example: RouteExample): string {
  const query = Object.entries(example.query ?? {}).map(([name, value]) => `${name}=${value}`)
  return `${examplePath(path, example)}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

/** The response with the links of another path of the same route. */
export function responseAt(path: string, documented: string, example: RouteExample): object {
  const text = JSON.stringify(example.response)
  return JSON.parse(text.replaceAll(examplePath(documented, example), examplePath(path, example)))
}

function examplePath(path: string, { path: members = {} }: RouteExample): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => members[name] ?? '')
}

interface ExampleRoute {
  readonly method: string
  readonly paths: readonly [string, ...string[]]
  readonly document: { readonly example?: RouteExample }
}

/** A line for the shell that sends an example, after those of `shellSetup` (demo/curl-examples.ts). */
export function curlLine({ method, paths, document: { example = {} } }: ExampleRoute): string {
  const { headers = {}, body, file, response } = example
  const target = exampleTarget(paths[0], example)
  return [
    'api',
    // Without a body only the status can be seen.
    ...(response ? [] : ['-i']),
    ...(method === 'PUT' ? ['-X PUT'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    target.includes('?') ? `"$B${target}"` : `$B${target}`,
    ...(body ? [`\\\n  -d '${JSON.stringify(body)}'`] : []),
    ...(file ? [`\\\n  --data-binary '${file}'`] : []),
  ].join(' ')
}

/** The links of the first of `total` pages of one record each; `path` may end with a query. */
export function exampleLinks(path: string, total: number) {
  const link = (offset: number): string =>
    `${path}${path.includes('?') ? '&' : '?'}page%5Blimit%5D=1&page%5Boffset%5D=${offset}`
  return { self: link(0), first: link(0), last: link(total - 1), prev: null, next: link(1) }
}
