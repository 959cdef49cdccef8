import { ApolloLink, type HttpLink } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'

/** The SHA-256 of a text in hexadecimal. */
async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Sends hashes of queries by GET; `link` sends them, with the text where the server wants it. */
export const persistedLink = (link: HttpLink): ApolloLink =>
  ApolloLink.from([new PersistedQueryLink({ sha256, useGETForHashedQueries: true }), link])
