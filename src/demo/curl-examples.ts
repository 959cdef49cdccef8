/**
 * Curl examples: shell lines that work on the demo store, after the lines of `shellSetup`. Those of the REST routes are
 * in rest/http/example.ts.
 */

/** A query for a page of the demo store, for GraphiQL or any other client. */
export const pageQuery =
  '{ storefront { name latestRelease { products(first: 3) { totalCount ' +
  'nodes { name price { amount { amount currency } includesTax } breadCrumbs { ancestors { name } node { name } } } } } } }'

/** A line that sends `pageQuery`. */
export const graphqlExample = `api $B/graphql \\\n  -d '${JSON.stringify({ query: pageQuery })}'`

/**
 * The lines that the examples need before them. They define `$B`, `$TOKEN` and `api`. `token` is inserted unescaped.
 */
export function shellSetup(address: string, token: string): string {
  return [
    `B=${address}`,
    `TOKEN=${token}`,
    `api() { curl -sg -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }`,
  ].join('\n')
}
