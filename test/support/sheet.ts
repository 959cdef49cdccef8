/** Imports of sheets for tests, by the command line's own functions. */
import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type ImportArguments, readArguments } from '../../src/import/arguments.ts'
import { importFiles, sizesOf } from '../../src/import/files.ts'
import type { Counts } from '../../src/import/outcome.ts'
import { Progress } from '../../src/import/report.ts'
import type { Services } from '../../src/request/context.ts'

/** The outcome of a sheet. */
export interface SheetRun {
  /** Created, updated, unchanged, refused. */
  readonly counts: readonly number[]
  /** What was reported, with names of files without their folder. */
  readonly reported: readonly string[]
}

/** The bytes of a workbook that an export writes. */
export async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

/** Writes a text to a file and imports it; refused rows are skipped. */
export async function importSheetFile(
  services: Services,
  file: string,
  text: string | Buffer,
  options: readonly string[],
): Promise<SheetRun> {
  writeFileSync(file, text)
  const args = readArguments(['--on-error', 'skip', ...options, file])
  if (typeof args === 'string') throw new Error(args)
  const { sheet }: ImportArguments = args
  let counts: Counts = new Map()
  let reported = ''
  const progress = new Progress({ write: (piece) => (reported += piece.replaceAll(`${dirname(file)}/`, '')) }, () => 0)
  await importFiles(services, args, { sizes: await sizesOf(args), progress, onEnd: (given) => (counts = given) })
  const { created = 0, updated = 0, unchanged = 0, refused = 0 } = counts.get(sheet?.type ?? '') ?? {}
  return { counts: [created, updated, unchanged, refused], reported: reported.trim().split('\n').filter(Boolean) }
}
