/** Imports of other systems' data for tests, by the command line's own functions. */
import { readArguments } from '../../src/import/arguments.ts'
import { importFiles, sizesOf } from '../../src/import/files.ts'
import type { Counts } from '../../src/import/outcome.ts'
import { Progress } from '../../src/import/report.ts'
import type { LeftOut } from '../../src/import/systems/left-out.ts'
import { describeIgnored } from '../../src/import/unknown.ts'
import type { Services } from '../../src/request/context.ts'

/** The outcome of an import. */
export interface SystemRun {
  readonly allTaken: boolean
  /** Created, updated, unchanged and refused objects by type, in the order in which the types came. */
  readonly counts: Readonly<Record<string, readonly number[]>>
  /** The lines about refused objects. */
  readonly reported: readonly string[]
  /** Counts by kind. */
  readonly leftOut: Readonly<Record<string, number>>
  /** Counts of unknown members that are left out. */
  readonly ignored: string | undefined
}

/** Imports what a command line says; refused objects are skipped, unless it says otherwise. */
export async function importSystem(services: Services, ...line: string[]): Promise<SystemRun> {
  const args = readArguments(['--on-error', 'skip', ...line])
  if (typeof args === 'string') throw new Error(args)
  let counts: Counts = new Map()
  let ignored: string | undefined
  let left: LeftOut | undefined
  let reported = ''
  const progress = new Progress({ write: (text) => (reported += text) }, () => 0)
  const allTaken = await importFiles(services, args, {
    sizes: await sizesOf(args),
    progress,
    onEnd: (given, _, members, leftOut) => {
      counts = given
      ignored = describeIgnored(members)
      left = leftOut
    },
  })
  const kinds = (left?.describe() ?? '').split('\n').slice(1)
  return {
    allTaken,
    ignored,
    reported: reported.split('\n').filter(Boolean),
    counts: Object.fromEntries(
      [...counts].map(([type, of]) => [type, [of.created, of.updated, of.unchanged, of.refused]]),
    ),
    leftOut: Object.fromEntries(
      kinds.map((kind) => {
        const [, name = '', count] = /^ {2}(.*): (\d+) times$/.exec(kind) ?? []
        return [name, Number(count)]
      }),
    ),
  }
}
