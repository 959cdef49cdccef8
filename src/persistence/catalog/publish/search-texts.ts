/**
 * Search texts of releases: the texts of documents as a search compares them (domain/catalog/search-text.ts), each
 * analysed once, and the words of each release, among which a search looks for what a misspelt word means.
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import { documentDifference } from '../../../domain/catalog/document-difference.ts'
import type { Analyser } from '../../../domain/catalog/search-text.ts'
import { yieldOften } from '../../../lib/yield-often.ts'
import { namedQuery, type Queryable } from '../../database/query.ts'
import { ReleaseWords, tallyOf } from './release-words.ts'
import { TextWriter } from './text-writer.ts'

/** Texts whose words are read at once; their rows are parsed in one go, which takes some milliseconds. */
const WORDS_AT_ONCE = 500

/**
 * Index entries that wait to be written together, which saves a fifth of the work for 100,000 products. Until they are
 * written, a search reads them one by one, which takes some 40 milliseconds.
 */
export const INDEX_WAITING = '64MB'

/** Writes the entries that wait, in some 1.4 seconds for 100,000 products. A publish does not wait for it. */
export const WRITE_WAITING = `SELECT gin_clean_pending_list('search_text_search_idx')`

/** The texts of new documents of a publish, which are those of their products. */
const ofProducts = `SELECT u.document_id AS id, name, description, sku, manufacturer_part_num AS "partNumber", upc_ean AS "upcEan",
  to_json(p.tags) AS tags, locales
FROM pub_product u JOIN product p ON p.id = u.product_id WHERE u.is_new`

/** The texts of documents that were published before. */
const ofDocuments = `SELECT id, body ->> 1 AS name, body ->> 2 AS description, sku, manufacturer_part_num AS "partNumber", upc_ean AS "upcEan",
  body -> 8 AS tags, body -> 13 AS locales
FROM (SELECT d.id, d.sku, d.manufacturer_part_num, d.upc_ean, d.body -> 0 AS body
  FROM unnest($1::int[]) u (id) JOIN release_document d ON d.id = u.id OFFSET 0) one`

/** $1: release. Its documents. Lists are read as JSON, in a fifth of the time of arrays. */
const documentsOf = `SELECT to_json(documents) AS documents FROM release_listing WHERE release_id = $1::uuid AND scope = release_id`

/** $1: documents, $2: analyser. Those that it has not seen. */
const unseen = `SELECT u.id FROM unnest($1::int[]) u (id) WHERE NOT EXISTS (
  SELECT FROM document_search_text t WHERE t.document_id = u.id AND t.analyser = $2 AND t.language = '')`

/**
 * $1: release, $2: analyser, $3: a release that is like it, or null. The words of that release, or of the one of its
 * catalog that was analysed last, and its documents.
 */
const lastWords = `
SELECT s.words, to_json(l.documents) AS documents FROM release_search s JOIN release r ON r.id = s.release_id
JOIN release_listing l ON l.release_id = r.id AND l.scope = r.id
WHERE r.catalog_id = (SELECT catalog_id FROM release WHERE id = $1::uuid) AND r.id <> $1::uuid AND s.analyser = $2
ORDER BY coalesce(r.id = $3::uuid, false) DESC, r.started_at DESC LIMIT 1`

/**
 * Analyses the texts of a release's documents that the analyser has not seen, and stores the words of the release, in
 * the caller's transaction. The words are counted on from those of a release that is `like` it, by default of the one
 * that was analysed last, whose documents the analyser has seen. `isPublish` tells that its new documents are in the
 * tables of a publish. No statement costs more than the documents that it reads at once, but those that compare
 * releases.
 */
export async function indexRelease(
  client: Queryable,
  releaseId: string,
  analyser: Analyser,
  { isPublish = false, like = null }: { readonly isPublish?: boolean; readonly like?: string | null },
): Promise<void> {
  const [found] = (await client.query<{ documents: number[] }>(documentsOf, [releaseId])).rows
  if (!found) return
  const [last] = (await client.query<{ words: string; documents: number[] }>(lastWords, [releaseId, analyser.id, like]))
    .rows
  const { gone, come } = documentDifference(rising(last?.documents ?? []), rising(found.documents))
  const words = new ReleaseWords(last?.words)
  const index = new TextWriter(client, analyser, words)
  if (isPublish) await index.write(ofProducts, [])
  const added = () => Array.from(come).filter((id) => !index.written.has(id))
  const { rows: others } = await client.query<{ id: number }>(unseen, [added(), analyser.id])
  if (others.length > 0) await index.write(ofDocuments, [others.map(({ id }) => id)])
  // Else the first searches are planned for empty tables: a misspelt code takes seconds instead of milliseconds.
  if (index.written.size > found.documents.length / 10)
    await client.query('SET LOCAL default_statistics_target = 10; ANALYZE search_text, document_search_text')
  await countDocuments(client, analyser, added(), words, 1)
  await countTexts(client, index.known, words, 1)
  await countDocuments(client, analyser, Array.from(gone), words, -1)
  const insert = `INSERT INTO release_search (release_id, analyser, words) VALUES ($1, $2, $3)
    ON CONFLICT (release_id, analyser) DO UPDATE SET words = excluded.words`
  await client.query(insert, [releaseId, analyser.id, words.toText()])
}

function rising(documents: readonly number[]): Int32Array {
  return Int32Array.from(documents).sort()
}

/** Counts the words of documents that were analysed before. */
async function countDocuments(
  on: Queryable,
  analyser: Analyser,
  documents: readonly number[],
  words: ReleaseWords,
  change: number,
): Promise<void> {
  for (let at = 0; at < documents.length; at += WORDS_AT_ONCE) {
    const rows = await namedQuery<{ hash: string }>(
      on,
      'document_search_hashes',
      'SELECT hash FROM document_search_text WHERE document_id = ANY ($1::int[]) AND analyser = $2',
      [documents.slice(at, at + WORDS_AT_ONCE), analyser.id],
    )
    const uses = new Map<string, number>()
    for (const { hash } of rows) uses.set(hash, (uses.get(hash) ?? 0) + 1)
    await countTexts(on, uses, words, change)
  }
}

async function countTexts(
  on: Queryable,
  uses: ReadonlyMap<string, number>,
  words: ReleaseWords,
  change: number,
): Promise<void> {
  const hashes = [...uses.keys()]
  const text = `SELECT hash, to_json(tsvector_to_array(ts_filter(search, '{a}'))) AS named,
      to_json(tsvector_to_array(ts_filter(search, '{b,d}'))) AS mentioned
    FROM search_text WHERE hash = ANY ($1::uuid[])`
  for (let at = 0; at < hashes.length; at += WORDS_AT_ONCE) {
    const rows = await namedQuery<{ hash: string; named: string[]; mentioned: string[] }>(
      on,
      'search_text_words',
      text,
      [hashes.slice(at, at + WORDS_AT_ONCE)],
    )
    for (const { hash, named, mentioned } of rows) {
      words.count(tallyOf(named, mentioned), change * (uses.get(hash) ?? 0))
      await yieldOften()
    }
  }
}
