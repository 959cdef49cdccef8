/** How an import names its options in what it says: on the command line and by HTTP, each as it is given there. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { byHttp, onCommandLine } from '../../../src/import/option-words.ts'
import { writeSeparately } from '../../../src/import/writing.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { runImport } from '../../support/import.ts'
import { begin, lines, runUntil } from '../../support/import-jobs.ts'
import { useServer } from '../../support/server.ts'
import { importSheetFile } from '../../support/sheet.ts'

const database = useDatabase()
const server = useServer(database)
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-words-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => reset(database))

const catalogId = '0199c0de-0000-7000-8000-00000000ca7d'
const unpublished = [
  { type: 'catalog', id: catalogId, attributes: { name: 'Shop', hierarchy_ids: [], pricebook_ids: [] } },
  { type: 'pricebook', attributes: {} },
  { type: 'catalog-release', attributes: { catalog_id: catalogId } },
]
/** A file whose amount has the other mark, by the mark that it is read with. */
const sheets = { '.': 'external_ref,EUR.amount\nA,"1,50"\n', ',': 'external_ref;EUR.amount\nA;1.50\n' }

/** What the file of refused objects says, as a job by HTTP writes it. */
async function sentRefused(raw: string, query: string, type = 'application/x-ndjson'): Promise<string> {
  const id = await begin(server, raw, query, { 'content-type': type })
  await runUntil(server, id, ['DONE'])
  return (await server.rest('GET', `/imports/${id}/refused`)).text
}

const edges = [
  {
    edge: 'the command line',
    words: ['--decimal ","', '--decimal "."', '--publish-anyway', '--ignore-unknown'],
    spell: onCommandLine,
    sheet: async (text: string) => {
      const file = join(folder, 'boxes.csv')
      return (await importSheetFile(server.services, file, text, ['--type', 'subscription_product'])).reported.join('')
    },
    objects: async () => {
      const { services } = server
      return (await runImport(services, unpublished, 'skip', writeSeparately(services))).refused.join('\n')
    },
  },
  {
    edge: 'HTTP',
    words: ['decimal=,', 'decimal=.', 'publish_anyway=true', 'ignore_unknown=true'],
    spell: byHttp,
    sheet: (text: string) => sentRefused(text, '?on_error=skip&type=subscription_product', 'text/csv'),
    objects: () => sentRefused(lines(unpublished), '?on_error=skip'),
  },
]

describe('import.options-as-they-are-given', () => {
  test.each(edges)('of $edge each option is named as it is given there', async ({ words, spell, sheet, objects }) => {
    expect([spell('decimal', ','), spell('decimal', '.'), spell('publish-anyway'), spell('ignore-unknown')]).toEqual(
      words,
    )
    const [comma, point, anyway] = words
    const said = (text: string) => text.replaceAll('""', '"')
    expect(said(await sheet(sheets['.']))).toContain(`the decimal mark of this file is ".", ${comma} changes it`)
    expect(said(await sheet(sheets[',']))).toContain(`the decimal mark of this file is ",", ${point} changes it`)
    expect(await objects()).toContain(`correct them, or give ${anyway} (ACTION_REFUSED)`)
  })
})
