/** Import report: progress while it runs, and a summary at its end. */
import { type Counts, type OutcomeKind, outcomeKinds } from './outcome.ts'

/** The stream that a report is written to. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Milliseconds between two drawings of the bar. */
const REDRAW_MS = 100
/** Milliseconds between two progress lines where there is no terminal. */
const PLAIN_MS = 5_000

/** Progress: a bar on a terminal, elsewhere a line every PLAIN_MS. `clock` returns milliseconds. */
export class Progress {
  private drawnAt: number
  private shown = false

  constructor(
    private readonly output: Output,
    private readonly clock: () => number = Date.now,
  ) {
    this.drawnAt = clock()
  }

  /** Shows how much of a file is read (0 to 1; null for a pipe), and how many of the objects read have an outcome. */
  show(file: string, part: number | null, objects: number): void {
    const now = this.clock()
    if (now - this.drawnAt < (this.output.isTTY ? REDRAW_MS : PLAIN_MS)) return
    this.drawnAt = now
    const read = Math.min(1, part ?? 0)
    const percent = `${Math.floor(read * 100)} % read`
    const done = `${objects} objects done`
    if (!this.output.isTTY) {
      this.line(`${file}: ${part === null ? '' : `${percent}, `}${done}`)
      return
    }
    const width = 24
    const full = Math.round(read * width)
    const bar = part === null ? '' : `[${'#'.repeat(full)}${'-'.repeat(width - full)}] ${percent}, `
    const text = `${file} ${bar}${done}`
    this.shown = true
    this.output.write(`\r\u001b[2K${text.slice(0, (this.output.columns ?? 80) - 1)}`)
  }

  /** Writes a line in place of the bar. */
  line(text: string): void {
    this.clear()
    this.output.write(`${text}\n`)
  }

  /** Removes the bar. */
  clear(): void {
    if (this.shown) this.output.write('\r\u001b[2K')
    this.shown = false
  }
}

/** The summary: a table of the outcomes of each type (import.exit-code-and-counts). */
export function summary(counts: Counts): string {
  const total: Record<OutcomeKind, number> = { created: 0, updated: 0, unchanged: 0, refused: 0 }
  for (const typeCounts of counts.values()) for (const kind of outcomeKinds) total[kind] += typeCounts[kind]
  const rows = [...counts, ...(counts.size === 1 ? [] : ([['total', total]] as const))]
  const width = Math.max(...rows.map(([type]) => type.length), 'type'.length)
  const row = (name: string, cells: readonly (string | number)[]): string =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(10))].join('')
  return [
    row('type', outcomeKinds),
    ...rows.map(([type, typeCounts]) => {
      const cells = outcomeKinds.map((kind) => typeCounts[kind])
      return row(type, cells)
    }),
  ].join('\n')
}
