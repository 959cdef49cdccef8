/** Imports of files for tests, by command lines. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type ImportArguments, readArguments } from '../../src/import/arguments.ts'
import { importFiles, sizesOf } from '../../src/import/files.ts'
import type { Counts } from '../../src/import/outcome.ts'
import { Progress } from '../../src/import/report.ts'
import type { Services } from '../../src/request/context.ts'

interface Run {
  readonly allTaken: boolean
  readonly isStored: boolean
  readonly counts: Readonly<Record<string, readonly number[]>>
  readonly reported: string
}

/** A folder of files to import, which goes with the tests of a file. */
export function useImportFolder(services: Services) {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-import-files-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    /**
     * Runs a command line; a path in `folder` is written without it. The clock stands still by default, since on a slow
     * machine progress would be reported as well.
     */
    async run(line: string, clock = () => 0, on = services): Promise<Run> {
      const args = readArguments(
        line.split(' ').map((word) => (word.startsWith('-') || !word.includes('.') ? word : join(folder, word))),
      ) as ImportArguments
      let counts: Counts = new Map()
      let isStored = false
      let reported = ''
      const progress = new Progress({ write: (text) => (reported += text.replaceAll(`${folder}/`, '')) }, clock)
      const onEnd = (given: Counts, stored: boolean) => {
        counts = given
        isStored = stored
      }
      const allTaken = await importFiles(on, args, { sizes: await sizesOf(args), progress, onEnd })
      const rows = [...counts].map(([type, of]) => [type, [of.created, of.updated, of.unchanged, of.refused]] as const)
      return { allTaken, isStored, counts: Object.fromEntries(rows), reported }
    },
    write(name: string, objects: readonly object[]): void {
      writeFileSync(join(folder, name), objects.map((data) => `${JSON.stringify({ data })}\n`).join(''))
    },
    linesOf: (name: string): string[] => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').filter(Boolean),
  }
}
