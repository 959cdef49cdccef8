/** Numbers with a space within (search.spaced-numbers): 1 000 is 1000, 8 1/2 is 8.5. */
import type { Atom, Chunk } from './words.ts'

/** Denominators of fractions whose decimals are short. */
const DENOMINATORS: ReadonlySet<string> = new Set(['2', '4', '5', '8', '10', '16'])

/** A number whose first part ends a chunk, and whose other part begins the next one. */
export interface SpacedNumber {
  /** The number without a space. */
  readonly text: string
  /** How many atoms its other part has. */
  readonly rest: number
  /** Both chunks, the number as one atom in each. */
  readonly before: Chunk
  readonly after: Chunk
}

const NONE: ReadonlyMap<number, SpacedNumber> = new Map()

/** The numbers of chunks, each by the place of the chunk in which it begins. */
export function spacedNumbers(chunks: readonly Chunk[]): ReadonlyMap<number, SpacedNumber> {
  let found: Map<number, SpacedNumber> | undefined
  for (let at = 1; at < chunks.length; at++) {
    const after = chunks[at] as Chunk
    if (after[0]?.[0]?.kind !== 'number') continue
    const number = spacedNumber(chunks[at - 1] as Chunk, after)
    if (number !== null) found = (found ?? new Map()).set(at - 1, number)
  }
  return found ?? NONE
}

function spacedNumber(before: Chunk, after: Chunk): SpacedNumber | null {
  const last = before.at(-1)?.at(-1)
  if (last?.kind !== 'number' || !/^\d{1,3}$/.test(last.plain)) return null
  const fraction = fractionOf(after)
  if (fraction !== null) return join(String(Number(last.plain) + fraction), 2, before, after.slice(1))
  const isAlone = before.length === 1 && before[0]?.length === 1
  const isThousands = isAlone && last.plain[0] !== '0' && /^\d{3}$/.test(after[0]?.[0]?.plain ?? '')
  return isThousands ? join(last.plain + after[0]?.[0]?.plain, 1, before, after) : null
}

/** `after` begins with the last atom of the number. */
function join(text: string, rest: number, before: Chunk, after: Chunk): SpacedNumber {
  const atom: Atom = { kind: 'number', exact: text, plain: text }
  const [first = [], ...others] = after
  return {
    text,
    rest,
    before: [...before.slice(0, -1), [...(before.at(-1) ?? []).slice(0, -1), atom]],
    after: [[atom, ...first.slice(1)], ...others],
  }
}

/** The value of a chunk such as 1/2; null for others. */
function fractionOf([over, under, third]: Chunk): number | null {
  const [numerator, denominator] = [over?.[0]?.plain, under?.[0]?.plain]
  if (third !== undefined || over?.length !== 1 || denominator === undefined) return null
  const value = Number(numerator) / Number(denominator)
  return DENOMINATORS.has(denominator) && value > 0 && value < 1 ? value : null
}
