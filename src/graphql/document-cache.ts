/** Parsed documents by their text: bounded in number and in text, since both come from clients. */
import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'

export const DOCUMENTS_KEPT = 1000
/** A longer text is parsed each time. */
export const DOCUMENT_TEXT_MAX = 64 * 1024

export interface DocumentCache {
  readonly get: (text: string) => DocumentNode | undefined
  readonly set: (text: string, document: DocumentNode) => void
}

export function createDocumentCache(kept = DOCUMENTS_KEPT): DocumentCache {
  const documents = new LRUCache<string, DocumentNode>({ max: kept })
  return {
    get: (text) => documents.get(text),
    set: (text, document) => {
      if (text.length <= DOCUMENT_TEXT_MAX) documents.set(text, document)
    },
  }
}
