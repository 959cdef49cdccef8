/** Imports for tests, without files. */
import { ImportProgress } from '../../src/import/import-progress.ts'
import { onCommandLine } from '../../src/import/option-words.ts'
import { entriesOf, type ParsedObject } from '../../src/import/parsed-object.ts'
import type { RefusedProducts } from '../../src/import/refused-products.ts'
import { importObjects } from '../../src/import/run.ts'
import { Splitter } from '../../src/import/splitter.ts'
import { type Writing, writeSeparately } from '../../src/import/writing.ts'
import type { Services } from '../../src/request/context.ts'

/** The outcome of an import. */
export interface ImportResult {
  readonly fine: boolean
  /** The numbers of created, updated, unchanged and refused objects, by type. */
  readonly counts: Readonly<Record<string, readonly number[]>>
  /** The problems of refused objects as `line: problem`. */
  readonly refused: readonly string[]
}

/** Imports objects, each on its line, or a text. */
export async function runImport(
  services: Services,
  input: readonly object[] | string,
  onError: 'stop' | 'skip' = 'skip',
  writing: Writing = writeSeparately(services),
  importProgress = new ImportProgress({ stopAtRefusal: onError === 'stop' }),
  ignoreUnknown = false,
  refusedProducts?: RefusedProducts,
): Promise<ImportResult> {
  const text = typeof input === 'string' ? input : input.map((data) => JSON.stringify({ data })).join('\n')
  const refused: string[] = []
  const onRefused = ({ line }: ParsedObject, problems: readonly string[]): void => {
    for (const problem of problems) refused.push(`${line}: ${problem}`)
  }
  const options = {
    onError,
    ignoreUnknown,
    spell: onCommandLine,
    onRefused,
    ...(refusedProducts && { refusedProducts }),
  }
  const fine = await importObjects(writing, found(text), importProgress, options)
  const rows = [...importProgress.state.counts].map(
    ([type, of]) => [type, [of.created, of.updated, of.unchanged, of.refused]] as const,
  )
  return { fine, counts: Object.fromEntries(rows), refused }
}

async function* found(text: string): AsyncGenerator<ParsedObject> {
  const splitter = new Splitter()
  yield* splitter.push(Buffer.from(text)).flatMap(entriesOf)
  yield* splitter.end().flatMap(entriesOf)
}
