/**
 * Text writer: analyses the texts of documents and stores what is made of them, in the transaction of a publish.
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import type { Analyser } from '../../../domain/catalog/search-text.ts'
import { yieldOften } from '../../../lib/yield-often.ts'
import { namedQuery, type Queryable } from '../../database/query.ts'
import { handled, StatementQueue } from '../../database/statement-queue.ts'
import { type DocumentTexts, type StoredTexts, textsOf } from './document-texts.ts'
import type { ReleaseWords } from './release-words.ts'

/** Documents whose texts are read at once; their rows are parsed in one go, which takes some milliseconds. */
const READ_AT_ONCE = 500

/** Batches that are read before the one that is analysed is written. */
const READ_AHEAD = 2

/** What is made of texts, by hash. */
type Made = ReadonlyMap<string, ReturnType<DocumentTexts['analyse']>>

/** The texts of some documents, and which of them are stored. */
interface TextBatch {
  readonly texts: readonly DocumentTexts[]
  readonly stored: Promise<ReadonlySet<string>>
}

/**
 * Writes the texts of documents in batches: while one is analysed, the one before is written. Nobody else writes texts
 * meanwhile, since that takes the publish lock.
 */
export class TextWriter {
  readonly written = new Set<number>()
  /** How many documents that the former release lacks have each text that was analysed before. */
  readonly known = new Map<string, number>()
  /** The batches that may have been written after a batch that was read ahead asked what is stored. */
  private lately: readonly Made[] = []

  constructor(
    private readonly on: Queryable,
    private readonly analyser: Analyser,
    private readonly words: ReleaseWords,
  ) {}

  async write(query: string, values: unknown[]): Promise<void> {
    await this.on.query(`DECLARE unseen_text NO SCROLL CURSOR FOR ${query}`, values)
    await new StatementQueue(this.on).run([(queue) => this.writeBatches(queue)])
    await this.on.query('CLOSE unseen_text')
  }

  private async writeBatches(queue: StatementQueue): Promise<void> {
    let writing: Promise<unknown> = Promise.resolve()
    const ahead = Array.from({ length: READ_AHEAD }, () => this.fetch(queue))
    for (let batch = ahead.shift(); batch; batch = ahead.shift()) {
      const { texts, stored } = await batch
      if (texts.length === 0) break
      const made = await this.analyse(texts, await stored)
      ahead.push(this.fetch(queue))
      await writing
      writing = this.insert(queue, texts, made)
    }
    await writing
  }

  private fetch(queue: StatementQueue): Promise<TextBatch> {
    const read = async (): Promise<TextBatch> => {
      const { rows } = await queue.query<StoredTexts>(`FETCH ${READ_AT_ONCE} FROM unseen_text`)
      const texts: DocumentTexts[] = []
      for (const row of rows) {
        texts.push(...textsOf(row, this.analyser))
        await yieldOften()
      }
      return { texts, stored: handled(storedOf(queue, texts)) }
    }
    return handled(read())
  }

  /** What is made of the texts that are not stored. Counts the words of all. */
  private async analyse(texts: readonly DocumentTexts[], stored: ReadonlySet<string>): Promise<Made> {
    const made = new Map<string, ReturnType<DocumentTexts['analyse']>>()
    for (const { document, hash, analyse } of texts) {
      this.written.add(document)
      let one = made.get(hash) ?? this.lately.find((batch) => batch.has(hash))?.get(hash)
      if (!one && !stored.has(hash)) {
        one = analyse()
        made.set(hash, one)
      }
      if (one) this.words.count(one.words, 1)
      else this.known.set(hash, (this.known.get(hash) ?? 0) + 1)
      await yieldOften()
    }
    this.lately = [made, ...this.lately].slice(0, READ_AHEAD)
    return made
  }

  private insert(queue: StatementQueue, texts: readonly DocumentTexts[], made: Made): Promise<unknown> {
    const rows = [...made.values()]
    return Promise.all([
      namedQuery(
        queue,
        'search_text_insert',
        `INSERT INTO search_text (hash, name, code_key, search)
         SELECT hash, name, code_key, search::tsvector FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) t (hash, name, code_key, search)`,
        [[...made.keys()], rows.map((one) => one.name), rows.map((one) => one.codeKey), rows.map((one) => one.lexemes)],
      ),
      namedQuery(
        queue,
        'document_search_text_insert',
        `INSERT INTO document_search_text (document_id, analyser, language, hash)
         SELECT document_id, $1, language, hash FROM unnest($2::int[], $3::text[], $4::uuid[]) t (document_id, language, hash)`,
        [
          this.analyser.id,
          texts.map((one) => one.document),
          texts.map((one) => one.language),
          texts.map((one) => one.hash),
        ],
      ),
    ])
  }
}

async function storedOf(on: Queryable, texts: readonly DocumentTexts[]): Promise<ReadonlySet<string>> {
  const text = 'SELECT hash FROM search_text WHERE hash = ANY ($1::uuid[])'
  const hashes = [...new Set(texts.map(({ hash }) => hash))]
  const found = await namedQuery<{ hash: string }>(on, 'search_texts_known', text, [hashes])
  return new Set(found.map(({ hash }) => hash))
}
