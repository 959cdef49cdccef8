/** Measures (search.measures-and-units): 80 cm x 60 cm is 80x60, with its unit once, twice or not at all. */
import { signOfWord } from './signs.ts'
import { unitOfWord } from './units.ts'
import type { Atom, Chunk } from './words.ts'

/** Numbers with x between them that chunks consist of, with or without units of length. */
export interface Dimensions {
  /** Without spaces and units, such as 80x60. */
  readonly text: string
  /** The first and the last of its chunks. */
  readonly first: number
  readonly last: number
}

const NONE: readonly Dimensions[] = []

/** The measures among chunks. */
export function dimensionsOf(chunks: readonly Chunk[]): readonly Dimensions[] {
  if (!hasTimes(chunks)) return NONE
  const atoms = chunks.flatMap((chunk, place) => chunk.flat().map((atom) => ({ atom, place })))
  const found: Dimensions[] = []
  for (let at = 0; at < atoms.length; at++) {
    const numbers: string[] = []
    let end = at
    while (atoms[end]?.atom.kind === 'number') {
      numbers.push(atoms[end]?.atom.plain as string)
      const times = isLength(atoms[end + 1]?.atom) ? end + 2 : end + 1
      if (!isTimes(atoms[times]?.atom) || atoms[times + 1]?.atom.kind !== 'number') break
      end = times + 1
    }
    if (numbers.length < 2) continue
    const [first, last] = [atoms[at]?.place as number, atoms[end]?.place as number]
    const next = atoms[isLength(atoms[end + 1]?.atom) ? end + 2 : end + 1]
    if (atoms[at - 1]?.place !== first && next?.place !== last) found.push({ text: numbers.join('x'), first, last })
    at = end
  }
  return found
}

/** Most texts have none, so they are walked without a closure. */
function hasTimes(chunks: readonly Chunk[]): boolean {
  for (const chunk of chunks) for (const group of chunk) for (const atom of group) if (isTimes(atom)) return true
  return false
}

function isTimes(atom: Atom | undefined): boolean {
  return atom?.plain.length === 1 && (atom.plain === 'x' || atom.plain === 'х')
}

function isLength(atom: Atom | undefined): boolean {
  if (atom?.kind !== 'word') return false
  const unit = unitOfWord(atom.plain) ?? atom.plain
  return (
    unit === 'm' || unit === 'cm' || unit === 'mm' || signOfWord(atom.plain) === '″' || signOfWord(atom.plain) === '′'
  )
}
