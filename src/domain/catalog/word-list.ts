/** Word list: the different words of an index in order, each with what has it. Pure. */
import { type Atom, charactersOf } from '../language/words.ts'

/** Numbers that are added before they are put into the order. */
const FRESH_MAX = 1_000

/** Numbers of what has a word. */
type Holders = readonly number[]

/** The list. What has a word is a number of the caller's; they are added rising. */
export class WordList {
  private readonly numbers = new Map<string, number>()
  private readonly all: Atom[] = []
  private readonly holders: number[][] = []
  /** What has a character of a run, or two neighbouring ones. */
  private readonly grams = new Map<string, number[]>()
  private readonly order = new TextOrder((number) => this.wordAt(number).plain)

  get size(): number {
    return this.all.length
  }

  /** The number of the word. */
  add(word: Atom, holder: number): number {
    const key = word.kind === 'run' ? `\n${word.exact}` : word.exact
    let number = this.numbers.get(key)
    if (number === undefined) {
      number = this.all.push(word) - 1
      this.numbers.set(key, number)
      // An array that begins empty takes room for seventeen.
      this.holders.push([holder])
      if (word.kind !== 'run') this.order.add(number)
    }
    push(this.holders[number] as number[], holder)
    if (word.kind === 'run')
      for (const gram of gramsOf(word)) {
        const list = this.grams.get(gram) ?? []
        this.grams.set(gram, list)
        push(list, holder)
      }
    return number
  }

  wordAt(number: number): Atom {
    return this.all[number] as Atom
  }

  /** What may have the word, in one list or more; as a beginning if it is the last one that is typed. */
  holdersOf({ kind, plain }: Atom, isLast: boolean): Holders[] {
    if (kind !== 'run') {
      const found = isLast ? this.order.beginningWith(plain) : this.order.between(plain, `${plain}\0`)
      return found.map((number) => this.holders[number] as number[])
    }
    const characters = [...plain]
    const neighbours = characters.slice(1).map((next, at) => `${characters[at]}${next}`)
    const lists = (neighbours.length > 0 ? neighbours : characters).map((gram) => this.grams.get(gram) ?? [])
    return [lists.reduce((rarest, list) => (list.length < rarest.length ? list : rarest))]
  }
}

function gramsOf(run: Atom): Set<string> {
  const characters = charactersOf(run)
  return new Set(characters.flatMap((character, at) => [character, character + (characters[at + 1] ?? '')]))
}

function push(list: number[], holder: number): void {
  if (list.at(-1) !== holder) list.push(holder)
}

/** Numbers in the order of their texts, to which numbers are added. */
export class TextOrder {
  private sorted: number[] = []
  private fresh: number[] = []

  constructor(private readonly textOf: (number: number) => string) {}

  add(number: number): void {
    this.fresh.push(number)
    // So that the whole order is walked seldom, and few are left to a look-up.
    if (this.fresh.length > FRESH_MAX && this.fresh.length > this.sorted.length / 2) this.sort()
  }

  beginningWith(beginning: string): number[] {
    return this.between(beginning, `${beginning}\uffff`)
  }

  /** The numbers whose texts are `from` or after it, and before `below`. */
  between(from: string, below: string): number[] {
    if (this.fresh.length > 0) this.sort()
    return this.sorted.slice(this.placeOf(from), this.placeOf(below))
  }

  private sort(): void {
    const merged: number[] = []
    let from = 0
    for (const number of this.fresh.sort((one, other) => (this.textOf(one) < this.textOf(other) ? -1 : 1))) {
      while (from < this.sorted.length && this.textOf(this.sorted[from] as number) <= this.textOf(number))
        merged.push(this.sorted[from++] as number)
      merged.push(number)
    }
    this.sorted = merged.concat(this.sorted.slice(from))
    this.fresh = []
  }

  private placeOf(text: string): number {
    let [low, high] = [0, this.sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.textOf(this.sorted[middle] as number) < text) low = middle + 1
      else high = middle
    }
    return low
  }
}
