/** A row of a sheet of records as an object that the import knows. */
import type { Path, Violation } from '../../domain/input/errors.ts'
import { CLEARS, type NumberFormat } from './cells.ts'
import type { MemberColumns, Part, PartColumn } from './member-columns.ts'
import type { CellTaker } from './sheet.ts'

/** A column; `member` is the name of a member in the definition, null for the id. */
export interface RecordColumn extends PartColumn {
  readonly member: string | null
  readonly path: Path
}

/** A member that has columns. */
export interface SheetMember {
  readonly name: string
  readonly restName: string
  /** Where objects have it in their data. */
  readonly path: Path
  readonly columns: MemberColumns
}

/** A record as a row gives it. */
export class RecordRow implements CellTaker<RecordColumn> {
  private readonly wrong: Violation[] = []
  private readonly parts = new Map<string | null, Part[]>()

  constructor(
    private readonly type: string,
    private readonly members: readonly SheetMember[],
    private readonly keys: readonly string[],
  ) {}

  /** Takes a cell that is not empty. */
  take({ member, part, path, read }: RecordColumn, cell: string, format: NumberFormat): void {
    const result = cell === CLEARS && member !== null ? { value: null } : read(cell, format)
    if (!('value' in result)) this.wrong.push({ ...result, path })
    else this.parts.set(member, [...(this.parts.get(member) ?? []), { part, value: result.value }])
  }

  /** A row without a key would add its record again at each import (sheet.row-finds-its-record). */
  get violations(): readonly Violation[] {
    const { keys } = this
    if (this.wrong.length > 0 || keys.some((name) => this.keyOf(name) != null)) return this.wrong
    const message = `must be given, since a row finds its record by ${keys.join(' or ')}`
    return [{ code: 'REQUIRED', path: this.memberOf(keys[1] ?? '')?.path ?? [], message }]
  }

  private keyOf(name: string): unknown {
    return this.parts.get(this.memberOf(name)?.name ?? null)?.[0]?.value
  }

  private memberOf(column: string): SheetMember | undefined {
    return this.members.find(({ columns }) => columns.shown[0] === column)
  }

  dataFor(stored: object | undefined): object {
    const id = this.keyOf('id')
    const attributes: Record<string, unknown> = {}
    const relationships: Record<string, { readonly data: unknown }> = {}
    for (const { name, restName, path, columns } of this.members) {
      const parts = this.parts.get(name)
      if (!parts) continue
      const value = columns.given(parts, (stored as Record<string, unknown> | undefined)?.[name])
      if (path[0] === 'attributes') attributes[restName] = value
      else relationships[restName] = { data: value }
    }
    const related = Object.keys(relationships).length > 0 ? { relationships } : {}
    return { type: this.type, ...(id !== undefined && { id }), attributes, ...related }
  }
}
