/** import.repeat-changes-nothing: an import that is run again leaves the store as it was, in every table. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { ImportProgress } from '../../src/import/import-progress.ts'
import { reset, useDatabase } from '../support/database.ts'
import { type ImportResult, runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'

const samples = process.env.SAMPLE_DATA_DIR
const database = useDatabase()
const services = servicesOf(database)

beforeEach(() => reset(database))

/**
 * The tables that a publish writes without a change: only rows of latest releases are compared, without the release's
 * id.
 */
const published: Readonly<Record<string, string>> = {
  release: 'id',
  release_activation: 'release_id',
  published_release: 'id',
  release_node: 'release_id',
  release_listing: 'release_id',
  release_facet: 'release_id',
  release_order: 'release_id',
  release_search: 'release_id',
}
/** Further columns that every publish writes. */
const ofPublish: Readonly<Record<string, readonly string[]>> = {
  catalog: ['release_sequence', 'words_release_id', 'version'],
  release_activation: ['id', 'effective_at'],
  release: ['sequence', 'started_at', 'published_at'],
}
/** The table `change` is left out, since it logs events. */
const changeLog = 'change'

type Dump = Record<string, readonly unknown[]>

/** Which documents have a tag, a type or an option is a set: a listing gives them their order. */
function facet({ documents, ...row }: { readonly documents: readonly number[] }): string {
  return JSON.stringify({ ...row, documents: documents.toSorted((left, right) => left - right) })
}

/** Every row of every table; `without` names columns that are left out. */
async function dump(without: readonly string[] = []): Promise<Dump> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = quote_ident(current_schema())::regnamespace AND NOT relispartition AND relname <> ALL ($1)`,
    [['_prisma_migrations', changeLog]],
  )
  const dumped: Dump = {}
  for (const { name } of tables) {
    const releaseId = published[name]
    const [anonymous, latest] =
      releaseId === undefined
        ? ["''", '']
        : [`t.${releaseId}::text`, `WHERE t.${releaseId} IN (SELECT latest_release(id, 'infinity') FROM catalog)`]
    const { rows } = await database.pool.query(
      `SELECT replace((to_jsonb(t) - $1::text[])::text, ${anonymous}, '')::jsonb AS row FROM ${name} t ${latest} ORDER BY 1`,
      [[...without, ...(ofPublish[name] ?? [])]],
    )
    dumped[name] = name === 'release_facet' ? rows.map(({ row }) => facet(row)).sort() : rows.map(({ row }) => row)
  }
  return dumped
}

const filled = (dumped: Dump) => Object.keys(dumped).filter((name) => dumped[name]?.length !== 0)
const refusedOrNew = ({ counts }: ImportResult) =>
  Object.entries(counts).filter(
    ([type, [created, , , refused]]) => type !== 'catalog-release' && (created !== 0 || refused !== 0),
  )

describe('import.repeat-changes-nothing: an import that is run twice', () => {
  it('import.repeat-changes-nothing: an import that is run twice changes no row of the demo store, and publishes an equal release', async () => {
    const demo = readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8')
    expect((await runImport(services, demo)).refused).toEqual([])
    const first = await dump()
    expect(filled(first)).toEqual(
      expect.arrayContaining(['sale', 'offering_plan', 'node_product', 'catalog_rule', 'release_document']),
    )
    expect(first.release).toHaveLength(2)
    const again = await runImport(services, demo)
    expect(refusedOrNew(again)).toEqual([])
    expect(await dump()).toEqual(first)
  })
})

describe.runIf(samples)('the sample files [needs sample data]', () => {
  it('import.repeat-changes-nothing: a second import of the sample files changes nothing in price books and subscriptions but the two keys that occur twice', async () => {
    const files = ['price-books.json-stream', 'subscriptions.jsonl'].map((name) =>
      readFileSync(join(samples ?? '', name), 'utf8'),
    )
    // Plans of other systems have a status, which plans here do not have.
    const importFile = (file: string) =>
      runImport(services, file, 'skip', undefined, new ImportProgress({ stopAtRefusal: false }), true)
    for (const file of files) expect((await importFile(file)).refused).toEqual([])
    const first = await dump(['version', 'updated_at'])
    expect(filled(first).sort()).toEqual(['plan', 'price_book', 'product_price', 'sale', 'subscription_product'])
    for (const file of files) expect(refusedOrNew(await importFile(file))).toEqual([])
    expect(await dump(['version', 'updated_at'])).toEqual(first)
  })
})
