/** Parsed documents by their text: bounded in number, in text and in tokens, since all of them come from clients. */
import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

export const CACHED_DOCUMENTS_MAX = 1000
/** A longer text is parsed each time. */
export const DOCUMENT_TEXT_MAX = 64 * 1024
/** Of all documents together: each takes half a kilobyte with its part of the tree, whatever its length. */
export const CACHED_TOKENS_MAX = 100_000

export interface DocumentCache {
  readonly get: (text: string) => DocumentNode | undefined
  readonly set: (text: string, document: DocumentNode) => void
}

export function createDocumentCache(max = CACHED_DOCUMENTS_MAX): DocumentCache {
  const documents = new LRUCache<string, DocumentNode>({ max, maxSize: CACHED_TOKENS_MAX, sizeCalculation: tokensOf })
  return {
    get: (text) => documents.get(text),
    set: (text, document) => {
      if (text.length <= DOCUMENT_TEXT_MAX) documents.set(text, document)
    },
  }
}

/** With comments, which the tree holds as well. */
function tokensOf({ loc }: DocumentNode): number {
  let count = 1
  for (let token = loc?.startToken.next; token; token = token.next) count++
  return count
}
