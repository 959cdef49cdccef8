/**
 * Search texts of releases: the texts of documents as a search compares them (domain/catalog/search-text.ts), each
 * analysed once, and the words of each release, among which a search looks for what a misspelt word means.
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import type pg from 'pg'
import { documentDifference } from '../../../domain/catalog/document-difference.ts'
import type { Analyser } from '../../../domain/catalog/search-text.ts'
import { namedQuery, type Queryable } from '../../database/query.ts'
import { type DocumentTexts, type StoredTexts, textsOf } from './document-texts.ts'
import { ReleaseWords, tallyOf, type WordTally } from './release-words.ts'

/** Documents whose texts are read at once. */
const READ_AT_ONCE = 1_000
/** Texts whose words are read at once. */
const WORDS_AT_ONCE = 2_000

/**
 * Index entries that wait to be written together, which saves a fifth of the work for 100,000 products. A search during
 * the publish reads them one by one, which takes some 40 milliseconds. The end of the texts writes them.
 */
export const INDEX_WAITING = '64MB'

const columns = 'name, description, sku, manufacturer_part_num AS "partNumber", upc_ean AS "upcEan", tags, locales'

/** The texts of new documents of a publish, which are those of their products. */
const ofProducts = `SELECT u.document_id AS id, ${columns.replace('tags,', 'p.tags,')}
FROM pub_product u JOIN product p ON p.id = u.product_id WHERE u.is_new`

/** The texts of documents that were published before. */
const ofDocuments = `SELECT id, body ->> 1 AS name, body ->> 2 AS description, sku, manufacturer_part_num AS "partNumber", upc_ean AS "upcEan",
  ARRAY(SELECT json_array_elements_text(body -> 8)) AS tags, body -> 13 AS locales
FROM (SELECT d.id, d.sku, d.manufacturer_part_num, d.upc_ean, d.body -> 0 AS body
  FROM unnest($1::int[]) u (id) JOIN release_document d ON d.id = u.id OFFSET 0) one`

/** $1: release. Its documents; a list is read as JSON in a fifth of the time of an array. */
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
  client: pg.ClientBase,
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
  if (index.written.size > 0) await client.query(`SELECT gin_clean_pending_list('search_text_search_idx')`)
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

/** Writes the texts of documents in batches; the next are read while some are analysed. */
class TextWriter {
  readonly written = new Set<number>()
  /** How many documents that the former release lacks have each text that was analysed before. */
  readonly known = new Map<string, number>()

  constructor(
    private readonly client: pg.ClientBase,
    private readonly analyser: Analyser,
    private readonly words: ReleaseWords,
  ) {}

  async write(query: string, values: unknown[]): Promise<void> {
    const { client } = this
    await client.query(`DECLARE unseen_text NO SCROLL CURSOR FOR ${query}`, values)
    const fetch = () => client.query<StoredTexts>(`FETCH ${READ_AT_ONCE} FROM unseen_text`)
    for (let batch = fetch(); ; ) {
      const { rows } = await batch
      if (rows.length === 0) break
      batch = fetch()
      await this.writeBatch(rows).catch(async (error) => {
        await batch.catch(() => undefined)
        throw error
      })
    }
    await client.query('CLOSE unseen_text')
  }

  private async writeBatch(rows: readonly StoredTexts[]): Promise<void> {
    const { client, analyser } = this
    const texts = rows.flatMap((row) => textsOf(row, analyser))
    const hashes = [...new Set(texts.map(({ hash }) => hash))]
    const found = await namedQuery<{ hash: string }>(
      client,
      'search_texts_known',
      'SELECT hash FROM search_text WHERE hash = ANY ($1::uuid[])',
      [hashes],
    )
    const stored = new Set(found.map(({ hash }) => hash))
    const fresh = new Map(texts.flatMap((one) => (stored.has(one.hash) ? [] : [[one.hash, one] as const])))
    const tallies = await this.insertTexts([...fresh.values()])
    for (const { document, hash } of texts) {
      this.written.add(document)
      const tally = tallies.get(hash)
      if (tally) this.words.count(tally, 1)
      else this.known.set(hash, (this.known.get(hash) ?? 0) + 1)
    }
    await namedQuery(
      client,
      'document_search_text_insert',
      `INSERT INTO document_search_text (document_id, analyser, language, hash)
       SELECT document_id, $1, language, hash FROM unnest($2::int[], $3::text[], $4::uuid[]) t (document_id, language, hash) ON CONFLICT DO NOTHING`,
      [analyser.id, texts.map((one) => one.document), texts.map((one) => one.language), texts.map((one) => one.hash)],
    )
  }

  private async insertTexts(fresh: readonly DocumentTexts[]): Promise<Map<string, WordTally>> {
    const made: { hash: string; name: string; codeKey: string; lexemes: string }[] = []
    const tallies = new Map<string, WordTally>()
    for (const one of fresh) {
      const { hash, analyse } = one
      const { words, ...text } = analyse()
      made.push({ hash, ...text })
      tallies.set(hash, words)
      await yieldOften()
    }
    await namedQuery(
      this.client,
      'search_text_insert',
      `INSERT INTO search_text (hash, name, code_key, search)
       SELECT hash, name, code_key, search::tsvector FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) t (hash, name, code_key, search)
       ON CONFLICT DO NOTHING`,
      [
        made.map((one) => one.hash),
        made.map((one) => one.name),
        made.map((one) => one.codeKey),
        made.map((one) => one.lexemes),
      ],
    )
    return tallies
  }
}

/** Milliseconds of analysis after which requests take their turn. */
const SLICE_MS = 10
let sliceEnd = 0

async function yieldOften(): Promise<void> {
  if (performance.now() < sliceEnd) return
  await new Promise(setImmediate)
  sliceEnd = performance.now() + SLICE_MS
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
  const text = `SELECT hash, tsvector_to_array(ts_filter(search, '{a}')) AS named, tsvector_to_array(ts_filter(search, '{b,d}')) AS mentioned
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
