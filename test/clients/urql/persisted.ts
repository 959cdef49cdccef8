import { persistedExchange } from '@urql/exchange-persisted'

/** Sends hashes of queries by GET, with the text where the server wants it; stands before `fetchExchange`. */
export const persisted = persistedExchange({ preferGetForPersistedQueries: true })
