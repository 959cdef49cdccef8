import { conflict } from '../domain/input/errors.ts'

/** What still refers to a record: how many, of what (`child node`), and the names of a few of them. */
export interface ReferencingRecords {
  readonly noun: string
  readonly count: number
  readonly names: readonly string[]
}

/** Throws the conflict IN_USE, which names what holds the record back, unless nothing does. */
export function assertNotReferenced(holders: readonly ReferencingRecords[]): void {
  const held = holders.filter(({ count }) => count > 0)
  if (held.length > 0) throw conflict('IN_USE', ['id'], `is still used by ${held.map(describe).join(' and ')}`)
}

/** `2 child nodes ("Beans", "Filters")`; more than are named end in an ellipsis. */
function describe({ noun, count, names }: ReferencingRecords): string {
  const shown = names.map((name) => JSON.stringify(name)).join(', ')
  return `${count} ${noun}${count === 1 ? '' : 's'}${shown && ` (${shown}${count > names.length ? ', ...' : ''})`}`
}
