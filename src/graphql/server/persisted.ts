/**
 * Persisted documents, also called trusted documents (PERSISTED_DOCUMENTS): operations stored beforehand and run by
 * their id, the SHA-256 of the text in hexadecimal or a name in a JSON file. With PERSISTED_ONLY no other document
 * runs, for any role.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { isObject } from '../../lib/json-object.ts'
import { NO_STORE } from '../../response-cache/http-caching.ts'
import { UnreadableRequest } from './params.ts'

/**
 * Replaces the document id in a request's parameters by the document's text. Throws UnreadableRequest for an unknown
 * id.
 */
export type ResolveParams = (params: unknown) => unknown

/** Reads the stored documents. Throws when the configured folder or file can't be read. */
export function createPersisted({
  persistedOnly,
  persistedDocuments,
}: Pick<Config, 'persistedOnly' | 'persistedDocuments'>): ResolveParams {
  const hasDocuments = persistedOnly || persistedDocuments !== null
  const texts = readDocuments(persistedDocuments)
  const isStored = (text: string): boolean => texts.has(digest(text))
  return (params) => {
    if (!isObject(params)) return params
    const hash = hashOf(params)
    if (!hasDocuments) {
      if (hash !== undefined && !params.query)
        throw sendText('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported')
      return params
    }
    const { documentId, ...rest } = params
    const id = documentId ?? hash
    if (id == null) {
      if (!persistedOnly || typeof rest.query !== 'string' || isStored(rest.query)) return rest
      throw new UnreadableRequest(400, 'PERSISTED_QUERY_ONLY', 'Only documents that were stored beforehand are run')
    }
    const text = typeof id === 'string' ? texts.get(id.replace(/^sha256:/, '')) : undefined
    if (text !== undefined) return { ...rest, query: text }
    if (id === hash && !rest.query) throw sendText('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound')
    if (!persistedOnly && typeof rest.query === 'string') return rest
    throw new UnreadableRequest(400, 'PERSISTED_QUERY_NOT_FOUND', 'No document is stored under the id')
  }
}

/**
 * Automatic persisted queries: clients send only a hash. After this answer they send hash and text together, or only
 * texts from then on. They recognise the answer by its code or its message, and some only when its status is 200.
 */
function sendText(code: string, message: string): UnreadableRequest {
  return new UnreadableRequest(200, code, message, { 'cache-control': NO_STORE })
}

/**
 * The hash in `extensions.persistedQuery.sha256Hash`. Throws UnreadableRequest when it is not a hash, or not the hash
 * of the text beside it.
 */
function hashOf({ extensions, query }: Readonly<Record<string, unknown>>): string | undefined {
  const persisted = isObject(extensions) ? extensions.persistedQuery : undefined
  if (persisted == null) return undefined
  const { sha256Hash: hash, version = 1 } = isObject(persisted) ? persisted : {}
  if (typeof hash !== 'string' || version !== 1) {
    throw new UnreadableRequest(
      400,
      'BAD_REQUEST',
      'extensions.persistedQuery must have the version 1 and a sha256Hash',
    )
  }
  if (typeof query === 'string' && query !== '' && digest(query) !== hash) {
    throw new UnreadableRequest(
      400,
      'BAD_REQUEST',
      'extensions.persistedQuery.sha256Hash is not the SHA-256 of the query',
    )
  }
  return hash
}

/** A folder of `.graphql` files, one document each, or a JSON file of texts by name. */
function readDocuments(path: string | null): ReadonlyMap<string, string> {
  if (path === null) return new Map()
  try {
    return readFrom(path)
  } catch (cause) {
    throw new Error(`PERSISTED_DOCUMENTS must be a folder or a JSON file of documents, and ${path} is not`, { cause })
  }
}

/** The text without a leading byte order mark. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

function readFrom(path: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  // Editors add a byte order mark at the start and a line break at the end. Clients hash the text with or without them.
  const add = (text: string): void => {
    const unmarked = withoutMark(text)
    const document = unmarked.replace(/[\r\n]+$/, '')
    for (const form of [unmarked, document, `${document}\n`]) {
      for (const mark of ['', '\uFEFF']) texts.set(digest(mark + form), document)
    }
  }
  if (statSync(path).isDirectory()) {
    const names = readdirSync(path).filter((name) => name.endsWith('.graphql'))
    for (const name of names) add(readFileSync(join(path, name), 'utf8'))
    return texts
  }
  const named: unknown = JSON.parse(withoutMark(readFileSync(path, 'utf8')))
  if (!isObject(named)) throw new Error(`${path} must hold a JSON object of documents by their ids`)
  for (const [name, text] of Object.entries(named)) {
    if (typeof text !== 'string') throw new Error(`${path}: the document ${name} is not a text`)
    texts.set(name, text)
    add(text)
  }
  return texts
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
