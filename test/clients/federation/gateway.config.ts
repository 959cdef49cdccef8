import { defineConfig } from '@graphql-hive/gateway'

/** What the graph must know of a request: the token, and what the shopper's headers say. */
const handedOn = ['authorization', 'accept-language', 'x-moltin-currency', 'ep-channel', 'ep-context-tag']

export const gatewayConfig = defineConfig({
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) =>
      Object.fromEntries(handedOn.map((name) => [name, request.headers.get(name) ?? undefined])),
  },
})
