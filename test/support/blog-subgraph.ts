/** The SDL of a subgraph with its own Relay node, connections and subscriptions, and a fee of the given Money. */
export const blogSdl = (money: string): string => `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
  interface Node { id: ID! }
  type Post implements Node @key(fields: "id") { id: ID! title: String! }
  type PostEdge { cursor: String! node: Post! }
  type PostConnection { edges: [PostEdge!]! pageInfo: PageInfo! }
  type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  scalar Long
  scalar CurrencyCode
  ${money}
  type Query { node(id: ID!): Node nodes(ids: [ID!]!): [Node]! posts(first: Int): PostConnection! fee: Money! }
  type Subscription { postWritten: Post! }`

/** The fields of this server's Money beside its amount. */
export const MONEY_REST = 'currency: CurrencyCode! fractionDigits: Int! formatted(locale: String): String!'
