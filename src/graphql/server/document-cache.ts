/**
 * Document cache: parsed documents by their text, bounded by number, text length and tokens, since clients send them.
 */
import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { cacheLookups } from '../../lib/metrics.ts'

/** The most cached documents. */
export const CACHED_DOCUMENTS_MAX = 1000
/** The longest cached document, in characters; a longer one is parsed each time. */
export const DOCUMENT_TEXT_MAX = 64 * 1024
/** The most tokens of all cached documents together. A token takes half a kilobyte with its part of the syntax tree. */
export const CACHED_TOKENS_MAX = 100_000

const lookups = cacheLookups('graphql_documents')

/** Creates an LRU cache of at most `max` documents, in the form that Yoga takes. */
export function createDocumentCache(max = CACHED_DOCUMENTS_MAX) {
  const documents = new LRUCache<string, DocumentNode>({ max, maxSize: CACHED_TOKENS_MAX, sizeCalculation: tokensOf })
  return {
    get: (text: string): DocumentNode | undefined => lookups.count(documents.get(text)),
    set: (text: string, document: DocumentNode): void => {
      if (text.length <= DOCUMENT_TEXT_MAX) documents.set(text, document)
    },
  }
}

/** Counts the tokens of a document, with comments, which the syntax tree references as well. */
function tokensOf({ loc }: DocumentNode): number {
  let count = 1
  for (let token = loc?.startToken.next; token; token = token.next) count++
  return count
}
