/** What the import says: a bar while it runs on a terminal, and a summary at the end. */
import { type OutcomeKind, outcomeKinds } from './outcome.ts'
import type { Counts } from './run.ts'

/** The part of a stream that a report is written to. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

const REDRAW_MS = 100
/** Where there is no terminal a long import says now and then that it lives. */
const PLAIN_MS = 5_000

/** A bar by bytes on a terminal; elsewhere a plain line every few seconds. */
export class Progress {
  #drawnAt: number
  #shown = false

  constructor(
    private readonly output: Output,
    private readonly clock: () => number = Date.now,
  ) {
    this.#drawnAt = clock()
  }

  /** How far a file is read, 0 to 1, and how many objects have been settled. */
  show(file: string, part: number, objects: number): void {
    const now = this.clock()
    if (now - this.#drawnAt < (this.output.isTTY ? REDRAW_MS : PLAIN_MS)) return
    this.#drawnAt = now
    const percent = `${Math.floor(Math.min(1, part) * 100)} %`
    if (!this.output.isTTY) {
      this.line(`${file}: ${percent}, ${objects} objects`)
      return
    }
    const width = 24
    const full = Math.round(Math.min(1, part) * width)
    const text = `${file} [${'#'.repeat(full)}${'-'.repeat(width - full)}] ${percent} ${objects} objects`
    this.#shown = true
    this.output.write(`\r\u001b[2K${text.slice(0, (this.output.columns ?? 80) - 1)}`)
  }

  /** A line of its own above where the bar was. */
  line(text: string): void {
    this.clear()
    this.output.write(`${text}\n`)
  }

  clear(): void {
    if (this.#shown) this.output.write('\r\u001b[2K')
    this.#shown = false
  }
}

/** A table: how many of what were created, updated, unchanged, refused (import.exit-code-and-counts). */
export function summary(counts: Counts): string {
  const total: Record<OutcomeKind, number> = { created: 0, updated: 0, unchanged: 0, refused: 0 }
  for (const ofType of counts.values()) for (const kind of outcomeKinds) total[kind] += ofType[kind]
  const rows = [...counts, ...(counts.size === 1 ? [] : ([['total', total]] as const))]
  const width = Math.max(...rows.map(([type]) => type.length), 'type'.length)
  const row = (name: string, cells: readonly (string | number)[]): string =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(10))].join('')
  return [
    row('type', outcomeKinds),
    ...rows.map(([type, ofType]) =>
      row(
        type,
        outcomeKinds.map((kind) => ofType[kind]),
      ),
    ),
  ].join('\n')
}
