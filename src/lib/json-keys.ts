/**
 * Keys of JSON objects, watched during the scan of a text (json.ts). It finds a key that an object gives twice
 * (input.keys-once), and counts the different keys.
 */
import { JsonKeyTwice, JsonRefused } from './json-refused.ts'

/** An open array or object: the current place in it, and of an object the keys so far. */
interface Level {
  place: string | number
  readonly keys: Set<string> | null
}

/** Follows the brackets, commas and keys of a text in their order. */
export class KeyWatch {
  private readonly levels: Level[] = []
  private readonly different = new Set<string>()

  /** `max`: the most different keys in the whole text. */
  constructor(private readonly max: number) {}

  /** An array or an object begins. */
  open(isArray: boolean): void {
    this.levels.push(isArray ? { place: 0, keys: null } : { place: '', keys: new Set() })
  }

  close(): void {
    this.levels.pop()
  }

  /** A comma: the next item of an array, or the next member of an object, whose key follows. */
  next(): void {
    const level = this.levels.at(-1)
    if (typeof level?.place === 'number') level.place++
  }

  /** A key, with its quotes. Throws JsonKeyTwice, and JsonRefused past `max`. */
  name(quoted: string): void {
    const level = this.levels.at(-1)
    if (!level?.keys) return
    const key = unquoted(quoted)
    level.place = key
    if (level.keys.has(key)) throw new JsonKeyTwice(this.levels.map(({ place }) => place))
    level.keys.add(key)
    if (this.max === Number.POSITIVE_INFINITY) return
    this.different.add(key)
    if (this.different.size > this.max) throw new JsonRefused(`has more than ${this.max} different keys`)
  }
}

/** The text of a string. One that is not JSON stays as it is, since JSON.parse refuses it afterwards. */
function unquoted(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted)
  } catch {
    return quoted
  }
}
